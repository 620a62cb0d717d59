// Rays against height fields: the ground is one solid, with the surface on it, its base below, and four sides between.
// Its inside has no surfaces: a ray that begins there ends at one of these.
//
// The ray's part inside the field's box crosses the rows of the grid one after the other, and in each row an interval
// of columns: of n x n cells at most about 2 n are looked at. Elevations are in [0, 1], as documented: what is outside
// the box is not found.
#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/ray/ray_geom.h"
#include "collision/ray/ray_triangle.h"
#include "model/view/field_grid.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

void Keep(RayHit& best, double x, const Vec& normal) {
  if (x >= 0 && (!best || x < best.x)) best = {x, normal};
}

class FieldRay {
 public:
  FieldRay(const mjModel* m, int field, const Ray& ray)
      : grid_(m, field),
        rows_(m->hfield_nrow[field]),
        columns_(m->hfield_ncol[field]),
        size_(ViewOf(m).hfield_size(field)),
        elevation_(m->hfield_data + m->hfield_adr[field]),
        p_(ray.point),
        v_(ray.direction) {}

  void HitBase(RayHit& best) const;
  void HitSurface(RayHit& best) const;
  void HitSides(RayHit& best) const;

 private:
  // Restricts [enter, leave] to the x at which coordinate k of the ray is in [low, high]; false when nothing is left.
  bool Restrict(int k, double low, double high, double& enter, double& leave) const;

  // Cells that coordinate k covers while x runs through [enter, leave]; one more on each side against rounding.
  void Cells(int k, int cells, double enter, double leave, int& first, int& last) const;

  // Whether a cell has a height between two others; most cells do not, and need no triangles.
  bool Spans(int row, int column, double low, double high) const;

  void HitCell(int row, int column, RayHit& best) const;

  // The side at coordinate k = `at`: `points` heights along the other axis, by row and column steps from the first.
  void HitSide(int k, double at, int first, int step, int points, RayHit& best) const;

  FieldGrid grid_;
  int rows_, columns_;
  const double* size_;  // half sizes along x and y, height at elevation 1, thickness of the base
  const float* elevation_;
  Vec p_, v_;
};

void FieldRay::HitBase(RayHit& best) const {
  if (std::fabs(v_.z) < kMinVal) return;
  const double x = (-size_[3] - p_.z) / v_.z;
  const auto is_within = [&](int k) { return std::fabs(p_[k] + x * v_[k]) <= size_[k]; };
  if (is_within(0) && is_within(1)) Keep(best, x, {0, 0, -1});
}

bool FieldRay::Restrict(int k, double low, double high, double& enter, double& leave) const {
  if (std::fabs(v_[k]) < kMinVal) return p_[k] >= low && p_[k] <= high;
  const double x1 = (low - p_[k]) / v_[k], x2 = (high - p_[k]) / v_[k];
  enter = std::max(enter, std::min(x1, x2));
  leave = std::min(leave, std::max(x1, x2));
  return enter <= leave;
}

void FieldRay::Cells(int k, int cells, double enter, double leave, int& first, int& last) const {
  const double scale = cells / (2 * size_[k]), from = p_[k] + enter * v_[k], to = p_[k] + leave * v_[k];
  const double low = std::floor((std::min(from, to) + size_[k]) * scale - 1);
  const double high = std::floor((std::max(from, to) + size_[k]) * scale + 1);
  if (cells < 1 || !(low <= high)) {  // a field that is a line or has no size, or a ray from nowhere
    first = 0;
    last = -1;
    return;
  }
  first = static_cast<int>(std::clamp(low, 0.0, cells - 1.0));
  last = static_cast<int>(std::clamp(high, 0.0, cells - 1.0));
}

bool FieldRay::Spans(int row, int column, double low, double high) const {
  const float *a = elevation_ + row * columns_ + column, *b = a + columns_;
  const auto [least, greatest] = std::minmax({a[0], a[1], b[0], b[1]});
  return size_[2] * static_cast<double>(greatest) >= low && size_[2] * static_cast<double>(least) <= high;
}

// Normals point upward, out of the ground.
void FieldRay::HitCell(int row, int column, RayHit& best) const {
  for (int k = 0; k < 2; ++k) {
    const Vec t[3] = {grid_.Corner(row, column, k, 0), grid_.Corner(row, column, k, 1),
                      grid_.Corner(row, column, k, 2)};
    const double x = RayTriangle(t, p_, v_);
    if (x >= 0) Keep(best, x, Normalized(Cross(t[1] - t[0], t[2] - t[0])));
  }
}

// Rows in the order in which the ray meets them, up to the first hit.
void FieldRay::HitSurface(RayHit& best) const {
  double enter = 0, leave = kInfinity;
  if (!Restrict(0, -size_[0], size_[0], enter, leave) || !Restrict(1, -size_[1], size_[1], enter, leave)) return;
  const bool vertical = leave == kInfinity;  // one cell, whatever the height
  if (!Restrict(2, -size_[3], size_[2], enter, leave)) return;
  if (vertical) leave = enter;
  int first_row, last_row, first_column, last_column;
  Cells(1, rows_ - 1, enter, leave, first_row, last_row);
  const int step = v_.y < 0 ? -1 : 1;
  if (step < 0) std::swap(first_row, last_row);
  for (int row = first_row; step * (last_row - row) >= 0; row += step) {
    double from = enter, to = leave;
    if (std::fabs(v_.y) >= kMinVal && !Restrict(1, grid_.Y(row), grid_.Y(row + 1), from, to)) continue;
    if (best && best.x < from) return;
    Cells(0, columns_ - 1, from, to, first_column, last_column);

    // heights of the ray over this row, with room for rounding
    const double z1 = p_.z + from * v_.z, z2 = p_.z + to * v_.z;
    const double slack = vertical ? kInfinity : 1e-9 * (1 + std::fabs(z1) + std::fabs(z2));
    const double low = std::min(z1, z2) - slack, high = std::max(z1, z2) + slack;
    for (int column = first_column; column <= last_column; ++column) {
      if (Spans(row, column, low, high)) HitCell(row, column, best);
    }
  }
}

// The ray hits a side where it crosses its plane between the base and the line through the heights there.
void FieldRay::HitSide(int k, double at, int first, int step, int points, RayHit& best) const {
  if (points < 2 || std::fabs(v_[k]) < kMinVal) return;
  const double x = (at - p_[k]) / v_[k];
  if (!(x >= 0)) return;
  const int along = 1 - k;
  const double position = (p_[along] + x * v_[along] + size_[along]) * (points - 1) / (2 * size_[along]);
  if (!(position >= 0 && position <= points - 1)) return;
  const int i = std::min(static_cast<int>(position), points - 2);
  const double low = elevation_[first + i * step], high = elevation_[first + (i + 1) * step];
  const double z = p_.z + x * v_.z, top = size_[2] * (low + (position - i) * (high - low));
  if (z < -size_[3] || z > top) return;
  Vec normal = Zero3<double>();
  normal[k] = at > 0 ? 1 : -1;
  Keep(best, x, normal);
}

void FieldRay::HitSides(RayHit& best) const {
  HitSide(0, -size_[0], 0, columns_, rows_, best);
  HitSide(0, size_[0], columns_ - 1, columns_, rows_, best);
  HitSide(1, -size_[1], 0, 1, columns_, best);
  HitSide(1, size_[1], (rows_ - 1) * columns_, 1, columns_, best);
}

}  // namespace

RayHit RayHeightField(const mjModel* m, int field, const Ray& ray) {
  const FieldRay rays(m, field, ray);
  RayHit best;
  rays.HitBase(best);
  rays.HitSurface(best);
  rays.HitSides(best);
  return best;
}

}  // namespace sinew::inline collision
