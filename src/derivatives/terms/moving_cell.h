// A cell of a flex that nodes move (kinematics/flex_cell.h), with how its axes turn as nodes move.
//
// A = sum_i x_i g_i' = R S. With R'dR = [w] and dA = dx g',
//   (tr(S) 1 - S) w = g x R'dx,    d(R'x_i) = R'dx_i - w x R'x_i
#ifndef SINEW_DERIVATIVES_TERMS_MOVING_CELL_H_
#define SINEW_DERIVATIVES_TERMS_MOVING_CELL_H_

#include <vector>

#include "derivatives/base/body_point.h"
#include "kinematics/flex_cell.h"

namespace sinew::inline derivatives {

class MovingCell {
 public:
  // Throws where the axes of the cell are not differentiable. `in_slides`: see BodyPoint::TakeForcesInSlides.
  MovingCell(const mjModel* m, const mjData* d, int flex, int cell, bool in_slides = false);

  int count() const { return cell_.count; }
  const FlexCell& cell() const { return cell_; }
  const BodyPoint& node(int i) const { return node_[Size(i)]; }
  const Mat3<double>& rotation() const { return cell_.rotation; }

  // In the axes of the cell, or back in those of the world.
  Vec3<double> Inside(const Vec3<double>& v) const { return MulTransposed(cell_.rotation, v); }
  Vec3<double> Outside(const Vec3<double>& v) const { return cell_.rotation * v; }

  // w, with a motion dx of node k in the world.
  Vec3<double> TurnBy(int k, const Vec3<double>& dx) const;

 private:
  FlexCell cell_;
  std::vector<BodyPoint> node_;
  Vec3<double> gradient_[FlexCell::kMaxNodes];
  Mat3<double> inverse_;  // of tr(S) 1 - S
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_MOVING_CELL_H_
