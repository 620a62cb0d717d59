#include "model/kinds/stick.h"

#include <algorithm>

#include "model/kinds/number_array.h"
#include "model/kinds/surface.h"

namespace sinew::inline model {

StickSettings::StickSettings(const mjModel* m) : m_(m) {
  const auto size = static_cast<std::size_t>(StickArraySize(static_cast<int>(m->ngeom), static_cast<int>(m->npair)));
  const std::span<const mjtNum> array = FindNumberArray(m, kStickArray);
  if (array.size() != size) return;
  // Programs may write any number; memory was taken for those that the compiler has written.
  const mjtNum slots = array[kStickSlots];
  if (!(slots > 0) || !(slots <= kMaxStickSlots)) return;
  if (static_cast<mjtSize>(slots) * kAnchorNumbers > m->nhistory) return;
  numbers_ = array.data();
  slots_ = static_cast<int>(slots);
}

int StickSettings::At(mjtSize i) const {
  return numbers_[i] == 1 ? kStickEnable : numbers_[i] == 0 ? kStickDisable : kStickNotGiven;
}

bool StickSettings::Holds(const mjContact& contact) const {
  const int first = contact.geom[0], second = contact.geom[1];
  if (contact.dim < 3 || first < 0 || second < 0) return false;
  const int pair = m_->npair > 0 ? FindExplicitPair(m_, first, second) : -1;
  int decided = pair >= 0 ? At(kStickHead + m_->ngeom + pair) : kStickNotGiven;
  if (decided == kStickNotGiven) {
    const int priority = m_->geom_priority[first] - m_->geom_priority[second];
    const int of[] = {Geom(first), Geom(second)};
    const bool any_disabled = of[0] == kStickDisable || of[1] == kStickDisable;
    decided = priority != 0 ? of[priority > 0 ? 0 : 1] : any_disabled ? kStickDisable : std::max(of[0], of[1]);
  }
  if (decided == kStickNotGiven) decided = At(kStickDefault);
  return decided == kStickEnable;
}

int StickStates(const mjModel* m) { return StickSettings(m).slots() * kAnchorNumbers; }

std::span<Anchor> AnchorsOf(const mjModel* m, mjData* d) {
  const auto slots = static_cast<std::size_t>(StickSettings(m).slots());
  if (slots == 0) return {};
  return {reinterpret_cast<Anchor*>(d->history + m->nhistory) - slots, slots};
}

}  // namespace sinew::inline model
