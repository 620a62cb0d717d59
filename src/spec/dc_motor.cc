// The direct current motor: electrical constants from what a data sheet gives, then the parameter layout of the engine.
//
//     armature:  L di/dt = V - R i - Ke omega,   torque = Kt i          (in SI units Kt = Ke = K for an ideal motor)
//     no load:   V = R B omega0 / Kt + Ke omega0 with viscous damping B; stall: tau0 = Kt V / R
//
// gainprm  R, K, thermal coefficient, reference temperature, kp, ki, kd, voltage bound, input
// biasprm  cogging amplitude, periodicity, phase; friction: Coulomb, static, Stribeck speed
// dynprm   electrical time constant, current rate, thermal R and C, ambient temperature, bristle stiffness and damping,
//          slew rate, integral bound
#include <cmath>

#include "spec/actuator_kinds.h"

namespace sinew::inline spec {
namespace {

struct Motor {
  double constant = 0;    // K
  double resistance = 0;  // R
};

// Back-EMF constant from the no-load point: V = R B omega0 / K + K omega0 solved for K, or with R = K V / tau0 in it.
double NominalBackEmf(const double* nominal, double resistance, double damping) {
  const double voltage = nominal[0], stall = nominal[1], speed = nominal[2];
  const double ideal = voltage / speed;
  if (damping <= 0) return ideal;
  if (resistance > 0) {
    const double discriminant = voltage * voltage - 4 * resistance * damping * speed * speed;
    return discriminant > 0 ? (voltage + std::sqrt(discriminant)) / (2 * speed) : ideal;
  }
  if (stall <= 0) return ideal;
  const double constant = ideal - voltage * damping / stall;
  return constant > 0 ? constant : ideal;
}

Motor Identify(const double* motorconst, double resistance, const double* nominal, double damping) {
  double torque = motorconst ? motorconst[0] : 0;
  double emf = motorconst ? motorconst[1] : 0;
  const bool has_nominal = nominal && nominal[0] > 0 && nominal[2] > 0;
  if (emf <= 0 && has_nominal) emf = NominalBackEmf(nominal, resistance, damping);
  Motor motor;
  motor.constant = torque > 0 && emf > 0 ? std::sqrt(torque * emf) : std::fmax(torque, emf);
  motor.resistance = resistance;
  if (resistance <= 0 && nominal && nominal[1] > 0) motor.resistance = motor.constant * nominal[0] / nominal[1];
  return motor;
}

// Thermal resistance and capacity; of them and their product, the time constant, one may be missing.
const char* SetThermal(mjsActuator* actuator, const double* thermal) {
  double resistance = thermal[0], capacity = thermal[1];
  const double timeconst = thermal[2];
  if (resistance == 0 && capacity == 0 && timeconst == 0) return "";
  if (resistance == 0 && capacity > 0) resistance = timeconst / capacity;
  if (capacity == 0 && resistance > 0) capacity = timeconst / resistance;
  if (resistance <= 0) return "DC motor: thermal resistance must be positive";
  if (capacity <= 0) return "DC motor: thermal capacitance must be positive";
  actuator->dynprm[2] = resistance;
  actuator->dynprm[3] = capacity;
  actuator->gainprm[2] = thermal[3];
  actuator->gainprm[3] = thermal[4];
  actuator->dynprm[4] = thermal[5];
  return "";
}

void SetSaturation(mjsActuator* actuator, const double* saturation, double constant) {
  const double torque = saturation[0] > 0 ? saturation[0] : constant * std::fmax(saturation[1], 0);
  if (torque > 0) {
    actuator->forcerange[0] = -torque;
    actuator->forcerange[1] = torque;
    actuator->forcelimited = mjLIMITED_TRUE;
  }
  if (saturation[2] > 0) actuator->dynprm[1] = saturation[2];
}

void SetController(mjsActuator* actuator, const double* controller) {
  for (int i = 0; i < 3; ++i) actuator->gainprm[4 + i] = controller[i];
  actuator->dynprm[7] = controller[3];
  actuator->dynprm[8] = controller[4];
  if (controller[5] > 0) actuator->gainprm[7] = controller[5];
}

void SetFriction(mjsActuator* actuator, const double* lugre) {
  if (lugre[0] <= 0) return;
  actuator->dynprm[5] = lugre[0];
  actuator->dynprm[6] = lugre[1];
  for (int i = 0; i < 3; ++i) actuator->biasprm[3 + i] = lugre[2 + i];
}

}  // namespace

// Slew-limited input, integral, temperature, bristle, current.
int MotorActivationCount(const mjsActuator& actuator) {
  const double* dyn = actuator.dynprm;
  return (dyn[7] > 0) + (actuator.gainprm[5] > 0) + (dyn[2] > 0) + (dyn[5] > 0) + (dyn[0] > 0);
}

const char* SetToDCMotor(mjsActuator* actuator, const double* motorconst, double resistance, const double* nominal,
                         const double* saturation, const double* inductance, const double* cogging,
                         const double* controller, const double* thermal, const double* lugre, int input_mode) {
  const Motor motor = Identify(motorconst, resistance, nominal, actuator->damping[0]);
  if (motor.constant <= 0) return "DC motor: motor constant K must be positive";
  if (motor.resistance <= 0) return "DC motor: resistance R must be positive";
  if (inductance && (inductance[0] < 0 || inductance[1] < 0)) return "DC motor: inductance must be non-negative";

  EndMusculotendon(actuator);
  // An actuator that was of another kind brings a general actuator's initial value, which means nothing here.
  if (actuator->dyntype != mjDYN_DCMOTOR && actuator->dynprm[0] == 1) actuator->dynprm[0] = 0;
  actuator->dyntype = mjDYN_DCMOTOR;
  actuator->gaintype = mjGAIN_DCMOTOR;
  actuator->biastype = mjBIAS_DCMOTOR;
  actuator->gainprm[0] = motor.resistance;
  actuator->gainprm[1] = motor.constant;
  actuator->gainprm[8] = input_mode;
  if (inductance) actuator->dynprm[0] = inductance[0] > 0 ? inductance[0] / motor.resistance : inductance[1];
  if (saturation) SetSaturation(actuator, saturation, motor.constant);
  for (int i = 0; cogging && i < 3; ++i) actuator->biasprm[i] = cogging[i];
  if (controller) SetController(actuator, controller);
  if (lugre) SetFriction(actuator, lugre);
  if (thermal) {
    const char* error = SetThermal(actuator, thermal);
    if (*error) return error;
  }
  actuator->actdim = MotorActivationCount(*actuator);
  actuator->actearly = 1;
  actuator->actlimited = mjLIMITED_FALSE;
  return "";
}

}  // namespace sinew::inline spec
