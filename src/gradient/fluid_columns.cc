// The wrench W of the medium on a frame depends on the frame's velocity V in the medium alone, both in its axes, with
// B = dW/dV from dual numbers. Moving dof j turns frame and wrench along s_j, and changes V by what is left of the
// change of velocity p_j + s_j x w, where the wind w does not turn with the frame. With the columns J of the frame,
//   dQ_i/dq_j = J_i' B (p_j + s_j x w)  + s_i' (s_j x* W) unless j moves the axis s_i
//   dQ_i/dv_j = J_i' B J_j
#include "gradient/fluid_columns.h"

#include <vector>

#include "derivative/fluid_derivative_kernel.h"

namespace sinew {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using Wrench = Spatial<VelocityDual<double>>;

// A motion about the centre of a tree as one of the frame, in the frame's axes; `offset` leads from that centre to the
// frame. The axis of a dof becomes a column of J.
Spatial<double> LocalMotion(const ImmersedFrame<double>& frame, const Vec3<double>& offset,
                            const Spatial<double>& motion) {
  return {MulTransposed(frame.R, motion.rot), MulTransposed(frame.R, PointVelocity(motion, offset))};
}

class FluidColumns {
 public:
  FluidColumns(const Model& m, const Data& d, const TreeDerivative<double>& tree, Columns& force)
      : m_(m), d_(d), tree_(tree), force_(force), axis_(Size(m.nv())), by_q_(Size(m.nv())) {}

  void Add(const ImmersedFrame<double>& frame, const Wrench& local) {
    const int mover = m_.body_weldid(frame.body);
    if (m_.body_dofnum(mover) == 0) return;
    const int last = m_.body_dofadr(mover) + m_.body_dofnum(mover) - 1;
    const Vec3<double> offset = frame.p - TreeCenter(m_, d_, frame.body);
    for (int j = last; j >= 0; j = m_.dof_parentid(j)) {
      const Spatial<double>& s = d_.cdof(j);
      const Spatial<double> wind = {Zero3<double>(), Cross(s.rot, m_.opt_wind())};
      axis_[Size(j)] = LocalMotion(frame, offset, s);
      by_q_[Size(j)] = LocalMotion(frame, offset, tree_.p[j] + wind);
    }

    Vec3<double> turn, push;
    for (int k = 0; k < 3; ++k) {
      turn[k] = local.rot[k].value;
      push[k] = local.lin[k].value;
    }
    const Spatial<double> wrench = WrenchAt(m_, d_, frame.R * push, frame.R * turn, frame.p, frame.body);
    for (int i = last; i >= 0; i = m_.dof_parentid(i)) AddRow(i, last, local, wrench);
  }

 private:
  // Forces of dof i, with the sign of the balance, which has them on its left side.
  void AddRow(int i, int last, const Wrench& local, const Spatial<double>& wrench) {
    Spatial<double> slope = ZeroSpatial<double>();  // J_i' B
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < 6; ++c) slope[c] += axis_[Size(i)][r] * local[r].slope[c];
    }
    for (int j = last; j >= 0; j = m_.dof_parentid(j)) {
      double by_q = Dot(slope, by_q_[Size(j)]);
      if (i < FirstOfTurn(m_.raw(), j)) by_q += Dot(d_.cdof(i), CrossForce(d_.cdof(j), wrench));
      force_[j][i] -= by_q;
      force_[m_.nv() + j][i] -= Dot(slope, axis_[Size(j)]);
    }
  }

  const Model& m_;
  const Data& d_;
  const TreeDerivative<double>& tree_;
  Columns& force_;
  std::vector<Spatial<double>> axis_, by_q_;  // of dofs, in the frame
};

}  // namespace

SINEW_DISPATCH void AddFluidColumns(const mjModel* model, mjData* data, const TreeDerivative<double>& tree,
                                    Columns& force) {
  const Model m(model);
  const Data d(data);
  const Medium<double> medium = SurroundingMedium(m);
  FluidColumns columns(m, d, tree, force);
  const auto velocity = [&](const ImmersedFrame<double>& frame) {
    return VelocityVariables(RelativeVelocity(m, d, frame));
  };
  ForEachImmersed(
      m, d,
      [&](const ImmersedFrame<double>& frame, const Vec3<double>& side) {
        columns.Add(frame, BoxFluidWrench(medium, side, velocity(frame)));
      },
      [&](const ImmersedFrame<double>& frame, const FluidEllipsoid<double>& shape) {
        columns.Add(frame, EllipsoidFluidWrench(medium, shape, velocity(frame)));
      });
}

}  // namespace sinew
