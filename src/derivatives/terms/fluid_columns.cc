// The wrench W of the medium on a frame depends on the frame's velocity V in the medium alone, both in its axes, with
// B = dW/dV from dual numbers. Moving dof j turns frame and wrench along s_j, and changes V by what is left of the
// change of velocity p_j + s_j x w, where the wind w does not turn with the frame. With the columns J of the frame,
//   dQ_i/dq_j = J_i' B (p_j + s_j x w)  + s_i' (s_j x* W) unless j moves the axis s_i
//   dQ_i/dv_j = J_i' B J_j
// Implicit integrators have J' B U with the velocity U = J b of the frame at speeds b. That is another wrench, B U,
// whose slopes by V are G = d(B U)/dV; and U changes by the p_j of these speeds.
#include "derivatives/terms/fluid_columns.h"

#include <algorithm>
#include <vector>

#include "derivatives/terms/local_wrench.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using Tree = TreeDerivative<double>;
using Frame = ImmersedFrame<double>;
// A wrench in the axes of the frame, and its slopes by the frame's velocity in the medium and by its velocity U.
struct LocalWrench {
  Spatial<double> value;
  WrenchSlopes by_velocity, by_rate;
};

LocalWrench ForceOf(const DualWrench& wrench) { return {ValueOf(wrench), SlopesOf(wrench, false), {}}; }

// The step over which component c of a velocity is varied: a millionth of the length of its part, linear or angular.
double StepOfVelocity(const Spatial<double>& V, int c) {
  constexpr double kShare = 1e-6;
  const double size = Norm(c < 3 ? V.rot : V.lin);
  return size > 0 ? kShare * size : kShare;
}

// B U. Its slopes by V are central differences of B, which is smooth and mostly linear, over a millionth of V: errors
// are of rounding / 1e-6.
template <class WrenchAtVelocity>
LocalWrench StepOf(const WrenchAtVelocity& wrench, const Spatial<double>& V, const Spatial<double>& U, bool symmetric) {
  LocalWrench out;
  out.by_rate = SlopesOf(wrench(V), symmetric);
  out.value = out.by_rate * U;
  for (int c = 0; c < 6; ++c) {
    const double step = StepOfVelocity(V, c);
    Spatial<double> above = V, below = V;
    above[c] += step;
    below[c] -= step;
    const Spatial<double> change = SlopesOf(wrench(above), symmetric) * U - SlopesOf(wrench(below), symmetric) * U;
    for (int r = 0; r < 6; ++r) out.by_velocity.entry[6 * r + c] = change[r] / (2 * step);
  }
  return out;
}

class FluidColumns {
 public:
  // `ahead`: at the speeds that U belongs to, or null. Wrenches are added to the columns with a weight.
  FluidColumns(const Model& m, const Data& d, const Tree& tree, const Tree* ahead, double weight, Columns& out)
      : m_(m),
        d_(d),
        tree_(tree),
        ahead_(ahead),
        weight_(weight),
        out_(out),
        axis_(Size(m.nv())),
        by_q_(Size(m.nv())),
        rate_by_q_(Size(m.nv()), ZeroSpatial<double>()) {}

  bool Moves(const Frame& frame) const { return m_.body_dofnum(m_.body_weldid(frame.body)) > 0; }

  // Returns U of the frame.
  Spatial<double> Rate(const Frame& frame) const { return LocalMotion(m_, d_, frame, ahead_->velocity[frame.body]); }

  void Add(const Frame& frame, const LocalWrench& local) {
    const int mover = m_.body_weldid(frame.body);
    const int last = m_.body_dofadr(mover) + m_.body_dofnum(mover) - 1;
    for (int j = last; j >= 0; j = m_.dof_parentid(j)) {
      const Spatial<double>& s = d_.cdof(j);
      const Spatial<double> wind = {Zero3<double>(), Cross(s.rot, m_.opt_wind())};
      // the axis of a dof becomes a column of J
      axis_[Size(j)] = LocalMotion(m_, d_, frame, s);
      by_q_[Size(j)] = LocalMotion(m_, d_, frame, tree_.p[j] + wind);
      if (ahead_) rate_by_q_[Size(j)] = LocalMotion(m_, d_, frame, ahead_->p[j]);
    }
    const Spatial<double> wrench =
        WrenchAt(m_, d_, frame.R * local.value.lin, frame.R * local.value.rot, frame.p, frame.body);
    for (int i = last; i >= 0; i = m_.dof_parentid(i)) AddRow(i, last, local, wrench);
  }

 private:
  // Adds the forces of dof i.
  void AddRow(int i, int last, const LocalWrench& local, const Spatial<double>& wrench) {
    const Spatial<double>& axis = axis_[Size(i)];
    const Spatial<double> by_velocity = local.by_velocity.TransposedTimes(axis);
    const Spatial<double> by_rate = local.by_rate.TransposedTimes(axis);
    for (int j = last; j >= 0; j = m_.dof_parentid(j)) {
      double by_q = Dot(by_velocity, by_q_[Size(j)]) + Dot(by_rate, rate_by_q_[Size(j)]);
      if (i < FirstOfTurn(m_.raw(), j)) by_q += Dot(d_.cdof(i), CrossForce(d_.cdof(j), wrench));
      out_[j][i] += weight_ * by_q;
      out_[m_.nv() + j][i] += weight_ * Dot(by_velocity, axis_[Size(j)]);
    }
  }

  const Model& m_;
  const Data& d_;
  const Tree& tree_;
  const Tree* ahead_;
  double weight_;
  Columns& out_;
  std::vector<Spatial<double>> axis_, by_q_, rate_by_q_;  // of dofs, in the frame
};

// Calls use(frame, wrench) for each frame that dofs move; wrench(V) is that of the medium at a velocity, with slopes.
template <class Use>
void ForEachMovingFrame(const Model& m, const Data& d, const FluidColumns& columns, const Use& use) {
  const Medium<double> medium = SurroundingMedium(m);
  ForEachImmersed(
      m, d,
      [&](const Frame& frame, const Vec3<double>& side) {
        if (!columns.Moves(frame)) return;
        use(frame, [&](const Spatial<double>& V) { return BoxFluidWrench(medium, side, VelocityVariables(V)); });
      },
      [&](const Frame& frame, const FluidEllipsoid<double>& shape) {
        if (!columns.Moves(frame)) return;
        use(frame, [&](const Spatial<double>& V) { return EllipsoidFluidWrench(medium, shape, VelocityVariables(V)); });
      });
}

}  // namespace

// Forces have the sign of the residual, which has them on its left side.
SINEW_DISPATCH void AddFluidColumns(const mjModel* model, mjData* data, const TreeDerivative<double>& tree,
                                    Columns& force) {
  const Model m(model);
  const Data d(data);
  FluidColumns columns(m, d, tree, nullptr, -1, force);
  ForEachMovingFrame(m, d, columns, [&](const Frame& frame, const auto& wrench) {
    columns.Add(frame, ForceOf(wrench(RelativeVelocity(m, d, frame))));
  });
}

// X = M - h Q_v, so that M a - X b has h Q_v b.
SINEW_DISPATCH void AddFluidOfStep(const mjModel* model, mjData* data, const TreeDerivative<double>& tree,
                                   const TreeDerivative<double>& ahead, Columns& step) {
  const Model m(model);
  const Data d(data);
  const bool symmetric = model->opt.integrator == mjINT_IMPLICITFAST;
  FluidColumns columns(m, d, tree, &ahead, m.opt_timestep(), step);
  ForEachMovingFrame(m, d, columns, [&](const Frame& frame, const auto& wrench) {
    columns.Add(frame, StepOf(wrench, RelativeVelocity(m, d, frame), columns.Rate(frame), symmetric));
  });
}

}  // namespace sinew::inline derivatives
