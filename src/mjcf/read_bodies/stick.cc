// Contacts that hold their point: attributes of geoms and pairs, and of the option element.
#include <vector>

#include "compile/diagnose.h"
#include "mjcf/read/sections.h"
#include "mjcf/write/write_sections.h"
#include "spec/lists.h"

namespace sinew::mjcf {

void ReadStick(ElementReader& reader, int* stick) {
  if (const auto word = reader.Keyword("stick")) *stick = *word;
}

void WriteStick(int stick, int base, ElementWriter& writer) {
  if (stick != base && stick != kStickNotGiven) writer.Keyword("stick", stick);
}

// Values of the option element are kept as a number array, so that programs without this extension keep them too.
void ReadStickOption(Context& context, ElementReader& reader) {
  if (!reader.Has("stick") && !reader.Has("stickslots")) return;
  Numeric* array = context.spec.Find<Numeric>(kStickOptionArray);
  if (!array) {
    array = &context.spec.Add<Numeric>();
    context.spec.SetName(*array, kStickOptionArray);
    array->where = reader.Location();
    *array->data = {0, 0};
  }
  std::vector<double>& numbers = *array->data;
  numbers.resize(kStickHead);
  numbers[kStickSlots] = reader.Real("stickslots", numbers[kStickSlots]);
  numbers[kStickDefault] = reader.Keyword("stick").value_or(static_cast<int>(numbers[kStickDefault]));
}

void WriteStickOption(const WriteContext& context, ElementWriter& writer) {
  const auto* array = context.spec.Find<Numeric>(kStickOptionArray);
  if (!array) return;
  At(*array, [&] { CheckLists(*array); });
  writer.Keyword("stick", static_cast<int>((*array->data)[kStickDefault]));
  if ((*array->data)[kStickSlots] > 0) writer.Real("stickslots", (*array->data)[kStickSlots]);
}

}  // namespace sinew::mjcf
