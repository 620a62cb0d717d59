#include "model/storage/kept.h"

#include <new>

namespace sinew::inline model {

void Share(const Kept* kept) {
  if (kept) ++kept->owners_;
}

void Release(const Kept* kept) {
  if (kept && --kept->owners_ == 0) delete kept;
}

void MakeKeptPlace(const mjModel& m) {
  char* const behind = static_cast<char*>(m.buffer) + OffsetOfPlace(static_cast<size_t>(m.nbuffer));
  auto* place = new (behind) KeptPlace{nullptr, nullptr};
  place->self = place;
}

void EmptyKeptPlace(const mjModel& m) {
  if (KeptPlace* place = KeptPlaceOf(m)) Release(place->kept.exchange(nullptr));
}

void CopyKept(const mjModel& dest, const mjModel& src) {
  EmptyKeptPlace(dest);
  KeptPlace *to = KeptPlaceOf(dest), *from = KeptPlaceOf(src);
  const Kept* kept = from ? from->kept.load() : nullptr;
  if (!to || !kept || !kept->IsOf(src)) return;
  Share(kept);
  to->kept = kept;
}

const Kept* KeepFirst(KeptPlace& place, const Kept* made) {
  const Kept* before = nullptr;
  if (place.kept.compare_exchange_strong(before, made)) return made;
  Release(made);
  return before;
}

}  // namespace sinew::inline model
