#include "derivatives/terms/difference_parameters.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/error.h"
#include "derivatives/base/motions.h"
#include "derivatives/base/residual.h"
#include "derivatives/terms/local_wrench.h"
#include "inertia/inertia.h"
#include "model/kinds/integrator.h"
#include "step/forward.h"
#include "step/partial_stages.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using Slopes = ResidualDerivative::Slopes;

// A copy of a model that has parameters of its own.
struct ChangedModel {
  mjModel model;
  std::vector<double> mass, inertia, size;

  explicit ChangedModel(const mjModel& m)
      : model(m),
        mass(m.body_mass, m.body_mass + m.nbody),
        inertia(m.body_inertia, m.body_inertia + 3 * m.nbody),
        size(m.geom_size, m.geom_size + 3 * m.ngeom) {
    model.body_mass = mass.data();
    model.body_inertia = inertia.data();
    model.geom_size = size.data();
  }
  ChangedModel(const ChangedModel&) = delete;
  ChangedModel& operator=(const ChangedModel&) = delete;
};

// The slope of value() by x, which is put back.
template <class Value>
double SlopeBy(double& x, const Value& value) {
  const double kept = x, step = 1e-6 * std::abs(x);
  if (step == 0) return 0;
  x = kept + step;
  const double above = value();
  x = kept - step;
  const double below = value();
  x = kept;
  return (above - below) / (2 * step);
}

// The part of the medium in force . r + step . s, body by body: with the motions l and x of a frame that these slopes
// are, and its motion U at speeds b, -l . W + h x . B U (fluid_columns.cc).
class FluidPower {
 public:
  FluidPower(const mjModel* m, mjData* d, const ResidualPoint& at, const Slopes& slopes)
      : d_(d), by_force_(SpreadOverBodies(Model(m), d_, slopes.force.data())) {
    if (!at.HasStep() || !IsImplicit(m)) return;
    symmetric_ = m->opt.integrator == mjINT_IMPLICITFAST;
    by_step_ = SpreadOverBodies(Model(m), d_, slopes.step.data());
    rate_ = SpreadOverBodies(Model(m), d_, at.b);
  }

  double Of(const mjModel& model, int body) const {
    const Model m(&model);
    const Medium<double> medium = SurroundingMedium(m);
    double power = 0;
    const auto add = [&](const ImmersedFrame<double>& frame, const auto& wrench_at) {
      const auto local = [&](const std::vector<Spatial<double>>& motion) {
        return LocalMotion(m, d_, frame, motion[Size(body)]);
      };
      const DualWrench wrench = wrench_at(VelocityVariables(RelativeVelocity(m, d_, frame)));
      power -= Dot(local(by_force_), ValueOf(wrench));
      if (rate_.empty()) return;
      power += m.opt_timestep() * Dot(local(by_step_), SlopesOf(wrench, symmetric_) * local(rate_));
    };
    ForImmersedBody(
        m, d_, body,
        [&](const ImmersedFrame<double>& frame, const Vec3<double>& side) {
          add(frame, [&](const DualWrench& V) { return BoxFluidWrench(medium, side, V); });
        },
        [&](const ImmersedFrame<double>& frame, const FluidEllipsoid<double>& shape) {
          add(frame, [&](const DualWrench& V) { return EllipsoidFluidWrench(medium, shape, V); });
        });
    return power;
  }

 private:
  const Data d_;
  std::vector<Spatial<double>> by_force_, by_step_, rate_;  // motions of bodies
  bool symmetric_ = false;
};

// force . r + step . s of a world whose tendons have moved; contacts stay.
class TendonPower {
 public:
  TendonPower(const mjModel* m, mjData* d, const ResidualPoint& at, const Slopes& slopes)
      : d_(d), slopes_(slopes), a_(at.a, at.a + m->nv), b_(at.b, at.b + m->nv), with_step_(at.HasStep()) {}

  double Of(const mjModel* m) {
    PositionsOfTendons(m, d_);
    FwdVelocity(m, d_);
    StackFrame frame(d_, WhenFull::kReport);
    const ResidualParts residual = MakeResidual(m, frame);
    if (!frame.full()) UpdateForces(m, d_, with_step_, residual);
    if (frame.full() || !EvaluateResidual(m, d_, {a_.data(), b_.data()}, with_step_, residual)) {
      throw Error("the stack is too small for derivatives", "raise memory in <size>");
    }
    double power = 0;
    for (int i = 0; i < m->nv; ++i) {
      power += slopes_.force[Size(i)] * residual.force[i];
      if (with_step_) power += slopes_.step[Size(i)] * residual.step[i];
    }
    return power;
  }

 private:
  mjData* d_;
  const Slopes& slopes_;
  std::vector<double> a_, b_;
  bool with_step_;
};

}  // namespace

void AddFluidParameters(const mjModel* m, mjData* d, const ResidualPoint& at, const Slopes& slopes,
                        const sinewParameterGradients& out) {
  const FluidPower power(m, d, at, slopes);
  ChangedModel changed(*m);
  for (int b = 1; b < m->nbody; ++b) {
    const auto slope = [&](double& x) { return SlopeBy(x, [&] { return power.Of(changed.model, b); }); };
    if (out.body_mass) out.body_mass[b] += slope(changed.mass[Size(b)]);
    for (int k = 3 * b; out.body_inertia && k < 3 * b + 3; ++k) out.body_inertia[k] += slope(changed.inertia[Size(k)]);
    const int first = 3 * m->body_geomadr[b], end = first + 3 * m->body_geomnum[b];
    for (int k = first; out.geom_size && k < end; ++k) out.geom_size[k] += slope(changed.size[Size(k)]);
  }
}

void AddWrapSizes(const mjModel* m, mjData* d, const ResidualPoint& at, const Slopes& slopes, double* geom_size) {
  std::set<int> geoms;
  for (int i = 0; i < m->nwrap; ++i) {
    if (m->wrap_type[i] == mjWRAP_SPHERE || m->wrap_type[i] == mjWRAP_CYLINDER) geoms.insert(m->wrap_objid[i]);
  }
  if (geoms.empty()) return;
  TendonPower power(m, d, at, slopes);
  ChangedModel changed(*m);
  for (const int geom : geoms) {
    for (int k = 3 * geom; k < 3 * geom + 3; ++k) {
      geom_size[k] += SlopeBy(changed.size[Size(k)], [&] { return power.Of(&changed.model); });
    }
  }
}

}  // namespace sinew::inline derivatives
