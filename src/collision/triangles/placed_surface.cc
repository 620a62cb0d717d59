#include "collision/triangles/placed_surface.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "collision/triangles/surface_tables.h"
#include "core/error.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

const SurfaceTable& Cube() {
  static const SurfaceTable cube(
      [] {
        std::vector<Vec> corners;
        for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
        return corners;
      }(),
      {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5});
  return cube;
}

const SurfaceTable* TableOf(const mjModel* m, int geom) {
  if (m->geom_type[geom] == mjGEOM_BOX) return &Cube();
  const SurfaceTable* table = SurfaceTableOf(*m, m->geom_dataid[geom]);
  if (!table) {
    throw Error("contacts of triangles need tables that the library keeps with the model",
                "load the model by this library");
  }
  return table;
}

}  // namespace

PlacedGeom<double> InFrame(const PlacedGeom<double>& frame, const PlacedGeom<double>& geom) {
  PlacedGeom<double> seen = {frame.ToLocal(geom.pos), {}, geom.size};
  for (int k = 0; k < 3; ++k) {
    const Vec axis = MulTransposed(frame.mat, geom.mat.Column(k));
    for (int i = 0; i < 3; ++i) seen.mat(i, k) = axis[i];
  }
  return seen;
}

PlacedSurface::PlacedSurface(const mjModel* m, int geom)
    : table_(TableOf(m, geom)),
      mat_{{1, 0, 0, 0, 1, 0, 0, 0, 1}},
      reach_(mat_),
      is_box_(m->geom_type[geom] == mjGEOM_BOX),
      is_own_(true) {
  if (is_box_) scale_ = LoadVec3(m->geom_size + 3 * geom);
}

PlacedSurface::PlacedSurface(const mjModel* m, mjData* d, int geom, const PlacedGeom<double>& frame)
    : PlacedSurface(m, geom) {
  const PlacedGeom<double> seen = InFrame(frame, LoadGeom(ModelView<double>(m), DataView<double>(d), geom));
  is_own_ = false;
  pos_ = seen.pos;
  mat_ = seen.mat;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) reach_(i, k) = std::fabs(mat_(i, k));
  }
}

double PlacedSurface::WayToEnd(const Vec& point, const Vec& direction) const {
  const Vec own = MulTransposed(mat_, point - pos_), along = MulTransposed(mat_, direction);
  if (!is_box_) return table_->WayToEnd(own, along);
  double way = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    if (along[k] != 0) way = std::min(way, (std::copysign(scale_[k], along[k]) - own[k]) / along[k]);
  }
  return way;
}

bool PlacedSurface::IsFree(const Vec& point, const Vec& direction, double way) const {
  return table_->WayToBegin(MulTransposed(mat_, point - pos_), MulTransposed(mat_, direction)) >= way;
}

bool PlacedSurface::StandsOn(int vertex, const Vec& n) const {
  const Vec own = MulTransposed(mat_, n), at = Scaled(table_->vertex(vertex));
  return table_->AllNeighbours(vertex, [&](int other) {
    const Vec side = Scaled(table_->vertex(other)) - at;
    const double height = Dot(own, side);
    return height >= 0 || height * height <= kParallel * kParallel * Dot(side, side);
  });
}

}  // namespace sinew::inline collision
