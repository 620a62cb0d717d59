// The actuator kinds with names of their own: each sets type and parameters of the general actuator. Values that a
// function does not set stay as they are (the values of the default class, for a reader).
//
//     force = gain(length, velocity) * (control or activation) + bias(length, velocity)
//     affine gain and bias: prm[0] + prm[1] * length + prm[2] * velocity
//
// Every function returns an empty text, or what is wrong; then the actuator is unchanged or half set.
#ifndef SINEW_SPEC_ACTUATOR_KINDS_H_
#define SINEW_SPEC_ACTUATOR_KINDS_H_

#include <mujoco/mujoco.h>

#include "spec/elements.h"

namespace sinew::inline spec {

// force = control.
const char* SetToMotor(mjsActuator* actuator);

// force = kp (control - length) - kv velocity. Of kv and dampratio one may be given, null: neither. The compiler turns
// a damping ratio into kv. timeconst > 0 puts an exact filter before the control. inheritrange > 0: the compiler takes
// the control range from the target's own range, scaled.
const char* SetToPosition(mjsActuator* actuator, double kp, const double* kv, const double* dampratio,
                          const double* timeconst, double inheritrange);

// The same with the integral of the control as the setpoint, clamped to actrange.
const char* SetToIntVelocity(mjsActuator* actuator, double kp, const double* kv, const double* dampratio,
                             const double* timeconst, double inheritrange);

// force = kv (control - velocity).
const char* SetToVelocity(mjsActuator* actuator, double kv);

// force = -kv velocity control, for controls that are not negative.
const char* SetToDamper(mjsActuator* actuator, double kv);

// force = area * pressure + bias, the pressure being the filtered control; a diameter that is not negative gives the
// area.
const char* SetToCylinder(mjsActuator* actuator, double timeconst, double bias, double area, double diameter);

// Muscle. Parameters that are negative take what the actuator has, or what is usual when it has nothing but the general
// actuator's defaults.
const char* SetToMuscle(mjsActuator* actuator, const double timeconst[2], double tausmooth, const double range[2],
                        double force, double scale, double lmin, double lmax, double vmax, double fpmax, double fvmax);

// Attraction at contacts: gain at control 1.
const char* SetToAdhesion(mjsActuator* actuator, double gain);

// A direct current motor has these parameters, in their order; any pointer may be null, then its parameters stay.
//   motorconst   torque constant Kt, back-EMF constant Ke
//   nominal      voltage, stall torque, no-load speed
//   saturation   torque, current, current rate
//   inductance   L, or the electrical time constant
//   cogging      amplitude, periodicity, phase
//   controller   kp, ki, kd, slew rate, integral bound, voltage bound
//   thermal      R, C, time constant, coefficient, reference, ambient
//   lugre        stiffness, damping, Coulomb, static, Stribeck speed
const char* SetToDCMotor(mjsActuator* actuator, const double* motorconst, double resistance, const double* nominal,
                         const double* saturation, const double* inductance, const double* cogging,
                         const double* controller, const double* thermal, const double* lugre, int input_mode);

// Muscle with a tendon (docs/how/musculotendon.md). Values of its class stay; parameters of another kind are replaced
// by the usual ones. The pennation is in the angles of the compiler settings.
void BecomeMusculotendon(Actuator* actuator);

// Whether an actuator is one, and nothing has made another kind of it since.
bool IsMusculotendon(const Actuator& actuator);

// Activation variables of one: its tendon may have been made rigid since.
int FiberStateCount(const Actuator& actuator);

// Makes a general actuator with its initial types and parameters of a muscle with a tendon, whose numbers mean nothing
// to other kinds; leaves all others as they are. The functions above begin with it.
void EndMusculotendon(mjsActuator* actuator);

// Activation variables of a direct current motor: one for each state that its parameters call for.
int MotorActivationCount(const mjsActuator& actuator);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_ACTUATOR_KINDS_H_
