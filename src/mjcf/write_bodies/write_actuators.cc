// Writes the section actuator: all kinds in general form, but for servos that take their range from their target.
#include <utility>

#include "mjcf/vocabulary.h"
#include "mjcf/write/write_sections.h"
#include "model/storage/extension.h"
#include "simd/functions.h"
#include "spec/actuator_kinds.h"

namespace sinew::mjcf {
namespace {

// Only attributes that belong to the type of transmission are written.
void WriteTransmission(const Actuator& actuator, ElementWriter& writer) {
  for (const auto& [name, type] : kTransmissionTargets) {
    if (type == actuator.trntype) writer.NonEmpty(name, *actuator.target);
  }
  if (actuator.trntype == mjTRN_SITE) writer.NonEmpty("refsite", *actuator.refsite);
  if (actuator.trntype == mjTRN_SLIDERCRANK) writer.NonEmpty("slidersite", *actuator.slidersite);
}

// force = kp (setpoint - length) - kv velocity, the setpoint being the control, filtered or not, or its integral. A
// damping ratio stands where kv does, with the other sign. The range that is inherited is known to the compiler alone.
XmlNode WriteServo(const WriteContext& context, const Actuator& actuator) {
  const bool integrates = actuator.dyntype == mjDYN_INTEGRATOR;
  ElementWriter writer(*FindPath(integrates ? "actuator/intvelocity" : "actuator/position"), context.precision);
  WriteElement(context, actuator, writer);
  WriteTransmission(actuator, writer);
  const double kv = -actuator.biasprm[2];
  writer.Real("kp", actuator.gainprm[0]);
  writer.Real("inheritrange", actuator.inheritrange);
  if (kv < 0) writer.Real("dampratio", -kv);
  if (kv >= 0) writer.Real("kv", kv);
  if (actuator.dyntype == mjDYN_FILTEREXACT) writer.Real("timeconst", actuator.dynprm[0]);
  WriteReflexes(context, actuator.reflexes, writer);
  return writer.Take();
}

// All other kinds are general: their parameters are fields already.
XmlNode WriteGeneral(const WriteContext& context, const Actuator& actuator) {
  const bool is_plugin = actuator.plugin.active;
  ElementWriter writer(*FindPath(is_plugin ? "actuator/plugin" : "actuator/general"), context.precision);
  // The number of activations goes without saying where the dynamics imply it.
  const int implied = actuator.dyntype == mjDYN_NONE || actuator.dyntype == mjDYN_DCMOTOR ? 0 : 1;
  const bool goes_without = actuator.actdim == implied && ClassOf(context, actuator).Get<Actuator>().actdim < 0;
  WriteElement(context, actuator, writer, {goes_without ? "actdim" : ""});
  WriteTransmission(actuator, writer);
  if (is_plugin) WritePlugin(context, actuator.plugin, writer);
  if (!is_plugin) WriteReflexes(context, actuator.reflexes, writer);
  return writer.Take();
}

// All parameters, whatever a class says: a class has them as those of a general actuator.
XmlNode WriteMusculotendon(const WriteContext& context, const Actuator& actuator) {
  ElementWriter writer(*FindPath("actuator/musculotendon"), context.precision);
  WriteElement(context, actuator, writer);
  WriteTransmission(actuator, writer);
  const double *gain = actuator.gainprm, *dyn = actuator.dynprm;
  const double unit = actuator.compiler().degree ? kPi / 180 : 1;  // files are written in radians
  for (const auto& [name, column] : kMusculotendonGains) {
    if (column == kPennation) {
      writer.ExactReal(name, gain[column] * unit);
    } else {
      writer.Real(name, gain[column]);
    }
  }
  writer.Keyword("curves", static_cast<int>(gain[kCurves]));
  writer.Keyword("compliance", static_cast<int>(gain[kRigidTendon]));
  writer.Reals("timeconst", {dyn, 2});
  for (const auto& [name, column] : kMusculotendonDynamics) writer.Real(name, dyn[column]);
  const ActuatorExtension& extension = actuator.extension;
  if (!extension.active.empty()) writer.Reals("activecurve", extension.active);
  if (!extension.velocity.empty()) writer.Reals("velcurve", extension.velocity);
  if (!extension.passive.empty()) writer.Reals("passivecurve", extension.passive);
  if (!extension.tendon.empty()) writer.Reals("tendoncurve", extension.tendon);
  WriteReflexes(context, actuator.reflexes, writer);
  return writer.Take();
}

}  // namespace

XmlNode WriteActuator(const WriteContext& context) {
  XmlNode section = Section("actuator");
  for (const auto& actuator : context.spec.List<Actuator>()) {
    auto write = actuator->inheritrange > 0 ? WriteServo : WriteGeneral;
    if (IsMusculotendon(*actuator)) write = WriteMusculotendon;
    section.children.push_back(write(context, *actuator));
  }
  return section;
}

}  // namespace sinew::mjcf
