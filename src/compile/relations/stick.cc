// Contacts that hold their point: checks, and the number array that says which they are.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/topology/relations.h"
#include "core/real_text.h"
#include "model/kinds/stick.h"
#include "model/storage/error_control.h"
#include "spec/lists.h"

namespace sinew::inline compile {
namespace {

constexpr double kSlotsOfModel = 16, kSlotsOfGeom = 4;

void CheckOption(const Numeric& given) {
  CheckLists(given);
  const double slots = (*given.data)[kStickSlots], stick = (*given.data)[kStickDefault];
  if (!(slots >= 0 && slots <= kMaxStickSlots && slots == std::floor(slots))) {
    throw Error(
        "stickslots is " + TextOfReal(slots),
        "give the number of contacts that may hold their point at once, up to " + std::to_string(kMaxStickSlots));
  }
  if (stick != 0 && stick != 1) throw Error("stick is neither 0 nor 1", "use the option element");
}

}  // namespace

void DraftStick(Draft& draft) {
  double slots = 0, by_default = 0;
  ErrorList errors;
  const Numeric* given = draft.spec.Find<Numeric>(kStickOptionArray);
  if (given) {
    errors.At(*given, [&] { CheckOption(*given); });
    errors.Throw();
    slots = (*given->data)[kStickSlots];
    by_default = (*given->data)[kStickDefault];
  }
  std::vector<double> numbers = {slots, by_default};
  bool any = by_default == 1;
  const auto add = [&](int stick) {
    any |= stick == kStickEnable;
    numbers.push_back(stick);
  };
  for (int i = 0; i < static_cast<int>(draft.geoms.size()); ++i) add(FindGeom(draft, i).source->stick);
  for (const PairDraft& pair : draft.pairs) add(pair.source->stick);
  if (!any) return;
  if (IsErrorControlled(draft.spec.option.integrator) || draft.spec.Find<Numeric>(kErrorControlArray)) {
    throw Error("contacts that hold their point need steps that are not taken back",
                "remove stick, or the accuracy and an integrator that controls its error");
  }
  if (slots == 0) numbers[kStickSlots] = kSlotsOfModel + kSlotsOfGeom * static_cast<double>(draft.geoms.size());
  draft.extensions.push_back({kStickArray, std::move(numbers)});
}

int StickStates(const Draft& draft) {
  for (const ExtensionArray& array : draft.extensions) {
    if (array.name == kStickArray) return static_cast<int>(array.data[kStickSlots]) * kAnchorNumbers;
  }
  return 0;
}

}  // namespace sinew::inline compile
