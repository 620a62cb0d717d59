// The functions of <sinew/elements_beyond.h>: what the public structs of a specification have no room for stands in the
// element behind them.
#include <sinew/elements_beyond.h>

#include <string>
#include <vector>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "capi/spec/spec_handles.h"
#include "model/storage/extension.h"
#include "spec/actuator_kinds.h"

using sinew::capi::Guard;
using sinew::capi::Of;

// The names of programs are those of this library.
static_assert(int{sinewMUSCLE_FORCE} == sinew::kPeakForce && int{sinewMUSCLE_FIBERLENGTH} == sinew::kFiberLength &&
              int{sinewMUSCLE_SLACKLENGTH} == sinew::kSlackLength && int{sinewMUSCLE_PENNATION} == sinew::kPennation &&
              int{sinewMUSCLE_VMAX} == sinew::kLargestVelocity &&
              int{sinewMUSCLE_FIBERDAMPING} == sinew::kFiberDamping &&
              int{sinewMUSCLE_STIFFNESSSCALE} == sinew::kStiffnessScale && int{sinewMUSCLE_CURVES} == sinew::kCurves &&
              int{sinewMUSCLE_RIGIDTENDON} == sinew::kRigidTendon);
static_assert(int{sinewMUSCLE_TIMEACT} == sinew::kActivationTime &&
              int{sinewMUSCLE_TIMEDEACT} == sinew::kDeactivationTime &&
              int{sinewMUSCLE_TAUSMOOTH} == sinew::kSmoothing && int{sinewMUSCLE_MINACT} == sinew::kLeastActivation);
static_assert(int{sinewSENS_FIBERLENGTH} == sinew::kSensorFiberLength &&
              int{sinewSENS_TENDONSTRAIN} + 1 == sinew::kEndOfSensors);

namespace {

// The element that a struct is part of: structs of a program's own have none.
template <class T>
T& Owner(typename T::PublicStruct* values) {
  if (values && sinew::As<T>(values->element) != values) {
    throw sinew::Error("the struct is not that of an element", "take one that mjs_add... or a default class returned");
  }
  return Of<T>(values);
}

}  // namespace

const char* sinew_setToMusculotendon(mjsActuator* actuator) {
  return Guard("sinew_setToMusculotendon", [=] {
    BecomeMusculotendon(&Owner<sinew::Actuator>(actuator));
    return "";
  });
}

const char* sinew_setMuscleCurve(mjsActuator* actuator, int curve, const double* numbers, int count) {
  return Guard("sinew_setMuscleCurve", [=]() -> const char* {
    sinew::Actuator& muscle = Owner<sinew::Actuator>(actuator);
    if (!IsMusculotendon(muscle)) return "the actuator is no muscle with a tendon: call sinew_setToMusculotendon first";
    if (count < 0 || (count > 0 && !numbers)) return "there are no numbers: give a pointer to them and their count";
    sinew::ActuatorExtension& own = muscle.extension;
    std::vector<double>* const shapes[] = {&own.active, &own.velocity, &own.passive, &own.tendon};
    if (curve < sinewCURVE_ACTIVE || curve > sinewCURVE_TENDON) return "there are four curves: 0 to 3";
    shapes[curve]->assign(numbers, numbers + count);
    return "";
  });
}

const char* sinew_setToMuscleSensor(mjsSensor* sensor, int type, const char* actuator) {
  return Guard("sinew_setToMuscleSensor", [=]() -> const char* {
    sinew::Sensor& element = Owner<sinew::Sensor>(sensor);
    if (!sinew::IsExtensionSensor(type)) return "the type is none of a muscle's sensors: see sinew/elements_beyond.h";
    element.extension = type;
    element.type = mjSENS_USER;
    element.objtype = mjOBJ_ACTUATOR;
    *element.objname = sinew::capi::Text(actuator);
    return "";
  });
}

double* sinew_geomContactLaw(mjsGeom* geom) {
  return geom ? Guard("sinew_geomContactLaw", [=] { return Owner<sinew::Geom>(geom).contact_law.data(); }) : nullptr;
}

double* sinew_pairContactLaw(mjsPair* pair) {
  return pair ? Guard("sinew_pairContactLaw", [=] { return Owner<sinew::Pair>(pair).contact_law.data(); }) : nullptr;
}
