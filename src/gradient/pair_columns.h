// Constraints on the relative motion of two bodies: how their wrenches on the bodies change with positions and
// velocities, as derivatives of the balance.
//
// About a fixed point of the world, with the axes s_i of the dofs and the wrenches W_1, W_2 on the bodies, dof i feels
// the forces s_i' W_b of the bodies b that it moves. These change with q_j by
//   s_i' dW_b/dq_j + (s_j x s_i)' W_b     the second where j moves the axis s_i
#ifndef SINEW_GRADIENT_PAIR_COLUMNS_H_
#define SINEW_GRADIENT_PAIR_COLUMNS_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "derivative/inverse_dynamics_kernel.h"
#include "gradient/columns.h"

namespace sinew {

// A dof that moves one of the bodies, or both. Motions are about the point.
struct PairDof {
  int dof, side;         // side: bits, body 1 and body 2 (constraint/pair_jacobian.h)
  Spatial<double> s;     // axis
  Spatial<double> p, m;  // velocity, and the part of the acceleration that comes from a, in front, x s
  Spatial<double> q, w;  // of a TreeDerivative at rest in gravity's absence: see inverse_dynamics_kernel.h
  bool Moves(int body) const { return (side & (1 << body)) != 0; }
};

// Motions that all pairs need: of the accelerations alone, and with velocities.
class PairMotions {
 public:
  PairMotions(const mjModel* m, mjData* d, const double* a);

  const TreeDerivative<double>& accelerating() const { return still_; }
  const TreeDerivative<double>& moving() const { return moving_; }

 private:
  std::vector<Spatial<double>> spatial_;
  std::vector<TurnOperator<double>> turn_;
  TreeDerivative<double> still_, moving_;
};

// Wrenches on the two bodies.
struct PairWrench {
  Spatial<double> on[2];
};

class PairColumns {
 public:
  PairColumns(const mjModel* m, mjData* d, const PairMotions& motions) : m_(m), d_(d), motions_(motions) {}

  // The dofs of two bodies, about a point.
  void Begin(int body1, int body2, const Vec3<double>& point);

  const std::vector<PairDof>& dofs() const { return dofs_; }
  // About the point: velocity, acceleration that comes from a, and all of the acceleration but gravity.
  Spatial<double> Velocity(int side) const { return AtPoint(motions_.moving().velocity, side); }
  Spatial<double> Accelerated(int side) const { return AtPoint(motions_.accelerating().acceleration, side); }
  Spatial<double> Acceleration(int side) const { return AtPoint(motions_.moving().acceleration, side); }

  // One of the motions of all bodies, each about the centre of its tree, moved to the point.
  Spatial<double> AtPoint(const Spatial<double>* motions, int side) const {
    return ShiftMotion(motions[body_[side]], Offset(body_[side]));
  }

  // Takes the change of the forces with dof j of the list from its column: by position, where the present wrenches turn
  // as well, or by velocity.
  void SubtractPosition(const PairDof& j, const PairWrench& wrench, const PairWrench& change, Columns& out) const;
  void SubtractVelocity(const PairDof& j, const PairWrench& change, Columns& out) const;

 private:
  Vec3<double> Offset(int body) const;

  const mjModel* m_;
  mjData* d_;
  const PairMotions& motions_;
  int body_[2] = {0, 0};
  Vec3<double> point_ = {0, 0, 0};
  std::vector<PairDof> dofs_;
  std::vector<int> ids_, sides_;
};

}  // namespace sinew

#endif  // SINEW_GRADIENT_PAIR_COLUMNS_H_
