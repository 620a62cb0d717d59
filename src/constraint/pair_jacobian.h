// Rows on the motion of two bodies: the dofs that move them, and the Jacobian.
//
// Row r is the power of a wrench w1_r on body 1 plus that of w2_r on body 2: its entry for a dof with motion axis s is
// w . s, where w is w1_r, w2_r or their sum, as the dof moves body 1, body 2 or both. Wrenches and motion axes
// (mjData's cdof) are taken about the centre of mass of the body's tree, in world axes. One pass over the dofs gives
// all rows.
#ifndef SINEW_CONSTRAINT_PAIR_JACOBIAN_H_
#define SINEW_CONSTRAINT_PAIR_JACOBIAN_H_

#include <mujoco/mujoco.h>

#include "constraint/row_builder.h"
#include "math/spatial.h"
#include "math/vec3.h"

namespace sinew {

// Which bodies a dof moves: bits.
enum Side : int { kBody1 = 1, kBody2 = 2, kBothBodies = 3 };

struct MovingDofs {
  int count;
  const int* dof;   // ascending
  const int* side;  // Side of each
  int sides;        // all of them, or-ed
};

// The dofs of two bodies. Those of common ancestors cannot change the relative pose of two points that coincide; they
// are kept for constraints whose points do not. `dofs` and `sides` are scratch of nv elements.
MovingDofs DofsOfPair(const mjModel* m, int body1, int body2, bool keep_common, int* dofs, int* sides);

// A force that acts at `arm` from the reference point, and a torque.
inline Spatial<double> ForceAt(const Vec3<double>& arm, const Vec3<double>& force) {
  return {Cross(arm, force), force};
}
inline Spatial<double> Torque(const Vec3<double>& torque) { return {torque, Zero3<double>()}; }

template <int kRows>
class WrenchRows {
 public:
  // Wrench of a row on one body: torque about the centre of the body's tree, force.
  void Set(Side side, int row, const Spatial<double>& wrench) {
    for (int k = 0; k < 6; ++k) w_[side][k][row] = wrench[k];
  }

  // Bodies that no dof moves need no wrenches.
  void Fill(const mjData* d, const MovingDofs& dofs, const RowBlock& rows) {
    for (int k = 0; k < 6 && dofs.sides == kBothBodies; ++k) {
      for (int r = 0; r < kRows; ++r) w_[kBothBodies][k][r] = w_[kBody1][k][r] + w_[kBody2][k][r];
    }
    for (int c = 0; c < dofs.count; ++c) {
      const double* axis = d->cdof + 6 * dofs.dof[c];
      const auto& w = w_[dofs.side[c]];
      double power[kRows];
      for (int r = 0; r < kRows; ++r) power[r] = w[0][r] * axis[0];
      for (int k = 1; k < 6; ++k) {
        for (int r = 0; r < kRows; ++r) power[r] += w[k][r] * axis[k];
      }
      double* column = rows.J + rows.slot[c];
      for (int r = 0; r < kRows; ++r) column[r * rows.stride] = power[r];
    }
  }

 private:
  double w_[4][6][kRows];  // by Side; 0 is unused
};

}  // namespace sinew

#endif  // SINEW_CONSTRAINT_PAIR_JACOBIAN_H_
