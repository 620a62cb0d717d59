// Muscles with tendons as actuators: musculotendon_kernel.h for the fields of a model and a world.
//
//   in:  act, actuator_length, actuator_velocity, actuator_moment          out: act, act_dot, actuator_force
//
// The activations are (n, a), or a alone where the tendon is rigid. Fixed steps move n implicitly, once positions have
// moved; Runge-Kutta methods integrate its rate.
#ifndef SINEW_FORCE_FIBER_KERNEL_H_
#define SINEW_FORCE_FIBER_KERNEL_H_

#include <type_traits>

#include "force/muscle_curves.h"
#include "force/muscle_kernel.h"
#include "force/musculotendon_kernel.h"
#include "model/kinds/integrator.h"
#include "model/state/awake_kernel.h"
#include "model/storage/extension.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/four.h"

namespace sinew::inline force {

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
                       : prm[kCurves] == static_cast<int>(CurveSet::kThelen)   ? CurveSet::kThelen
                       : prm[kCurves] == static_cast<int>(CurveSet::kGeyer)    ? CurveSet::kGeyer
                                                                               : CurveSet::kMillard;
  return PublishedCurves(set, prm[kFiberDamping] >= kMinFiberDamping);
}

// By how much a muscle at rest is slower than at full activation.
inline mjtNum SlowingOf(const mjModel* m, int actuator) {
  const mjtNum set = m->actuator_gainprm[mjNGAIN * actuator + kCurves];
  return set == static_cast<int>(CurveSet::kThelen) ? kThelenSlowing : 0;
}

[[gnu::always_inline]] inline bool HasCurves(const mjModel* m, int actuator, CurveSet set) {
  return m->actuator_gainprm[mjNGAIN * actuator + kCurves] == static_cast<int>(set);
}

template <class S>
Musculotendon<S> MakeMusculotendon(const ModelView<S>& m, int i) {
  const auto prm = m.actuator_gainprm(i);
  return {prm[kPeakForce],          prm[kFiberLength],
          prm[kSlackLength],        prm[kPennation],
          prm[kLargestVelocity],    prm[kFiberDamping],
          prm[kStiffnessScale],     m.raw()->actuator_actnum[i] != kElasticStates,
          CurvesOf(m.raw(), i),     S(1) / prm[kSlackLength],
          S(SlowingOf(m.raw(), i)), HasCurves(m.raw(), i, CurveSet::kGeyer)};
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

// ---- elastic muscles side by side

// A world alone takes four of its muscles into the lanes of a pack; in packs of worlds lanes are taken.
template <class S>
inline constexpr int kMusclesAtOnce = std::is_same_v<S, double> ? 4 : 1;
template <class S>
using Muscles = std::conditional_t<std::is_same_v<S, double>, Four, S>;

// Actuators with the same curves. Where there are fewer than lanes, the first one fills up.
template <class S>
struct MuscleGroup {
  int count = 0, actuator[kMusclesAtOnce<S>] = {};
  const double* curves = nullptr;

  // number(actuator) of each
  template <class Number>
  Muscles<S> Gather(Number number) const {
    if constexpr (kMusclesAtOnce<S> == 1) {
      return number(actuator[0]);
    } else {
      return Four(Four::Value{number(actuator[0]), number(actuator[1]), number(actuator[2]), number(actuator[3])});
    }
  }
  template <class Put>
  void Scatter(const Muscles<S>& x, Put put) const {
    if constexpr (kMusclesAtOnce<S> == 1) {
      put(actuator[0], x);
    } else {
      for (int lane = 0; lane < count; ++lane) put(actuator[lane], x[lane]);
    }
  }
};

// Calls act(group) until all elastic muscles for which acts(actuator) holds have been in one.
template <class S, class Acts, class Act>
void ForMuscleGroups(const ModelView<S>& m, Acts acts, Act act) {
  MuscleGroup<S> group;
  const auto finish = [&] {
    if (group.count > 0) act(group);
    group.count = 0;
  };
  for (int i = 0; i < m.nu(); ++i) {
    if (!HasElasticTendon(m.raw(), i) || !acts(i)) continue;
    const double* curves = CurvesOf(m.raw(), i);
    if (group.count == kMusclesAtOnce<S> || curves != group.curves) finish();
    if (group.count == 0) {
      for (int& lane : group.actuator)
        lane = i;  // a function of the standard library would be shared by instruction sets
    }
    group.curves = curves;
    group.actuator[group.count] = i;
    ++group.count;
  }
  finish();
}

template <class S>
Musculotendon<Muscles<S>> GatherMuscles(const ModelView<S>& m, const MuscleGroup<S>& group) {
  const auto parameter = [&](int k) { return group.Gather([&](int i) -> S { return m.actuator_gainprm(i)[k]; }); };
  using P = Muscles<S>;
  const P slack = parameter(kSlackLength);
  const P slowing = group.Gather([&](int i) -> S { return S(SlowingOf(m.raw(), i)); });
  return {parameter(kPeakForce),
          parameter(kFiberLength),
          slack,
          parameter(kPennation),
          parameter(kLargestVelocity),
          parameter(kFiberDamping),
          parameter(kStiffnessScale),
          false,
          group.curves,
          P(1) / slack,
          slowing,
          HasCurves(m.raw(), group.actuator[0], CurveSet::kGeyer)};
}

// n, a and the length of the path of each.
template <class S>
struct FiberStates {
  Muscles<S> n, a, length;
};
template <class S>
FiberStates<S> GatherStates(const ModelView<S>& m, const DataView<S>& d, const MuscleGroup<S>& group) {
  return {group.Gather([&](int i) -> S { return d.act(m.actuator_actadr(i)); }),
          group.Gather([&](int i) -> S { return ActingActivation(m, d, i); }),
          group.Gather([&](int i) -> S { return d.actuator_length(i); })};
}

// How far into the step implicit integrators foretell the force of a tendon: theta h. A step leaves 1 / (1 + theta q)
// of the area of the tendon's vibration in phase space, q = h^2 times the square of its frequency, so that theta is as
// small as stability allows. With stiffnesses K and moments G of all tendons, and W of
// compile/constants/tendon_rates.cc, it is
//
//   h^2 K^1/2 (1 - 2 theta) G W G' K^1/2 <= 4.
//
// kTendonRate is the sum of a row of sizes of K^1/2 G W G' K^1/2, so that 1 - 2 theta = min(1, 1 / q) bounds all
// eigenvalues by 1: room for poses in which bodies are up to four times as light as at qpos0. theta is 0 while the step
// is short, as under Euler, and of second order with it; for large q a half would ring, and theta goes to 1.
template <class S>
S ForetoldTime(const ModelView<S>& m, int i) {
  constexpr double kStiff = 30;  // q from which on theta is nearer to 1 than to a half
  const S h = m.opt_timestep(), q = h * h * m.actuator_biasprm(i)[kTendonRate], square = q * q;
  const S stable = S(0.5) * (S(1) - S(1) / Max(S(1), q));
  return h * (stable + S(0.5) * square / (square + S(kStiff * kStiff)));
}

// Of an actuator's fibre, a step to the path length that the velocities of its end lead to.
template <class S>
S NextFiber(const Musculotendon<S>& muscle, S n, S a, S v, const PathLengths<S>& path, S h) {
  const FittedStep<S> step = FitStep(muscle, n, a, v, path, h);
  return SteppedFiber(muscle, step.base, step.h, SteppedVelocity(muscle, step.base, a, path.after, step.h, step.start));
}

// Rate of the fibre and force of the tendon, pulling negative: act_dot, and actuator_force in the place of the control,
// which has done its work. A fibre length of zero becomes that of equilibrium, at an activation within its bounds.
// Where the force is foretold, the rate is that of the implicit step, so that both belong together.
template <class S>
void FiberMotions(const ModelView<S>& m, const DataView<S>& d, const MuscleGroup<S>& group) {
  using P = Muscles<S>;
  auto [n, a, length] = GatherStates(m, d, group);
  const Musculotendon<P> muscle = AtActivation<P>(GatherMuscles(m, group), a);
  const auto unset = n == P(0);
  if (Any(unset)) {
    n = Select(unset, RestingFiber(muscle, a, length), n);
    group.Scatter(n, [&](int i, const S& x) { d.act(m.actuator_actadr(i)) = x; });
    group.Scatter(a, [&](int i, const S& x) { d.act(m.actuator_actadr(i) + 1) = x; });
  }
  // Implicit integrators take the force of the fibre later in the step, as the velocity foretells it, and its
  // derivative by velocity, so that a stiff tendon does not limit their steps.
  P rate, force;
  if (!IsImplicit(m.raw())) {
    const FiberMotion<P> motion = MotionOfFiber(muscle, n, a, length);
    rate = muscle.vmax * motion.v;
    force = -motion.force;
  } else {
    const P h = group.Gather([&](int i) -> S { return ForetoldTime(m, i); });
    const P end = length + h * group.Gather([&](int i) -> S { return d.actuator_velocity(i); });
    const P start = StepGuess(muscle, n, a, end, h);
    rate = muscle.vmax * SteppedVelocity(muscle, n, a, end, h, start);
    force = -TendonForce(muscle, Max(n, ShortestFiber(muscle)) + h * rate, end);
  }
  group.Scatter(rate, [&](int i, const S& x) { d.act_dot(m.actuator_actadr(i)) = x; });
  group.Scatter(force, [&](int i, const S& x) { d.actuator_force(i) = x; });
}

// Rate of an activation that acts as `acting`, within its bounds; it does not fall below the least one.
template <class S, class Row>
S ExcitationRate(bool is_linear, S control, S act, S acting, const Row& prm) {
  const S rate = is_linear ? HyfydyActivationRate(control, acting, prm) : MuscleActivationRate(control, acting, prm);
  return Select(act <= prm[kLeastActivation], Max(S(0), rate), rate);
}
// Whether the activation follows Hyfydy's law, which is Geyer and Herr's where both time constants are the same.
[[gnu::always_inline]] inline bool HasLinearActivation(const mjModel* m, int actuator) {
  return HasCurves(m, actuator, CurveSet::kHyfydy) || HasCurves(m, actuator, CurveSet::kGeyer);
}

template <class S>
void FiberActivationRate(const ModelView<S>& m, const DataView<S>& d, int i, S control) {
  const int last = m.actuator_actadr(i) + m.actuator_actnum(i) - 1;
  const S acting = ActingActivation(m, d, i);
  d.act_dot(last) =
      ExcitationRate<S>(HasLinearActivation(m.raw(), i), control, d.act(last), acting, m.actuator_dynprm(i));
}

// Force of an actuator: pulling is negative. `found`: that of an elastic tendon, which came with the rate.
template <class S>
S MusculotendonForce(const ModelView<S>& m, const DataView<S>& d, int i, S found) {
  if (m.actuator_actnum(i) == kElasticStates) return found;
  const S length = d.actuator_length(i), velocity = d.actuator_velocity(i);
  const S a = ActingActivation(m, d, i);
  return -FiberOnRigidTendon(AtActivation<S>(MakeMusculotendon(m, i), a), a, length, velocity).force;
}

// The force's derivative by the velocity of the path.
template <class S>
S MusculotendonSlope(const ModelView<S>& m, const DataView<S>& d, int i) {
  const S a = ActingActivation(m, d, i), length = d.actuator_length(i), velocity = d.actuator_velocity(i);
  const Musculotendon<S> muscle = AtActivation<S>(MakeMusculotendon(m, i), a);
  if (muscle.rigid) return -FiberOnRigidTendon(muscle, a, length, velocity).slope;
  if (!IsImplicit(m.raw())) return S(0);
  const int first = m.actuator_actadr(i);
  const S h = ForetoldTime(m, i), v = d.act_dot(first) / muscle.vmax;
  return -h * ForceOfStep(muscle, d.act(first), a, length + h * velocity, h, v).slope;
}

// Activation `adr` after a step.
template <class S>
S NextFiberState(const ModelView<S>& m, int i, int adr, S act, S act_dot) {
  const S change = m.opt_timestep() * act_dot, next = act + change;
  const int last = m.actuator_actadr(i) + m.actuator_actnum(i) - 1;
  if (adr == last) {
    const S least = m.actuator_dynprm(i)[kLeastActivation];
    return Clamp(Clamp(act, least, S(1)) + change, least, S(1));
  }
  return HasFibers(m.raw()) ? act : next;  // implicit steps follow later
}

// Moves all fibres, once velocities are those of the end of the step, to the path lengths that these lead to.
template <class S>
void AdvanceFibers(const ModelView<S>& m, const DataView<S>& d) {
  using P = Muscles<S>;
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return;
  const P h(m.opt_timestep());
  const auto acts = [&](int i) { return !ActuatorDisabled(m, i) && IsAwakeActuator(m, d, i); };
  const auto velocity = [&](int i) -> S {
    S sum(0);
    const int adr = d.moment_rowadr(i);
    for (int k = adr; k < adr + d.moment_rownnz(i); ++k) sum += d.actuator_moment(k) * d.qvel(d.moment_colind(k));
    return sum;
  };
  ForMuscleGroups(m, acts, [&](const MuscleGroup<S>& group) {
    const auto [n, a, before] = GatherStates(m, d, group);
    const Musculotendon<P> muscle = AtActivation<P>(GatherMuscles(m, group), a);
    const P v = group.Gather([&](int i) -> S { return d.act_dot(m.actuator_actadr(i)); }) / muscle.vmax;
    const P next = NextFiber<P>(muscle, n, a, v, {before, before + h * group.Gather(velocity)}, h);
    group.Scatter(next, [&](int i, const S& x) { d.act(m.actuator_actadr(i)) = x; });
  });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_FIBER_KERNEL_H_
