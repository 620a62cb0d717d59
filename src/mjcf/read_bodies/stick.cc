// Contacts that hold their point: attributes of geoms and pairs, and of the option element.
#include <vector>

#include "mjcf/option_numbers.h"
#include "mjcf/read/sections.h"
#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {

void ReadStick(ElementReader& reader, int* stick) {
  if (const auto word = reader.Keyword("stick")) *stick = *word;
}

void WriteStick(int stick, int base, ElementWriter& writer) {
  if (stick != base && stick != kStickNotGiven) writer.Keyword("stick", stick);
}

void ReadStickOption(Context& context, ElementReader& reader) {
  if (!reader.Has("stick") && !reader.Has("stickslots")) return;
  std::vector<double>& numbers = OptionNumbers(context, reader, kStickOptionArray, {0, 0});
  numbers[kStickSlots] = reader.Real("stickslots", numbers[kStickSlots]);
  numbers[kStickDefault] = reader.Keyword("stick").value_or(static_cast<int>(numbers[kStickDefault]));
}

void WriteStickOption(const WriteContext& context, ElementWriter& writer) {
  const std::vector<double>* numbers = OptionNumbers(context, kStickOptionArray);
  if (!numbers) return;
  writer.Keyword("stick", static_cast<int>((*numbers)[kStickDefault]));
  if ((*numbers)[kStickSlots] > 0) writer.Real("stickslots", (*numbers)[kStickSlots]);
}

}  // namespace sinew::mjcf
