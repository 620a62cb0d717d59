// Reads the section actuator. Shortcuts such as position or muscle are a general actuator with parameters set by
// functions of spec/; the rest of the program knows general actuators only. Units follow from the transmission: N on
// slides and tendons, N m on hinges.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mjcf/read/sections.h"
#include "mjcf/vocabulary.h"
#include "model/storage/extension.h"
#include "model/storage/motor_extension.h"
#include "spec/actuator_kinds.h"

namespace sinew::mjcf {
namespace {

// ---- kinds

// The functions that set a kind take a null pointer for a number that is not given.
const double* OrNull(const std::optional<double>& value) { return value ? &*value : nullptr; }

// A servo pulls towards a setpoint; an integrated one has the integral of its control as the setpoint, and so no time
// constant.
const char* ReadServo(ElementReader& reader, mjsActuator* actuator, bool integrated) {
  const double kp = reader.Real("kp", actuator->gainprm[0]);
  const auto kv = reader.Real("kv");
  const auto dampratio = reader.Real("dampratio");
  const auto timeconst = integrated ? std::nullopt : reader.Real("timeconst");
  const double inheritrange = reader.Real("inheritrange", actuator->inheritrange);
  const auto set = integrated ? SetToIntVelocity : SetToPosition;
  return set(actuator, kp, OrNull(kv), OrNull(dampratio), OrNull(timeconst), inheritrange);
}

// The bias of a cylinder has three coefficients in documents; only the constant one is a parameter of SetToCylinder.
const char* ReadCylinder(ElementReader& reader, mjsActuator* actuator) {
  double bias[3] = {actuator->biasprm[0], 0, 0};
  reader.RealsInto("bias", bias);
  return SetToCylinder(actuator, reader.Real("timeconst", actuator->dynprm[0]), bias[0],
                       reader.Real("area", actuator->gainprm[0]), reader.Real("diameter", -1));
}

// Numbers that are -1 keep what the class says.
const char* ReadMuscle(ElementReader& reader, mjsActuator* actuator) {
  double timeconst[2] = {-1, -1}, range[2] = {-1, -1};
  reader.RealsInto("timeconst", timeconst);
  reader.RealsInto("range", range);
  return SetToMuscle(actuator, timeconst, reader.Real("tausmooth", actuator->dynprm[2]), range,
                     reader.Real("force", -1), reader.Real("scale", -1), reader.Real("lmin", -1),
                     reader.Real("lmax", -1), reader.Real("vmax", -1), reader.Real("fpmax", -1),
                     reader.Real("fvmax", -1));
}

// Numbers that are not given keep what a class of the same kind has set; what a class of another kind has left is no
// motor parameter.
const char* ReadDCMotor(ElementReader& reader, mjsActuator* actuator) {
  const bool of_class = actuator->dyntype == mjDYN_DCMOTOR;
  const double* gain = actuator->gainprm;
  const double* bias = actuator->biasprm;
  const double* dyn = actuator->dynprm;
  double motorconst[2] = {of_class ? gain[1] : 0, 0};
  double nominal[3] = {}, saturation[3] = {}, inductance[2] = {};
  double cogging[3] = {}, controller[6] = {}, thermal[6] = {}, lugre[5] = {};
  if (of_class) {
    inductance[1] = dyn[0];
    std::copy_n(bias, 3, cogging);
    std::copy_n(gain + 4, 3, controller);
    controller[3] = dyn[7], controller[4] = dyn[8], controller[5] = gain[7];
    thermal[0] = dyn[2], thermal[1] = dyn[3], thermal[3] = gain[2], thermal[4] = gain[3], thermal[5] = dyn[4];
    lugre[0] = dyn[5], lugre[1] = dyn[6];
    std::copy_n(bias + 3, 3, lugre + 2);
  }
  reader.RealsInto("motorconst", motorconst);
  reader.RealsInto("nominal", nominal);
  reader.RealsInto("saturation", saturation);
  reader.RealsInto("inductance", inductance);
  reader.RealsInto("cogging", cogging);
  reader.RealsInto("controller", controller);
  reader.RealsInto("thermal", thermal);
  reader.RealsInto("lugre", lugre);
  const double resistance = reader.Real("resistance", of_class ? gain[0] : 0);
  reader.RealsInto("dryfriction", actuator->biasprm + kDryFriction);
  const int input = reader.Keyword("input").value_or(of_class ? static_cast<int>(gain[8]) : 0);
  return SetToDCMotor(actuator, motorconst, resistance, nominal, saturation, inductance, cogging, controller, thermal,
                      lugre, input);
}

// A curve of a musculotendon is given by the numbers of its shape (docs/how/musculotendon.md).
void ReadShape(ElementReader& reader, const char* name, std::vector<double>* shape) {
  if (auto numbers = reader.Reals(name)) *shape = std::move(*numbers);
}

const char* ReadMusculotendon(ElementReader& reader, Actuator* actuator) {
  BecomeMusculotendon(actuator);
  double *gain = actuator->gainprm, *dyn = actuator->dynprm;
  for (const auto& [name, column] : kMusculotendonGains) gain[column] = reader.Real(name, gain[column]);
  gain[kCurves] = reader.Keyword("curves").value_or(static_cast<int>(gain[kCurves]));
  gain[kRigidTendon] = reader.Keyword("compliance").value_or(static_cast<int>(gain[kRigidTendon]));
  reader.RealsInto("timeconst", dyn);
  for (const auto& [name, column] : kMusculotendonDynamics) dyn[column] = reader.Real(name, dyn[column]);
  ActuatorExtension& extension = actuator->extension;
  ReadShape(reader, "activecurve", &extension.active);
  ReadShape(reader, "velcurve", &extension.velocity);
  ReadShape(reader, "passivecurve", &extension.passive);
  ReadShape(reader, "tendoncurve", &extension.tendon);
  BecomeMusculotendon(actuator);  // as many activations as the tendon calls for
  return "";
}

// The kind is the name of the element. Unknown names never come here: the schema has refused them.
const char* ReadKind(ElementReader& reader, mjsActuator* actuator) {
  const std::string& tag = reader.node().tag;
  if (tag == "motor") return SetToMotor(actuator);
  if (tag == "position") return ReadServo(reader, actuator, false);
  if (tag == "intvelocity") return ReadServo(reader, actuator, true);
  if (tag == "velocity") return SetToVelocity(actuator, reader.Real("kv", actuator->gainprm[0]));
  if (tag == "damper") return SetToDamper(actuator, reader.Real("kv", 0));
  if (tag == "cylinder") return ReadCylinder(reader, actuator);
  if (tag == "muscle") return ReadMuscle(reader, actuator);
  if (tag == "musculotendon") return ReadMusculotendon(reader, static_cast<Actuator*>(actuator));
  if (tag == "adhesion") return SetToAdhesion(actuator, reader.Real("gain", actuator->gainprm[0]));
  if (tag == "dcmotor") return ReadDCMotor(reader, actuator);
  return "";
}

// ---- transmission

// Exactly one attribute may name what the actuator acts on. None is an error of the compiler, since a class or a
// program may still set it.
void ReadTransmission(ElementReader& reader, mjsActuator* actuator) {
  std::string given;
  int count = 0;
  for (const auto& [name, type] : kTransmissionTargets) {
    const auto target = reader.String(name);
    if (!target) continue;
    given += (count++ ? ", " : "") + std::string(name);
    actuator->trntype = type;
    *actuator->target = *target;
  }
  if (count > 1) reader.Fail("more than one transmission target: " + given, "give one of them");
  if (const auto site = reader.String("refsite")) *actuator->refsite = *site;
  if (const auto site = reader.String("slidersite")) *actuator->slidersite = *site;

  if (count != 1) return;
  if (actuator->trntype != mjTRN_SLIDERCRANK && (reader.Has("cranklength") || reader.Has("slidersite"))) {
    reader.Fail("attributes 'cranklength' and 'slidersite' belong to slider-cranks", "give a cranksite");
  }
  if (actuator->trntype != mjTRN_SITE && reader.Has("refsite")) {
    reader.Fail("attribute 'refsite' belongs to site transmissions", "give a site");
  }
}

}  // namespace

// Fields come first, so that the parameters of the kind start from those of the class.
void ReadActuatorValues(ElementReader& reader, mjsActuator* actuator) {
  // a general actuator is what its class is, unless it gives a type
  const bool general = reader.node().tag == "general" || reader.node().tag == "plugin";
  const bool has_type = reader.Has("dyntype") || reader.Has("gaintype") || reader.Has("biastype");
  if (reader.node().tag != "musculotendon" && (!general || has_type)) EndMusculotendon(actuator);
  reader.ReadFields(actuator);
  const char* error = ReadKind(reader, actuator);
  if (*error) reader.Fail(error);
}

void ReadActuator(Context& context, const XmlNode& section) {
  ForEachChild(context, section, "actuator", [&](ElementReader& reader, const XmlNode& child) {
    Actuator& actuator = AddElement<Actuator>(context, reader);
    ReadActuatorValues(reader, &actuator);
    if (child.tag == "plugin") ReadPluginUse(context, reader, &actuator.plugin);
    ReadTransmission(reader, &actuator);
    ReadReflexes(context, reader, &actuator.reflexes);
    reader.Finish();
  });
}

}  // namespace sinew::mjcf
