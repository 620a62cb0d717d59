// Muscles with tendons as actuators: musculotendon_kernel.h for the fields of a model and a world.
//
//   in:  act, actuator_length, actuator_velocity, actuator_moment          out: act, act_dot, force
//
// The activations are (n, a), or a alone where the tendon is rigid. Fixed steps move n implicitly, once positions have
// moved; Runge-Kutta methods integrate its rate.
#ifndef SINEW_FORCE_FIBER_KERNEL_H_
#define SINEW_FORCE_FIBER_KERNEL_H_

#include "force/muscle_curves.h"
#include "force/muscle_kernel.h"
#include "force/musculotendon_kernel.h"
#include "model/awake_kernel.h"
#include "model/data_view.h"
#include "model/extension.h"
#include "model/model_view.h"

namespace sinew {

inline namespace SINEW_ISA {

// The curves of an actuator: its own, if the model holds them where its parameters say, or the published ones.
inline const double* CurvesOf(const mjModel* m, int actuator) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * actuator;
  const mjtNum own = prm[kOwnCurves];
  if (own >= 1 && own + (kCurveSetNumbers - 1) <= static_cast<mjtNum>(m->nnumericdata)) {
    return m->numeric_data + static_cast<int>(own) - 1;
  }
  const CurveSet set = prm[kCurves] == static_cast<int>(CurveSet::kHyfydy)     ? CurveSet::kHyfydy
                       : prm[kCurves] == static_cast<int>(CurveSet::kDeGroote) ? CurveSet::kDeGroote
                                                                               : CurveSet::kMillard;
  return PublishedCurves(set, prm[kFiberDamping] >= kMinFiberDamping);
}

// Whether the force is that of the fibre at the end of the step, as the velocity foretells it. Implicit integrators
// take it, and its derivative by velocity, so that a stiff tendon does not limit their steps.
inline bool ForetellsForce(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

template <class S>
Musculotendon<S> MakeMusculotendon(const ModelView<S>& m, int i) {
  const auto prm = m.actuator_gainprm(i);
  Musculotendon<S> muscle;
  muscle.F0 = prm[kPeakForce];
  muscle.l0 = prm[kFiberLength];
  muscle.ls = prm[kSlackLength];
  muscle.w = prm[kPennation];
  muscle.vmax = prm[kLargestVelocity];
  muscle.damping = prm[kFiberDamping];
  muscle.stiffness = prm[kStiffnessScale];
  muscle.rigid = m.raw()->actuator_actnum[i] != kElasticStates;
  muscle.curves = CurvesOf(m.raw(), i);
  muscle.inverse_ls = S(1) / muscle.ls;
  return muscle;
}

// Whether the model disables the actuator's group. Only groups 0 to 30 can be disabled.
template <class S>
bool ActuatorDisabled(const ModelView<S>& m, int actuator) {
  if (m.opt_disableactuator() == 0) return false;
  const int group = m.actuator_group(actuator);
  return group >= 0 && group <= 30 && (m.opt_disableactuator() & (1 << group)) != 0;
}

// Activation as it acts, between the least one and 1.
template <class S>
S ActingActivation(const ModelView<S>& m, const DataView<S>& d, int i) {
  const int last = m.actuator_actadr(i) + m.actuator_actnum(i) - 1;
  return Clamp(d.act(last), m.actuator_dynprm(i)[kLeastActivation], S(1));
}

// act_dot. A fibre length of zero becomes that of equilibrium. Where the force is foretold, the rate of the fibre is
// that of its implicit step, so that both belong together.
template <class S>
void FiberRates(const ModelView<S>& m, const DataView<S>& d, int i, S control) {
  const int first = m.actuator_actadr(i), last = first + m.actuator_actnum(i) - 1;
  const auto prm = m.actuator_dynprm(i);
  const bool hyfydy = m.raw()->actuator_gainprm[mjNGAIN * i + kCurves] == static_cast<int>(CurveSet::kHyfydy);
  d.act_dot(last) =
      hyfydy ? HyfydyActivationRate(control, d.act(last), prm) : MuscleActivationRate(control, d.act(last), prm);
  if (last == first) return;
  const Musculotendon<S> muscle = MakeMusculotendon(m, i);
  const S a = ActingActivation(m, d, i), length = d.actuator_length(i);
  const auto unset = d.act(first) == S(0);
  if (Any(unset)) d.act(first) = Select(unset, RestingFiber(muscle, a, length), d.act(first));
  if (!ForetellsForce(m.raw())) {
    d.act_dot(first) = muscle.vmax * FiberVelocity(muscle, d.act(first), a, length);
    return;
  }
  const S h = m.opt_timestep(), end = length + h * d.actuator_velocity(i);
  const S start = StepGuess(muscle, d.act(first), a, end, h);
  d.act_dot(first) = muscle.vmax * SteppedVelocity(muscle, d.act(first), a, end, h, start);
}

// Force of an actuator: pulling is negative.
template <class S>
S MusculotendonForce(const ModelView<S>& m, const DataView<S>& d, int i) {
  const Musculotendon<S> muscle = MakeMusculotendon(m, i);
  const S length = d.actuator_length(i), velocity = d.actuator_velocity(i);
  if (muscle.rigid) return -FiberOnRigidTendon(muscle, ActingActivation(m, d, i), length, velocity).force;
  const int first = m.actuator_actadr(i);
  if (!ForetellsForce(m.raw())) return -TendonForce(muscle, d.act(first), length);
  const S h = m.opt_timestep(), from = Max(d.act(first), ShortestFiber(muscle));
  return -TendonForce(muscle, from + h * d.act_dot(first), length + h * velocity);
}

// The force's derivative by the velocity of the path.
template <class S>
S MusculotendonSlope(const ModelView<S>& m, const DataView<S>& d, int i) {
  const Musculotendon<S> muscle = MakeMusculotendon(m, i);
  const S a = ActingActivation(m, d, i), length = d.actuator_length(i), velocity = d.actuator_velocity(i);
  if (muscle.rigid) return -FiberOnRigidTendon(muscle, a, length, velocity).slope;
  if (!ForetellsForce(m.raw())) return S(0);
  const int first = m.actuator_actadr(i);
  const S h = m.opt_timestep(), v = d.act_dot(first) / muscle.vmax;
  return -h * ForceOfStep(muscle, d.act(first), a, length + h * velocity, h, v).slope;
}

// Activation `adr` after a step.
template <class S>
S NextFiberState(const ModelView<S>& m, int i, int adr, S act, S act_dot) {
  const S next = act + m.opt_timestep() * act_dot;
  const int last = m.actuator_actadr(i) + m.actuator_actnum(i) - 1;
  if (adr == last) return Clamp(next, m.actuator_dynprm(i)[kLeastActivation], S(1));
  return HasFibers(m.raw()) ? act : next;  // implicit steps follow later
}

// Moves all fibres, once velocities are those of the end of the step, to the path lengths that these lead to.
template <class S>
void AdvanceFibers(const ModelView<S>& m, const DataView<S>& d) {
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return;
  const S h = m.opt_timestep();
  const bool foretold = ForetellsForce(m.raw());
  for (int i = 0; i < m.nu(); ++i) {
    const bool elastic = IsMusculotendon(m.raw(), i) && m.actuator_actnum(i) == kElasticStates;
    if (!elastic || ActuatorDisabled(m, i) || !IsAwakeActuator(m, d, i)) continue;
    S velocity(0);
    const int adr = d.moment_rowadr(i);
    for (int k = adr; k < adr + d.moment_rownnz(i); ++k) velocity += d.actuator_moment(k) * d.qvel(d.moment_colind(k));
    const S length = d.actuator_length(i) + h * velocity;
    const Musculotendon<S> muscle = MakeMusculotendon(m, i);
    const int first = m.actuator_actadr(i);
    const S n = d.act(first), a = ActingActivation(m, d, i);
    const S start = foretold ? d.act_dot(first) / muscle.vmax : StepGuess(muscle, n, a, length, h);
    d.act(first) = SteppedFiber(muscle, n, h, SteppedVelocity(muscle, n, a, length, h, start));
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_FORCE_FIBER_KERNEL_H_
