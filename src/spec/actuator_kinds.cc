// Sets the parameters of general actuators for the kinds that have names of their own. Formulas are in
// spec/actuator_kinds.h; the texts of errors are those that programs get from MuJoCo 3.8.0.
#include "spec/actuator_kinds.h"

#include <algorithm>
#include <iterator>

#include "model/storage/extension.h"
#include "simd/functions.h"
#include "spec/spec.h"

namespace sinew::inline spec {
namespace {

void SetTypes(mjsActuator* actuator, mjtDyn dynamics, mjtGain gain, mjtBias bias) {
  actuator->dyntype = dynamics;
  actuator->gaintype = gain;
  actuator->biastype = bias;
}

bool HasRange(const double range[2]) { return range[0] != 0 || range[1] != 0; }

// Gain and bias of a position servo; the setpoint is the control or an activation.
const char* SetServo(mjsActuator* actuator, double kp, const double* kv, const double* dampratio,
                     const double* timeconst) {
  if (kv && dampratio) return "kv and dampratio cannot both be defined";
  if (kv && *kv < 0) return "kv cannot be negative";
  if (dampratio && *dampratio < 0) return "dampratio cannot be negative";
  if (timeconst && *timeconst < 0) return "timeconst cannot be negative";
  EndMusculotendon(actuator);
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_AFFINE;
  actuator->gainprm[0] = kp;
  actuator->biasprm[1] = -kp;
  // The sign distinguishes the two for the compiler.
  if (kv) actuator->biasprm[2] = -*kv;
  if (dampratio) actuator->biasprm[2] = *dampratio;
  if (timeconst) {
    actuator->dynprm[0] = *timeconst;
    actuator->dyntype = *timeconst == 0 ? mjDYN_NONE : mjDYN_FILTEREXACT;
  }
  return "";
}

// The same, with a range of setpoints that is given or taken over from the target, and not both, which `conflict` says.
const char* SetServoInRange(mjsActuator* actuator, double kp, const double* kv, const double* dampratio,
                            const double* timeconst, double inheritrange, const double range[2], const char* conflict) {
  const char* error = SetServo(actuator, kp, kv, dampratio, timeconst);
  if (*error) return error;
  if (inheritrange > 0 && HasRange(range)) return conflict;
  actuator->inheritrange = inheritrange;
  return "";
}

}  // namespace

// The control is the force itself, N or N m.
const char* SetToMotor(mjsActuator* actuator) {
  EndMusculotendon(actuator);
  actuator->gainprm[0] = 1;
  SetTypes(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_NONE);
  return "";
}

const char* SetToPosition(mjsActuator* actuator, double kp, const double* kv, const double* dampratio,
                          const double* timeconst, double inheritrange) {
  return SetServoInRange(actuator, kp, kv, dampratio, timeconst, inheritrange, actuator->ctrlrange,
                         "ctrlrange and inheritrange cannot both be defined");
}

// The activation is the setpoint, so it needs a range to stay in; from 4.0 on, it may have none.
const char* SetToIntVelocity(mjsActuator* actuator, double kp, const double* kv, const double* dampratio,
                             const double* timeconst, double inheritrange) {
  const char* error = SetServoInRange(actuator, kp, kv, dampratio, timeconst, inheritrange, actuator->actrange,
                                      "actrange and inheritrange cannot both be defined");
  if (*error) return error;
  actuator->dyntype = mjDYN_INTEGRATOR;
  const auto* element = As<Actuator>(actuator->element);
  const Level level = element && element->home ? element->home->level : CurrentLevel();
  if (level < kLimitsFromRanges) actuator->actlimited = mjLIMITED_TRUE;
  return "";
}

// The velocity that is set by the control has the units of the transmission, m/s or rad/s.
const char* SetToVelocity(mjsActuator* actuator, double kv) {
  EndMusculotendon(actuator);
  std::fill(std::begin(actuator->biasprm), std::end(actuator->biasprm), 0);
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  SetTypes(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_AFFINE);
  return "";
}

// The coefficient is multiplied by the control, which therefore must not be negative.
const char* SetToDamper(mjsActuator* actuator, double kv) {
  if (kv < 0) return "damping coefficient cannot be negative";
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) return "damper control range cannot be negative";
  EndMusculotendon(actuator);
  std::fill(std::begin(actuator->gainprm), std::end(actuator->gainprm), 0);
  actuator->gainprm[2] = -kv;
  actuator->ctrllimited = mjLIMITED_TRUE;
  SetTypes(actuator, mjDYN_NONE, mjGAIN_AFFINE, mjBIAS_NONE);
  return "";
}

// A circle of the given diameter has the area pi d^2 / 4.
const char* SetToCylinder(mjsActuator* actuator, double timeconst, double bias, double area, double diameter) {
  EndMusculotendon(actuator);
  actuator->dynprm[0] = timeconst;
  actuator->biasprm[0] = bias;
  actuator->gainprm[0] = diameter >= 0 ? kPi / 4 * diameter * diameter : area;
  SetTypes(actuator, mjDYN_FILTER, mjGAIN_FIXED, mjBIAS_AFFINE);
  return "";
}

// Lengths are in units of the optimal fibre length; a negative force lets the compiler scale it by the actuator's
// acceleration.
const char* SetToMuscle(mjsActuator* actuator, const double timeconst[2], double tausmooth, const double range[2],
                        double force, double scale, double lmin, double lmax, double vmax, double fpmax, double fvmax) {
  if (tausmooth < 0) return "muscle tausmooth cannot be negative";
  EndMusculotendon(actuator);

  // A parameter that has the general actuator's initial value has not been set by a class.
  const auto set = [](double* parameter, double initial, double usual, double given) {
    if (*parameter == initial) *parameter = usual;
    if (given >= 0) *parameter = given;
  };
  double* dyn = actuator->dynprm;
  set(&dyn[0], 1, 0.01, timeconst[0]);
  set(&dyn[1], 0, 0.04, timeconst[1]);
  dyn[2] = tausmooth;
  double* gain = actuator->gainprm;
  set(&gain[0], 1, 0.75, range[0]);
  set(&gain[1], 0, 1.05, range[1]);
  set(&gain[2], 0, -1, force);
  set(&gain[3], 0, 200, scale);
  set(&gain[4], 0, 0.5, lmin);
  set(&gain[5], 0, 1.6, lmax);
  set(&gain[6], 0, 1.5, vmax);
  set(&gain[7], 0, 1.3, fpmax);
  set(&gain[8], 0, 1.2, fvmax);

  // The passive force has the parameters of the active one.
  std::copy_n(gain, 9, actuator->biasprm);
  SetTypes(actuator, mjDYN_MUSCLE, mjGAIN_MUSCLE, mjBIAS_MUSCLE);
  return "";
}

bool IsMusculotendon(const Actuator& actuator) {
  return actuator.extension.kind == kMusculotendon && actuator.dyntype == mjDYN_USER &&
         actuator.gaintype == mjGAIN_USER && actuator.biastype == mjBIAS_USER;
}

int FiberStateCount(const Actuator& actuator) {
  return actuator.gainprm[kRigidTendon] != 0 ? kRigidStates : kElasticStates;
}

void EndMusculotendon(mjsActuator* actuator) {
  // a struct of a program's own, or a copy of one, is no element
  if (actuator->dyntype != mjDYN_USER || actuator->gaintype != mjGAIN_USER) return;
  auto* element = As<Actuator>(actuator->element);
  if (element != actuator || !IsMusculotendon(*element)) return;
  mjsActuator initial;
  SetDefaults(&initial);
  std::copy_n(initial.gainprm, mjNGAIN, actuator->gainprm);
  std::copy_n(initial.biasprm, mjNBIAS, actuator->biasprm);
  std::copy_n(initial.dynprm, mjNDYN, actuator->dynprm);
  actuator->actdim = initial.actdim;
  SetTypes(actuator, initial.dyntype, initial.gaintype, initial.biastype);
  element->extension = {};
}

// An activation limit and time constants are those that are usual for human muscle, in seconds.
void BecomeMusculotendon(Actuator* actuator) {
  if (!IsMusculotendon(*actuator)) {
    double* gain = actuator->gainprm;
    std::fill_n(gain, mjNGAIN, 0);
    std::fill_n(actuator->biasprm, mjNBIAS, 0);
    gain[kLargestVelocity] = 10;
    gain[kFiberDamping] = 0.1;
    gain[kStiffnessScale] = 1;
    double* dyn = actuator->dynprm;
    std::fill_n(dyn, mjNDYN, 0);
    dyn[kActivationTime] = 0.01;
    dyn[kDeactivationTime] = 0.04;
    dyn[kLeastActivation] = 0.01;
    dyn[kSlowShare] = 0.5;
    actuator->extension = {kMusculotendon, {}, {}, {}, {}};
  }
  actuator->actdim = FiberStateCount(*actuator);
  SetTypes(actuator, mjDYN_USER, mjGAIN_USER, mjBIAS_USER);
}

// The gain is the force in newtons at control one.
const char* SetToAdhesion(mjsActuator* actuator, double gain) {
  if (gain < 0) return "adhesion gain cannot be negative";
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) return "adhesion control range cannot be negative";
  EndMusculotendon(actuator);
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = mjLIMITED_TRUE;
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_NONE;
  return "";
}

}  // namespace sinew::inline spec
