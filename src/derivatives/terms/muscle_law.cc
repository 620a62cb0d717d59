#include "derivatives/terms/muscle_law.h"

#include <string>

#include "core/error.h"
#include "derivatives/base/dual_order.h"
#include "derivatives/base/names.h"
#include "force/actuation_kernel.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using D = StateNumber;

// A muscle, and its state as variables.
struct FiberVariables {
  Musculotendon<double> plain;
  Musculotendon<D> dual, unslowed;  // at its activation; before it is known
  D n, a, length;                   // n: of an elastic one
  double least;                     // activation

  FiberVariables(const Model& m, const Data& d, int i) : plain(MakeMusculotendon(m, i)) {
    const Musculotendon<double>& p = plain;
    unslowed = {D(p.F0),        D(p.l0), D(p.ls),  D(p.w),          D(p.vmax),    D(p.damping),
                D(p.stiffness), p.rigid, p.curves, D(p.inverse_ls), D(p.slowing), p.scales_passive};
    const int first = m.actuator_actadr(i), last = m.actuator_actnum(i) - 1;
    n = p.rigid ? D(0) : D::Variable(d.act(first), kByState);
    a = D::Variable(d.act(first + last), kByState + last);
    length = D::Variable(d.actuator_length(i), kByLength);
    least = m.actuator_dynprm(i)[kLeastActivation];
    dual = AtActivation(unslowed, acting());
    plain = AtActivation(plain, acting().value);
  }
  D acting() const { return Clamp(a, D(least), D(1)); }
};

// The root of a residual near v, where it has this value and slope.
D RootAt(const Model& m, int i, double v, const D& residual, double slope) {
  if (!(slope > 0)) {
    throw Error("the fibre of " + NameOf(m.raw(), mjOBJ_ACTUATOR, i) + " has no certain velocity: no derivatives",
                "give it damping (fiberdamping), or an activation above zero");
  }
  return D(v) - residual * D(1 / slope);
}

// Of the differential equation. Of a fibre at its shortest that does not lengthen, nothing changes it.
D VelocityOfFiber(const Model& m, const Data& d, int i, const FiberVariables& muscle) {
  const double v = d.act_dot(m.actuator_actadr(i)) / muscle.plain.vmax, shortest = ShortestFiber(muscle.plain);
  if (muscle.n.value < shortest || (muscle.n.value <= shortest && v <= 0)) return D(0);
  const FiberLoad<D> load = LoadOf(muscle.dual, muscle.n, muscle.acting(), muscle.length);
  const CurvePoint<D> fV = Evaluate(muscle.dual, kForceVelocity, D(v));
  const D residual = load.active * fV.value + muscle.dual.damping * D(v) - load.pull;
  return RootAt(m, i, v, residual, load.active.value * fV.slope.value + muscle.plain.damping);
}

// Of an implicit step, near the velocity v that solves it. The length is that at the end.
struct StepOfFiber {
  D n, a, length, h;
};
D VelocityOfStep(const Model& m, int i, const Musculotendon<D>& muscle, const StepOfFiber& step, double v) {
  const D shortest = ShortestFiber(muscle), first = Max(step.n, shortest);
  const FiberEnd<D> end = EndOfStep(muscle, first, shortest, step.a, step.length, step.h, D(v));
  return RootAt(m, i, v, end.residual, end.residual_slope.value);
}

// Of an elastic muscle as the world has it: of the differential equation, or the mean one until the foretold time.
D VelocityNow(const Model& m, const Data& d, int i, const FiberVariables& muscle) {
  if (!IsImplicit(m.raw())) return VelocityOfFiber(m, d, i, muscle);
  const D velocity = D::Variable(d.actuator_velocity(i), kByVelocity), h(ForetoldTime(m, i));
  const double root = d.act_dot(m.actuator_actadr(i)) / muscle.plain.vmax;
  return VelocityOfStep(m, i, muscle.dual, {muscle.n, muscle.acting(), muscle.length + h * velocity, h}, root);
}

// Returns the rate of the activation.
D RateOfExcitation(const Model& m, const Data& d, int i, const FiberVariables& muscle) {
  D parameters[mjNDYN];
  for (int k = 0; k <= kLeastActivation; ++k) parameters[k] = D(m.actuator_dynprm(i)[k]);
  const double acting = LimitedControl(m, d, i);
  const D control = ControlActs(m, d, i) ? D::Variable(acting, kByControl) : D(acting);
  return ExcitationRate(HasLinearActivation(m.raw(), i), control, muscle.a, muscle.acting(), parameters);
}

// The model's range, if it has one, holds fibre lengths and activations alike.
D InRange(const Model& m, int i, const D& x) {
  if (!m.actuator_actlimited(i)) return x;
  return Clamp(x, D(m.actuator_actrange(i)[0]), D(m.actuator_actrange(i)[1]));
}

// The activation after a step; at its least one it stays there as long as it would fall.
D NextExcitation(const Model& m, const Data& d, int i, const FiberVariables& muscle) {
  if (ActuatorDisabled(m, i)) return muscle.acting();
  const D rate = RateOfExcitation(m, d, i, muscle);
  if (muscle.a.value <= muscle.least && rate.value <= 0) return D(muscle.least);
  return Clamp(muscle.acting() + D(m.opt_timestep()) * rate, D(muscle.least), D(1));
}

}  // namespace

FiberForce ForceOfFiber(const Model& m, const Data& d, int i) {
  const FiberVariables muscle(m, d, i);
  const D velocity = D::Variable(d.actuator_velocity(i), kByVelocity), a = muscle.acting();
  if (muscle.plain.rigid) {
    const RigidFiber<D> fiber = FiberOnRigidTendon(muscle.dual, a, muscle.length, velocity);
    return {-fiber.force, -fiber.slope};
  }
  if (!IsImplicit(m.raw())) return {-TendonForce(muscle.dual, muscle.n, muscle.length), D(0)};
  const D h(ForetoldTime(m, i)), end = muscle.length + h * velocity, v = VelocityNow(m, d, i, muscle);
  const D n = Max(muscle.n, ShortestFiber(muscle.dual)) + h * muscle.dual.vmax * v;
  return {-TendonForce(muscle.dual, n, end), -h * ForceOfStep(muscle.dual, muscle.n, a, end, h, v).slope};
}

FiberChanges RatesOfFiber(const Model& m, const Data& d, int i) {
  FiberChanges rates = {};
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return rates;
  const FiberVariables muscle(m, d, i);
  rates.state[m.actuator_actnum(i) - 1] = RateOfExcitation(m, d, i, muscle);
  if (!muscle.plain.rigid) rates.state[0] = muscle.dual.vmax * VelocityOfFiber(m, d, i, muscle);
  return rates;
}

FiberChanges EndsOfFiber(const Model& m, const Data& d, int i, double end_velocity) {
  const FiberVariables muscle(m, d, i);
  if (m.opt_disableflags() & mjDSBL_ACTUATION) {
    return muscle.plain.rigid ? FiberChanges{{muscle.a}} : FiberChanges{{muscle.n, muscle.a}};
  }
  const D a = InRange(m, i, NextExcitation(m, d, i, muscle));
  if (muscle.plain.rigid) return {{a}};
  const D n = InRange(m, i, muscle.n), acting = Clamp(a, D(muscle.least), D(1));
  if (ActuatorDisabled(m, i)) return {{n, a}};
  const D h(m.opt_timestep()), end = muscle.length + h * D::Variable(end_velocity, kByEnd);
  // the step is that of the new activation, in whose velocities the one at the start is given
  const Musculotendon<D> later = AtActivation(muscle.unslowed, acting);
  const D start = VelocityNow(m, d, i, muscle) * (muscle.dual.vmax / later.vmax);
  const FittedStep<D> step = FitStep(later, n, acting, start, {muscle.length, end}, h);
  Musculotendon<double> plain = muscle.plain;
  plain.vmax = later.vmax.value;
  const double v = SteppedVelocity(plain, step.base.value, acting.value, end.value, step.h.value, step.start.value);
  const D dual_v = VelocityOfStep(m, i, later, {step.base, acting, end, step.h}, v);
  return {{SteppedFiber(later, step.base, step.h, dual_v), a}};
}

// As ReadFiber (force/actuation.h). Without actuation, rates are what they were.
FiberReadingOf<D> ReadingOfFiber(const Model& m, const Data& d, int i) {
  const FiberVariables muscle(m, d, i);
  const D a = muscle.acting();
  if (muscle.plain.rigid) {
    const D velocity = D::Variable(d.actuator_velocity(i), kByVelocity);
    const RigidFiber<D> fiber = FiberOnRigidTendon(muscle.dual, a, muscle.length, velocity);
    return ReadingAt<D>(muscle.dual, {fiber.n, fiber.v, fiber.n, a, muscle.length});
  }
  const D shortest = ShortestFiber(muscle.dual), n = Max(muscle.n, shortest), h(ForetoldTime(m, i));
  const bool acts = !(m.opt_disableflags() & mjDSBL_ACTUATION);
  const D v = acts ? VelocityNow(m, d, i, muscle) : D(d.act_dot(m.actuator_actadr(i)) / muscle.plain.vmax);
  const D acting = IsImplicit(m.raw()) ? Max(n + h * muscle.dual.vmax * v, shortest) : n;
  return ReadingAt<D>(muscle.dual, {n, v, acting, a, muscle.length});
}

void RequireFiberLengths(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nu; ++i) {
    if (!HasElasticTendon(m, i)) continue;
    if (d->act[m->actuator_actadr[i]] != 0) continue;
    throw Error("derivatives of a bad state: the fibre of " + NameOf(m, mjOBJ_ACTUATOR, i) + " has no length yet",
                "call mj_forward first, which puts it at rest");
  }
}

}  // namespace sinew::inline derivatives
