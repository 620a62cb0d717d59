// The laws of compliant contacts: attributes of geoms and pairs, and of the option element.
#include <cmath>
#include <utility>

#include "mjcf/option_numbers.h"
#include "mjcf/read/sections.h"
#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {
namespace {

constexpr std::pair<const char*, ContactLawNumber> kKeywords[] = {
    {"contactmodel", kLawModel}, {"frictionlaw", kLawFriction}, {"mixing", kLawMixing}};
constexpr std::pair<const char*, ContactLawNumber> kReals[] = {{"modulus", kLawModulus},
                                                               {"stiffness", kLawStiffness},
                                                               {"dissipation", kLawDissipation},
                                                               {"curvature", kLawCurvature},
                                                               {"slipspeed", kLawSlipSpeed}};

// Slip speed and mixing belong to pairs and options.
bool OfPair(ContactLawNumber number) { return number == kLawSlipSpeed || number == kLawMixing; }

bool Same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

void ReadContactLaw(ElementReader& reader, bool of_pair, ContactLawValues* values) {
  const auto at = [&](ContactLawNumber number) -> double& { return (*values)[static_cast<std::size_t>(number)]; };
  for (const auto& [name, number] : kKeywords) {
    if (OfPair(number) && !of_pair) continue;
    if (const auto word = reader.Keyword(name)) at(number) = *word;
  }
  for (const auto& [name, number] : kReals) {
    if (!OfPair(number) || of_pair) at(number) = reader.Real(name, at(number));
  }
  if (const auto friction = reader.Reals("cfriction")) {
    at(kLawStatic) = (*friction)[0];
    at(kLawDynamic) = friction->size() > 1 ? (*friction)[1] : (*friction)[0];
    at(kLawViscous) = friction->size() > 2 ? (*friction)[2] : 0;
  }
}

void WriteContactLaw(const ContactLawValues& values, const ContactLawValues& base, ElementWriter& writer) {
  // A value that is absent here is written, as absent, where the class gives one.
  const auto differs = [&](ContactLawNumber number) {
    const auto i = static_cast<std::size_t>(number);
    return !Same(values[i], base[i]);
  };
  for (const auto& [name, number] : kKeywords) {
    if (differs(number)) writer.Keyword(name, std::isnan(values[number]) ? 0 : static_cast<int>(values[number]));
  }
  for (const auto& [name, number] : kReals) {
    if (differs(number)) writer.Real(name, values[number]);
  }
  if (differs(kLawStatic) || differs(kLawDynamic) || differs(kLawViscous)) {
    writer.Reals("cfriction", {values.data() + kLawStatic, 3});
  }
}

void ReadContactOption(Context& context, ElementReader& reader) {
  if (!reader.Has("slipspeed") && !reader.Has("mixing")) return;
  std::vector<double>& numbers = OptionNumbers(context, reader, kContactOptionArray, {kDefaultSlipSpeed, 0});
  numbers[kOptionSlipSpeed] = reader.Real("slipspeed", numbers[kOptionSlipSpeed]);
  numbers[kOptionMixing] = reader.Keyword("mixing").value_or(static_cast<int>(numbers[kOptionMixing]));
}

void WriteContactOption(const WriteContext& context, ElementWriter& writer) {
  const std::vector<double>* numbers = OptionNumbers(context, kContactOptionArray);
  if (!numbers) return;
  writer.Real("slipspeed", (*numbers)[kOptionSlipSpeed]);
  writer.Keyword("mixing", static_cast<int>((*numbers)[kOptionMixing]));
}

}  // namespace sinew::mjcf
