#include "force/actuation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/stack.h"
#include "force/actuation_kernel.h"
#include "force/reflex.h"
#include "model/kinds/integrator.h"
#include "simd/functions.h"

namespace sinew::inline force {

namespace {

SINEW_DISPATCH void ActuationOfControls(const mjModel* m, mjData* d) {
  Actuation<double>(ModelView<double>(m), DataView<double>(d));
}

// Controls with what reflexes add, for as long as this lives; programs find them as they were.
class ReflexControls {
 public:
  ReflexControls(const mjModel* m, mjData* d, const Reflexes& reflexes)
      : d_(d), nu_(static_cast<int>(m->nu)), frame_(d), before_(frame_.Doubles(nu_)) {
    double* sums = frame_.Doubles(nu_);
    for (int i = 0; i < nu_; ++i) sums[i] = d->ctrl[i] + ReflexControl(m, d, reflexes, i);
    std::copy_n(d->ctrl, nu_, before_);
    std::copy_n(sums, nu_, d->ctrl);
  }
  ReflexControls(const ReflexControls&) = delete;
  ~ReflexControls() { std::copy_n(before_, nu_, d_->ctrl); }

 private:
  mjData* d_;
  int nu_;
  StackFrame frame_;
  double* before_;
};

}  // namespace

void Actuation(const mjModel* m, mjData* d) {
  const Reflexes reflexes(m);
  if (!reflexes) return ActuationOfControls(m, d);
  const ReflexControls controls(m, d, reflexes);
  ActuationOfControls(m, d);
}

double NextActivation(const mjModel* m, const mjData* d, int actuator, int act_adr, double act_dot) {
  // the view gives access for writing, which this kernel does not use
  const DataView<double> view(const_cast<mjData*>(d));
  return NextActivation<double>(ModelView<double>(m), view, actuator, act_adr, act_dot);
}

FiberReading ReadFiber(const mjModel* m, const mjData* d, int i) {
  const ModelView<double> model(m);
  const DataView<double> data(const_cast<mjData*>(d));
  const double a = ActingActivation(model, data, i), length = d->actuator_length[i];
  const auto muscle = AtActivation(MakeMusculotendon(model, i), a);
  if (muscle.rigid) {
    const auto fiber = FiberOnRigidTendon(muscle, a, length, d->actuator_velocity[i]);
    return ReadingAt<double>(muscle, {fiber.n, fiber.v, fiber.n, a, length});
  }
  const int first = m->actuator_actadr[i];
  const double n = std::max(d->act[first], ShortestFiber(muscle)), rate = d->act_dot[first];
  const double end = n + ForetoldTime(model, i) * rate,
               acting = IsImplicit(m) ? std::max(end, ShortestFiber(muscle)) : n;
  return ReadingAt<double>(muscle, {n, rate / muscle.vmax, acting, a, length});
}

ElasticEnergy MuscleEnergy(const mjModel* m, const mjData* d, int i) {
  const ModelView<double> model(m);
  const DataView<double> data(const_cast<mjData*>(d));
  if ((m->opt.disableflags & mjDSBL_ACTUATION) || ActuatorDisabled(model, i)) return {0, 0};
  const auto muscle = MakeMusculotendon(model, i);
  const double a = ActingActivation(model, data, i), length = d->actuator_length[i];
  const double scale = muscle.F0 * muscle.stiffness;
  const auto of_fiber = [&](double n) {
    return scale * muscle.l0 * IntegrateCurve(muscle.curves + kPassiveLength * kCurveNumbers, 1, n);
  };
  if (muscle.rigid) return {0, of_fiber(FiberOnRigidTendon(muscle, a, length, 0.0).n)};
  const double set = d->act[m->actuator_actadr[i]];
  const double n = set == 0 ? RestingFiber(muscle, a, length) : std::max(set, ShortestFiber(muscle));
  const double stretch = TendonStretch(muscle, GeometryOf(muscle, n).p, length);
  return {scale * muscle.ls * IntegrateCurve(muscle.curves + kTendonForce * kCurveNumbers, 1, stretch), of_fiber(n)};
}

double RestingTendonForce(const mjModel* m, int i, double act, double length) {
  const auto muscle = MakeMusculotendon(ModelView<double>(m), i);
  if (muscle.rigid) return FiberOnRigidTendon(muscle, act, length, 0.0).force;
  return TendonForce(muscle, RestingFiber(muscle, act, length), length);
}

namespace {

constexpr double kStraight = 1.1;  // slack lengths at which a tendon has left its toe

}  // namespace

double TendonStiffness(const mjModel* m, int i) {
  const auto muscle = MakeMusculotendon(ModelView<double>(m), i);
  return muscle.F0 * muscle.stiffness * Evaluate(muscle, kTendonForce, kStraight).slope / muscle.ls;
}

double LargestFiberStep(const mjModel* m, int i) {
  constexpr double kStableInterval = 2.785;  // of the method on the negative real axis
  const auto muscle = MakeMusculotendon(ModelView<double>(m), i);
  if (muscle.rigid) return std::numeric_limits<double>::infinity();
  const double tendon = Evaluate(muscle, kTendonForce, kStraight).slope;
  const double cosine2 = 1 - muscle.w * muscle.w, damping = std::max(muscle.damping, kMinFiberDamping);
  return kStableInterval * cosine2 * damping / (muscle.stiffness * tendon * muscle.vmax * muscle.l0 / muscle.ls);
}

}  // namespace sinew::inline force
