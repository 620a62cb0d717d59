// Capsule and box: the sphere around one or two points of the capsule's axis against the box.
//
// In the box frame the axis is p + s H, |s| <= 1; b are the half sizes. The first point is the one nearest to the box:
// an end that lies over a face, or the point nearest to one of the twelve edges. The second lies as far along the axis
// as the capsule keeps over the feature that the first one touches, so that a capsule rests on a face, an edge or
// across a corner without rocking:
//
//   over a face      on, until the axis leaves the face's rectangle
//   at an edge or    only when the axis runs over exactly one of the two faces (of an edge) or along one of the edges
//   (of vertex           a vertex); which one follows from the signs of H against those of the edge or vertex
//
// Signs: sigma_k = + when H_k > 0, else -; D is the set of axes in which sigma differs from the sign c of the feature.
#include <algorithm>
#include <cmath>
#include <optional>

#include "collision/analytic.h"
#include "collision/bounds.h"
#include "collision/capsule_capsule_kernel.h"
#include "collision/sphere_box_kernel.h"
#include "math/block.h"
#include "simd/four.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// The capsule's axis and the box, in the box frame.
struct AxisAndBox {
  Vec p, H, b;
  double length;  // |H|

  Vec Point(double s) const { return p + H * s; }
};

// Nearest point of the axis to the box, and the feature of the box that it is nearest to.
struct Nearest {
  double s = 0;
  double distance2 = kInfinity;
  int face = -1;        // axis of the face that the end lies over
  int edge = -1;        // direction of the nearest edge
  double t = 0;         // where on the edge, -1..1
  bool vertex = false;  // the infinite axis is nearest to an end of the edge
  double sign[3] = {};  // signs of the edge; along it, of its nearer end
};

// Ends of the axis that are outside in at most one coordinate.
void TryEnds(const AxisAndBox& a, Nearest& nearest) {
  for (const double s : {-1.0, 1.0}) {
    const Vec end = a.Point(s);
    int outside = 0, face = -1;
    double distance2 = 0;
    for (int k = 0; k < 3; ++k) {
      const double beyond = std::fabs(end[k]) - a.b[k];
      if (beyond <= 0) continue;
      ++outside;
      face = k;
      distance2 += beyond * beyond;
    }
    if (outside <= 1 && distance2 < nearest.distance2) nearest = {.s = s, .distance2 = distance2, .face = face};
  }
}

// Edges of the box, four parallel ones in the lanes of a pack; those parallel to the axis lead to nothing that the ends
// do not give.
void TryEdges(const AxisAndBox& a, Nearest& nearest) {
  const auto wide = [](const Vec& v) { return Vec3<Four>{InAllLanes(v.x), InAllLanes(v.y), InAllLanes(v.z)}; };
  const Vec3<Four> p = wide(a.p), H = wide(a.H);
  for (int j = 0; j < 3; ++j) {
    const int low = j == 0 ? 1 : 0, high = j == 2 ? 1 : 2;
    Vec half = Zero3<double>();
    half[j] = a.b[j];
    const AxisPair<double> directions(half, a.H, a.p);
    if (std::fabs(directions.Determinant()) < directions.Parallel()) continue;

    const double x = a.b[low], y = a.b[high];
    Vec3<Four> middle = Zero3<Four>();
    middle[low] = block::Join(-x, x, -x, x);
    middle[high] = block::Join(-y, -y, y, y);
    const AxisPair<Four> pair(wide(half), H, middle - p);
    Four t, s;
    pair.Nearest(t, s);
    const Vec3<Four> apart = (p + H * s) - (middle + wide(half) * t);
    const Four distance2 = Dot(apart, apart), on_line = pair.FirstOfLines();
    for (int i = 0; i < 4; ++i) {
      if (distance2[i] >= nearest.distance2 - kMinVal) continue;
      nearest = {.s = s[i], .distance2 = distance2[i], .edge = j, .t = t[i], .vertex = std::fabs(on_line[i]) == 1};
      nearest.sign[j] = on_line[i] > 0 ? 1 : -1;
      nearest.sign[low] = middle[low][i] > 0 ? 1 : -1;
      nearest.sign[high] = middle[high][i] > 0 ? 1 : -1;
    }
  }
}

// Whether the axis is farther from the box than `reach` along a normal of its faces: most that are asked for are.
bool IsBeyond(const AxisAndBox& a, double reach) {
  const Vec gap = Absolute(a.p) - Absolute(a.H) - a.b;
  return std::max({gap.x, gap.y, gap.z}) > reach + kTie;
}

// How far the axis may run on in direction k before it has crossed the whole box.
double Crossing(const AxisAndBox& a, int k) { return 2 * a.b[k] / std::fabs(a.H[k]); }

// The end at s lies over a face: the way to where the axis leaves the face. Inside the box, there is none.
std::optional<double> BeyondFace(const AxisAndBox& a, const Nearest& n) {
  if (n.face < 0) return std::nullopt;
  const Vec end = a.Point(n.s), motion = a.H * -n.s;
  double way = 2;
  for (int k = 0; k < 3; ++k) {
    if (k == n.face || motion[k] == 0) continue;
    way = std::min(way, (std::copysign(a.b[k], motion[k]) - end[k]) / motion[k]);
  }
  return -n.s * way;
}

std::optional<double> BeyondVertex(const AxisAndBox& a, const Nearest& n, const bool differs[3]) {
  const int count = differs[0] + differs[1] + differs[2];
  if (count == 0 || count == 3) return std::nullopt;
  int axis = 0;
  while (differs[axis] != (count == 1)) ++axis;
  const double mu = count == 1 ? 1 : -1;
  if (a.H[axis] * a.H[axis] > 0.5 * a.length * a.length) return mu * std::min(1 - mu * n.s, Crossing(a, axis));
  const int k1 = (axis + 1) % 3, k2 = (axis + 2) % 3;
  return -mu * std::min({1 + mu * n.s, Crossing(a, k1), Crossing(a, k2)});
}

std::optional<double> BeyondEdge(const AxisAndBox& a, const Nearest& n, const bool differs[3]) {
  const int j = n.edge, k1 = (j + 1) % 3, k2 = (j + 2) % 3;
  if (differs[k1] == differs[k2]) return std::nullopt;
  const int k = std::fabs(a.H[k1]) > std::fabs(a.H[k2]) ? k1 : k2;
  const double mu = differs[k] ? 1 : -1;
  const double toward_end = (a.H[j] > 0) == differs[k] ? 1 - n.t : 1 + n.t;
  return mu * std::min({1 - mu * n.s, Crossing(a, k), a.b[j] * toward_end / std::fabs(a.H[j])});
}

// Step along s from the nearest point to the second one, if there is to be one. A step of zero doubles the contact.
std::optional<double> SecondPoint(const AxisAndBox& a, const Nearest& n) {
  if (n.edge < 0) return BeyondFace(a, n);
  bool differs[3];
  for (int k = 0; k < 3; ++k) differs[k] = (a.H[k] > 0) != (n.sign[k] > 0);
  return n.vertex ? BeyondVertex(a, n, differs) : BeyondEdge(a, n, differs);
}

}  // namespace

SINEW_DISPATCH int CapsuleBox(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ModelView<double> model(m);
  const DataView<double> data(d);
  const Geom<double> capsule = LoadGeom(model, data, g1), box = LoadGeom(model, data, g2);
  const double radius = capsule.size.x, half = capsule.size.y;
  const AxisAndBox a = {box.ToLocal(capsule.pos), MulTransposed(box.mat, capsule.Axis()) * half, box.size, half};

  if (IsBeyond(a, radius + margin)) return 0;
  Nearest nearest;
  TryEnds(a, nearest);
  TryEdges(a, nearest);
  if (nearest.distance2 == kInfinity) return 0;

  int count = 0;
  const auto add = [&](double s) {
    Touch<double> touch;
    if (!TouchBox(a.Point(s), radius, a.b, margin, touch)) return;
    WriteTouch({touch.dist, box.ToWorld(touch.pos), box.mat * touch.normal}, Zero3<double>(), con[count++]);
  };
  add(nearest.s);
  if (const auto step = SecondPoint(a, nearest)) add(nearest.s + *step);
  return count;
}

}  // namespace sinew
