#include "derivatives/base/body_point.h"

#include <algorithm>

#include "derivatives/base/rnea_derivatives_kernel.h"
#include "kinematics/com_kernel.h"
#include "model/kinds/chain.h"

namespace sinew::inline derivatives {

BodyPoint::BodyPoint(const mjModel* m, const mjData* d, int body_id, const Vec3<double>& at)
    : body(body_id), place(at), turns(false) {
  for (int i = LastDof(m, body); i >= 0; i = m->dof_parentid[i]) dof.push_back(i);
  std::reverse(dof.begin(), dof.end());
  const DataView<double> data(const_cast<mjData*>(d));
  for (const int i : dof) {
    const Spatial<double>& axis = data.cdof(i);
    J.push_back(PointVelocity(axis, place - TreeCenter(ModelView<double>(m), data, body)));
    spin.push_back(axis.rot);
    turn.push_back(FirstOfTurn(m, i));
    turns |= Dot(axis.rot, axis.rot) != 0;
  }
  lever = J;
}

void BodyPoint::TakeForcesInSlides(const mjModel* m, const mjData* d) {
  const double *axes = d->xmat + 9 * body, *at = d->xpos + 3 * body;
  const bool in_axes = axes[0] == 1 && axes[4] == 1 && axes[8] == 1;
  if (m->body_dofnum[body] == 0 || turns || !in_axes || place.x != at[0] || place.y != at[1] || place.z != at[2])
    return;
  for (int i = 0; i < count(); ++i) {
    const int slide = dof[Size(i)] - m->body_dofadr[body];
    lever[Size(i)] = Zero3<double>();
    if (slide >= 0 && slide < 3) lever[Size(i)][slide] = 1;
  }
}

Vec3<double> BodyPoint::Times(const double* x) const {
  Vec3<double> sum = Zero3<double>();
  for (int i = 0; i < count(); ++i) sum += J[Size(i)] * x[dof[Size(i)]];
  return sum;
}

Vec3<double> BodyPoint::RotatedTimes(int j, const double* x) const {
  Vec3<double> sum = Zero3<double>();
  for (int i = 0; turns && i < count(); ++i) sum += Turned(i, j) * x[dof[Size(i)]];
  return sum;
}

OwnRow EmptyRowOf(const std::vector<PointSlope>& points) {
  OwnRow row;
  for (const PointSlope& p : points) row.dof.insert(row.dof.end(), p.point->dof.begin(), p.point->dof.end());
  std::sort(row.dof.begin(), row.dof.end());
  row.dof.erase(std::unique(row.dof.begin(), row.dof.end()), row.dof.end());
  return row;
}

int PlaceOf(const OwnRow& row, int dof) {
  return static_cast<int>(std::lower_bound(row.dof.begin(), row.dof.end(), dof) - row.dof.begin());
}

// L = |x_b - x_a| with the direction u: slopes -u and u, and du = (1 - u u') (dx_b - dx_a) / L.
OwnRow RowOfDistance(const BodyPoint& from, const BodyPoint& to) {
  Vec3<double> u = to.place - from.place;
  const double length = Normalize(u);
  if (length < mjMINVAL) u = {1, 0, 0};
  const double inverse = length < mjMINVAL ? 0 : 1 / length;
  return RowOfPoints({{&from, -u}, {&to, u}}, [&](size_t a, size_t b, const Vec3<double>& dx) {
    return (dx - u * Dot(u, dx)) * (a == b ? inverse : -inverse);
  });
}

}  // namespace sinew::inline derivatives
