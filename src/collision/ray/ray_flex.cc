// A ray is tested against the vertices, edges and faces of a flex, one by one, after its bounds.
#include "collision/ray/ray_flex.h"

#include <algorithm>
#include <initializer_list>

#include "collision/ray/ray_triangle.h"
#include "math/orientation.h"
#include "math/rows.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

class FlexRay {
 public:
  FlexRay(const mjModel* m, const mjData* d, int flex, const Ray& ray)
      : m_(m),
        flex_(flex),
        positions_(Row3(d->flexvert_xpos, m->flex_vertadr[flex])),
        count_(m->flex_vertnum[flex]),
        radius_(m->flex_radius[flex]),
        ray_(ray) {}

  bool MeetsBounds() const;
  void HitVertices();
  void HitEdges();
  void HitFaces(int layer);
  const FlexHit& Result() const { return best_; }

 private:
  Vec Position(int vertex) const { return LoadVec3(Row3(positions_, vertex)); }
  void Keep(double x, const Vec& normal, std::initializer_list<int> vertices);
  void HitRound(int type, const Vec& centre, const Mat3<double>& axes, double half,
                std::initializer_list<int> vertices) {
    Vec normal;
    const double x = RayPrimitive({type, centre, axes, {radius_, half, 0}}, ray_.point, ray_.direction, &normal);
    Keep(x, normal, vertices);
  }
  void HitTriangle(int i, int j, int k) {
    const Vec corner[3] = {Position(i), Position(j), Position(k)};
    const double x = RayTriangle(corner, ray_.point, ray_.direction);
    if (x >= 0) Keep(x, Normalized(Cross(corner[1] - corner[0], corner[2] - corner[0])), {i, j, k});
  }

  const mjModel* m_;
  int flex_;
  const double* positions_;
  int count_;
  double radius_;
  Ray ray_;
  FlexHit best_;
};

// The vertex that is named is, among those of the part that was hit, the one nearest to the hit.
void FlexRay::Keep(double x, const Vec& normal, std::initializer_list<int> vertices) {
  if (x < 0 || (best_.hit && x >= best_.hit.x)) return;
  best_.hit = {x, normal};
  const Vec at = ray_.point + ray_.direction * x;
  double least = kInfinity;
  for (const int vertex : vertices) {
    const double distance = Norm(Position(vertex) - at);
    if (distance >= least) continue;
    least = distance;
    best_.vertex = vertex;
  }
}

bool FlexRay::MeetsBounds() const {
  if (count_ == 0) return false;
  Vec low = Position(0), high = low;
  for (int i = 1; i < count_; ++i) {
    const Vec p = Position(i);
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
  // a sphere around the box: that is enough to pass over flexes that are elsewhere
  const Vec centre = (low + high) * 0.5;
  const double around = Norm(high - centre) + radius_;
  return RayPrimitive({mjGEOM_SPHERE, centre, Identity3<double>(), {around, 0, 0}}, ray_.point, ray_.direction) >= 0;
}

void FlexRay::HitVertices() {
  for (int i = 0; i < count_; ++i) HitRound(mjGEOM_SPHERE, Position(i), Identity3<double>(), 0, {i});
}

void FlexRay::HitEdges() {
  const int* edges = m_->flex_edge + 2 * static_cast<ptrdiff_t>(m_->flex_edgeadr[flex_]);
  for (int i = 0; i < m_->flex_edgenum[flex_]; ++i) {
    const int first = edges[2 * i], second = edges[2 * i + 1];
    const Vec a = Position(first), b = Position(second);
    HitRound(mjGEOM_CAPSULE, (a + b) * 0.5, ToMat3(FromDirection(b - a)), 0.5 * Norm(b - a), {first, second});
  }
}

// Triangles are their own face; of a tetrahedron all four count.
void FlexRay::HitFaces(int layer) {
  static constexpr int kFaces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  const int dim = m_->flex_dim[flex_], sides = dim == 3 ? 4 : 1;
  const int* element = m_->flex_elem + m_->flex_elemdataadr[flex_];
  for (int i = 0; i < m_->flex_elemnum[flex_]; ++i, element += dim + 1) {
    if (dim == 3 && m_->flex_elemlayer[m_->flex_elemadr[flex_] + i] != layer) continue;
    for (int f = 0; f < sides; ++f) {
      const auto& [a, b, c] = kFaces[f];
      HitTriangle(element[a], element[b], element[c]);
    }
  }
}

}  // namespace

FlexHit RayFlex(const mjModel* m, const mjData* d, int flex, const FlexParts& parts, const Ray& ray) {
  FlexRay rays(m, d, flex, ray);
  if (!rays.MeetsBounds()) return {};
  const bool surface = m->flex_dim[flex] > 1, skin = parts.skin && surface;
  if (parts.edges || skin) {
    rays.HitEdges();
  } else if (parts.vertices) {
    rays.HitVertices();
  }
  if (surface && (parts.faces || skin)) rays.HitFaces(parts.skin ? 0 : parts.layer);
  return rays.Result();
}

}  // namespace sinew::inline collision
