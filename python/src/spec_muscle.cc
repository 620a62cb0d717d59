// Muscles with tendons in a specification: parameters of the element that the public struct calls gainprm and dynprm.
#include <sinew/elements_beyond.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "spec.h"

namespace sinew::python {
namespace {

struct Parameter {
  const char* name;
  int index;
};
constexpr Parameter kGains[] = {{"force", sinewMUSCLE_FORCE},
                                {"fiberlength", sinewMUSCLE_FIBERLENGTH},
                                {"slacklength", sinewMUSCLE_SLACKLENGTH},
                                {"pennation", sinewMUSCLE_PENNATION},
                                {"vmax", sinewMUSCLE_VMAX},
                                {"fiberdamping", sinewMUSCLE_FIBERDAMPING},
                                {"stiffnessscale", sinewMUSCLE_STIFFNESSSCALE}};
constexpr Parameter kDynamics[] = {{"tausmooth", sinewMUSCLE_TAUSMOOTH},
                                   {"minact", sinewMUSCLE_MINACT},
                                   {"musclemass", sinewMUSCLE_MASS},
                                   {"slowshare", sinewMUSCLE_SLOWSHARE}};
constexpr Parameter kCurves[] = {{"activecurve", sinewCURVE_ACTIVE},
                                 {"velcurve", sinewCURVE_VELOCITY},
                                 {"passivecurve", sinewCURVE_PASSIVE},
                                 {"tendoncurve", sinewCURVE_TENDON}};
// Values of a keyword, in the order of their numbers.
constexpr const char* kCurveSets[] = {"millard", "hyfydy", "degroote", "thelen", "geyer"};
constexpr const char* kCompliances[] = {"elastic", "rigid"};

template <size_t n>
const Parameter* Find(const Parameter (&table)[n], const std::string& name) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const Parameter& p) { return p.name == name; });
  return found == std::end(table) ? nullptr : found;
}

template <size_t n>
double NumberOf(const char* const (&words)[n], const std::string& name, const std::string& word) {
  std::string all;
  for (size_t i = 0; i < n; ++i) {
    if (word == words[i]) return static_cast<double>(i);
    all += (all.empty() ? "" : ", ") + std::string(words[i]);
  }
  RaiseValueError(name + " is '" + word + "'; it is one of " + all);
}

// A parameter of a muscle, or else an attribute of any actuator.
void SetParameter(mjsActuator* muscle, nb::handle element, const std::string& name, nb::handle value) {
  if (const Parameter* gain = Find(kGains, name)) {
    muscle->gainprm[gain->index] = nb::cast<double>(value);
  } else if (const Parameter* number = Find(kDynamics, name)) {
    muscle->dynprm[number->index] = nb::cast<double>(value);
  } else if (const Parameter* curve = Find(kCurves, name)) {
    const auto numbers = nb::cast<std::vector<double>>(value);
    Expect(sinew_setMuscleCurve(muscle, curve->index, numbers.data(), static_cast<int>(numbers.size())));
  } else if (name == "curves") {
    muscle->gainprm[sinewMUSCLE_CURVES] = NumberOf(kCurveSets, name, nb::cast<std::string>(value));
  } else if (name == "compliance") {
    muscle->gainprm[sinewMUSCLE_RIGIDTENDON] = NumberOf(kCompliances, name, nb::cast<std::string>(value));
  } else if (name == "timeconst") {
    const auto times = nb::cast<std::vector<double>>(value);
    if (times.size() != 2) RaiseValueError("timeconst takes two numbers: of activation and of deactivation");
    muscle->dynprm[sinewMUSCLE_TIMEACT] = times[0];
    muscle->dynprm[sinewMUSCLE_TIMEDEACT] = times[1];
  } else {
    nb::setattr(element, name.c_str(), value);
  }
}

}  // namespace

nb::object AddMusculotendon(nb::handle spec, const std::string& tendon, const nb::kwargs& values) {
  nb::object element = AddElement(spec, nullptr, "actuator", nb::kwargs());
  mjsActuator* muscle = reinterpret_cast<mjsActuator*>(nb::cast<const Element&>(element).base());
  Expect(sinew_setToMusculotendon(muscle));
  muscle->trntype = mjTRN_TENDON;
  mjs_setString(muscle->target, tendon.c_str());
  for (const auto& [name, value] : values) SetParameter(muscle, element, nb::cast<std::string>(name), value);
  return element;
}

}  // namespace sinew::python
