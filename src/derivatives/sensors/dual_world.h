// A world on dual numbers: what sensors read of it, with slopes by some columns of the state and the controls, so that
// the sensors' own formulas (sensor/sensor_kernel.h) give their derivatives.
//
// About the centre O of its tree, moving dof j turns a body by its axis s_j. Velocity V, acceleration A and force f of
// the body change as derivatives/base/rnea_derivatives_kernel.h says:
//   by q_j:  s_j x V + p_j,  s_j x A + q_j + p_j x V,  s_j x* f + I q_j + D p_j
//   by v_j:  s_j,            s_j x V + w_j,            I w_j + D s_j
// and by accelerations da that follow from the residual, A by the sum of s_k da_k. O moves as well: what is kept about
// it is moved along.
#ifndef SINEW_DERIVATIVES_SENSORS_DUAL_WORLD_H_
#define SINEW_DERIVATIVES_SENSORS_DUAL_WORLD_H_

#include <vector>

#include "derivatives/base/force_changes.h"
#include "derivatives/base/residual_derivative.h"
#include "derivatives/base/rnea_derivatives_kernel.h"
#include "derivatives/base/tree_memory.h"
#include "math/dual.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline derivatives {

class DualWorld {
 public:
  static constexpr int kLanes = 8;
  using Number = Dual<double, kLanes>;

  // Of a world that has gone through the forward dynamics and the sensors; `residual` is solved.
  DualWorld(const mjModel* m, mjData* d, const ResidualDerivative& residual, const ForceChanges& changes);

  // Sets the slopes to those by the columns from `first` on; those behind the last one are zero.
  void SetColumns(int first);

  ModelView<Number> model() const { return {m_, shared_.data()}; }
  DataView<Number> data() { return {&arrays_}; }

  // The dof that the lane of a column moves, -1 for none.
  int PositionDof(int lane) const { return position_[lane]; }
  int VelocityDof(int lane) const { return velocity_[lane]; }
  bool Moves(int lane, int body) const { return moves_[Lane(lane, body)] != 0; }
  // The change of the accelerations in a lane; null: none.
  const double* Acceleration(int lane) const { return accelerations_[lane]; }
  // Of a body, about the centre of its tree: how its pose moves, and the part of the change of its acceleration that
  // comes from those of the dofs.
  const Spatial<double>& Twist(int lane, int body) const { return twist_[Lane(lane, body)]; }
  const Spatial<double>& Pushed(int lane, int body) const { return pushed_[Lane(lane, body)]; }

  // The velocity in front of a dof x its axis.
  const Spatial<double>& FrontMotion(int dof) const { return tree_.p[dof]; }

  // The change of a contact's wrench in a lane, and that of its normal force.
  Spatial<double> WrenchChange(int lane, const ContactChange& contact) const;
  double NormalChange(int lane, const ContactChange& contact) const;

 private:
  struct Array {
    Number* to;
    const double* from;
    int count;
  };

  void Take(Number*& array, const double* from, mjtSize count);
  size_t Lane(int lane, int body) const { return static_cast<size_t>(body) * kLanes + static_cast<size_t>(lane); }
  Vec3<double> Center(int body) const { return LoadVec3(d_->subtree_com + 3 * m_->body_rootid[body]); }

  void SetMotion(int lane);
  void SetCoordinates(int lane);
  void SetPoses(int lane);
  void SetCenters(int lane);
  void SetVelocities(int lane);
  void SetForces(int lane);
  void MoveFrame(int lane, int body, Number* position, Number* rotation) const;
  Spatial<double> RelativePush(int lane, const ContactChange& contact) const;

  const mjModel* m_;
  mjData* d_;
  const StateSizes sizes_;
  const Columns& changes_of_a_;
  const ForceChanges& force_changes_;
  TreeMemory memory_;
  const TreeDerivative<double>& tree_;

  DataLanes<Number> arrays_ = {};
  std::vector<std::vector<Number>> storage_;
  std::vector<const Number*> shared_;  // no field of the model is different in these worlds
  bool has_geoms_ = false, has_sites_ = false, has_cameras_ = false, has_forces_ = false;

  int position_[kLanes], velocity_[kLanes];
  const double* accelerations_[kLanes];
  std::vector<char> moves_;                              // by body and lane
  std::vector<Spatial<double>> twist_, pushed_, force_;  // by body and lane
  std::vector<Vec3<double>> center_;                     // change of subtree_com, in the present lane
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_SENSORS_DUAL_WORLD_H_
