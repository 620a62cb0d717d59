#include "collision/broad/sweep_frame.h"

#include <algorithm>

#include "collision/broad/bounds.h"
#include "math/eigen.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/functions.h"

namespace sinew::inline collision {
namespace {

using Vector = Vec3<double>;

bool IsStatic(const mjModel* m, int body) { return m->body_weldid[body] == 0; }

// Calls visit(position) for the centres of all geoms but those of the world, and for vertices of flexes likewise.
template <class Visit>
void ForEachCentre(const mjModel* m, mjData* d, const Visit& visit) {
  const DataView<double> data(d);
  for (int geom = m->body_geomnum[0]; geom < m->ngeom; ++geom) visit(data.geom_xpos(geom));
  for (int vertex = 0; vertex < m->nflexvert; ++vertex) {
    if (m->flex_vertbodyid[vertex] != 0) visit(data.flexvert_xpos(vertex));
  }
}

}  // namespace

bool HasFixedPlane(const mjModel* m, int body) {
  if (!IsStatic(m, body)) return false;
  const int first = m->body_geomadr[body], count = m->body_geomnum[body];
  return std::any_of(m->geom_type + first, m->geom_type + first + count, [](int type) { return type == mjGEOM_PLANE; });
}

// The matrix of eigenvectors of the covariance of the centres. The documented behaviour takes rows of this matrix for
// axes, not its columns.
Mat3<double> SweepFrame(const mjModel* m, mjData* d) {
  Vector mean = Zero3<double>();
  int count = 0;
  ForEachCentre(m, d, [&](const Vector& centre) {
    mean += centre;
    ++count;
  });
  if (count == 0) return Identity3<double>();
  mean *= 1.0 / count;

  Mat3<double> covariance = {};
  ForEachCentre(m, d, [&](const Vector& centre) {
    const Vector offset = centre - mean;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) covariance(i, j) += offset[i] * offset[j];
    }
  });
  for (int i = 1; i < 3; ++i) {
    for (int j = 0; j < i; ++j) covariance(i, j) = covariance(j, i);
  }
  return SymmetricEigen(covariance).vectors;
}

FlexSweep::FlexSweep(const mjModel* m, mjData* d, StackFrame& frame) : m_(m), d_(d) {
  if (!m->vis.global.bvactive || (m->opt.disableflags & mjDSBL_MIDPHASE)) return;
  axes_ = SweepFrame(m, d);
  bounds_ = frame.Alloc<Bounds>(m->nflex);
  for (int flex = 0; bounds_ && flex < m->nflex; ++flex) bounds_[flex] = OfFlex(flex);
}

bool FlexSweep::FindsBody(int body, int flex) const {
  if (!bounds_ || body == 0 || HasFixedPlane(m_, body)) return true;
  Bounds all = OfGeom(m_->body_geomadr[body]);
  for (int i = 1; i < m_->body_geomnum[body]; ++i) {
    const Bounds bounds = OfGeom(m_->body_geomadr[body] + i);
    for (int k = 0; k < 3; ++k) {
      all.low[k] = Min(all.low[k], bounds.low[k]);
      all.high[k] = Max(all.high[k], bounds.high[k]);
    }
  }
  return Overlap(all, bounds_[flex]);
}

bool FlexSweep::Overlap(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; ++k) {
    if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
  }
  return true;
}

// Vertices, widened by the radius and the margin.
FlexSweep::Bounds FlexSweep::OfFlex(int flex) const {
  const DataView<double> data(d_);
  const int first = m_->flex_vertadr[flex];
  Bounds bounds = {axes_ * data.flexvert_xpos(first), axes_ * data.flexvert_xpos(first)};
  for (int vertex = first + 1; vertex < first + m_->flex_vertnum[flex]; ++vertex) {
    const Vector at = axes_ * data.flexvert_xpos(vertex);
    for (int k = 0; k < 3; ++k) {
      bounds.low[k] = Min(bounds.low[k], at[k]);
      bounds.high[k] = Max(bounds.high[k], at[k]);
    }
  }
  const double reach = m_->flex_radius[flex] + FlexMargin(m_, flex);
  const Vector widening = {reach, reach, reach};
  return {bounds.low - widening, bounds.high + widening};
}

// The bounds of a geom along the axes of the sweep: the intersection of those of its bounding sphere and its box.
FlexSweep::Bounds FlexSweep::OfGeom(int geom) const {
  const DataView<double> data(d_);
  const Mat3<double> mat = axes_ * data.geom_xmat(geom);
  const double* box = m_->geom_aabb + 6 * static_cast<ptrdiff_t>(geom);
  const Vector pos = axes_ * data.geom_xpos(geom), centre = pos + mat * LoadVec3(box);
  const double margin = GeomMargin(m_, geom), radius = m_->geom_rbound[geom];
  Bounds bounds;
  for (int k = 0; k < 3; ++k) {
    const double half = Abs(mat(k, 0)) * box[3] + Abs(mat(k, 1)) * box[4] + Abs(mat(k, 2)) * box[5];
    bounds.low[k] = Max(centre[k] - half, pos[k] - radius) - margin;
    bounds.high[k] = Min(centre[k] + half, pos[k] + radius) + margin;
  }
  return bounds;
}

}  // namespace sinew::inline collision
