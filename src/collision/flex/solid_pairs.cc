#include "collision/flex/solid_pairs.h"

#include <algorithm>
#include <cmath>

#include "collision/flex/deepest_axis_kernel.h"
#include "simd/four.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;
using Box = BoxSolid<double>;
using Tetra = TetraSolid<double>;

constexpr double kRim = 1e-9;  // [m] that a point may be beside its face or edge

// The nearest or deepest points of both.
struct Witness {
  Vec a, b;
};
struct Segment {
  Vec from, to;
};

// ---- the part of a solid that is farthest along n

Vec Support(const Box& box, const Vec& n) {
  Vec support;
  for (int k = 0; k < 3; ++k) support[k] = std::copysign(box.half[k], n[k]);
  return support;
}
Vec Support(const Tetra& tetra, const Vec& n) {
  return *std::max_element(tetra.corner, tetra.corner + 4,
                           [&](const Vec& a, const Vec& b) { return Dot(n, a) < Dot(n, b); });
}

Segment SupportingEdge(const Box& box, int k, const Vec& n) {
  Segment edge = {Support(box, n), Support(box, n)};
  edge.from[k] = -box.half[k];
  edge.to[k] = box.half[k];
  return edge;
}
Segment SupportingEdge(const Tetra& tetra, int e, const Vec&) {
  return {tetra.corner[kTetraEdge[e][0]], tetra.corner[kTetraEdge[e][1]]};
}

// ---- whether a point is within it

bool IsOnFace(const Box& box, int, const Vec&, const Vec& p) {
  return std::fabs(p.x) <= box.half.x + kRim && std::fabs(p.y) <= box.half.y + kRim &&
         std::fabs(p.z) <= box.half.z + kRim;
}
bool IsOnFace(const Tetra& tetra, int opposite, const Vec& normal, const Vec& p) {
  const Vec* corner = tetra.corner;
  const Vec face[3] = {corner[(opposite + 1) % 4], corner[(opposite + 2) % 4], corner[(opposite + 3) % 4]};
  for (int i = 0; i < 3; ++i) {
    // on the side of corner i from the edge between the others
    const Vec &apex = face[i], &from = face[(i + 1) % 3], &to = face[(i + 2) % 3];
    Vec across = Normalized(Cross(normal, to - from));
    if (Dot(across, apex - from) < 0) across = -across;
    if (!(Dot(across, p - from) >= -kRim)) return false;
  }
  return true;
}

// Whether no point of the solid is farther along n than `at`.
template <class Solid>
bool IsFarthest(const Solid& solid, const Vec& n, const Vec& at) {
  return Dot(n, Support(solid, n) - at) <= kRim;
}

// The points where the lines of two edges are nearest; false where these are beyond an end.
bool MeetBetweenEnds(const Segment& a, const Segment& b, Witness& at) {
  // a.from + s u and b.from + t v
  const Vec u = a.to - a.from, v = b.to - b.from, offset = b.from - a.from;
  const double uu = Dot(u, u), vv = Dot(v, v), uv = Dot(u, v), uw = Dot(u, offset), vw = Dot(v, offset);
  const double scale = 1 / (uu * vv - uv * uv);
  const double s = (uw * vv - vw * uv) * scale, t = (uw * uv - vw * uu) * scale;
  const double rim_u = kRim / std::sqrt(uu), rim_v = kRim / std::sqrt(vv);
  at = {a.from + u * s, b.from + v * t};
  return s >= -rim_u && s <= 1 + rim_u && t >= -rim_v && t <= 1 + rim_v;
}

// Points that are `gap` apart along the normal; false where these are not within the faces or edges of the axis.
template <class SolidA>
bool FindWitness(const SolidA& a, const Tetra& b, int axis, double gap, const Vec& normal, Witness& at) {
  using Search = DeepestAxisSearch<double, SolidA>;
  if (axis < Search::kFacesOfB) {
    at.b = Support(b, -normal);
    at.a = at.b - normal * gap;
    return IsOnFace(a, axis, normal, at.a);
  }
  if (axis < Search::kEdgePairs) {
    at.a = Support(a, normal);
    at.b = at.a + normal * gap;
    return IsOnFace(b, axis - Search::kFacesOfB, normal, at.b);
  }
  const int pair = axis - Search::kEdgePairs;
  const Segment edge_a = SupportingEdge(a, pair / 6, normal), edge_b = SupportingEdge(b, pair % 6, normal);
  return MeetBetweenEnds(edge_a, edge_b, at) && IsFarthest(a, normal, at.a) && IsFarthest(b, -normal, at.b);
}

// ---- four pairs

void SetLane(int lane, const Vec& p, Vec3<Four>& to) {
  for (int k = 0; k < 3; ++k) to[k].Set(lane, p[k]);
}

template <class SolidA>
struct FourPairs {
  const SolidA* a[4];
  Tetra b[4];
  double radius_a, radius_b;
};

// The contacts in the frame in which the solids are.
template <class SolidA>
FourContacts Contacts(const FourPairs<SolidA>& pairs, const DeepestAxis<Four>& axis, unsigned solid, double margin) {
  FourContacts contacts;
  for (int lane = 0; lane < 4; ++lane) {
    const unsigned bit = solid & 1u << lane;
    if (bit == 0) continue;
    const double gap = axis.gap[lane], dist = gap - pairs.radius_a - pairs.radius_b;
    const Vec normal = {axis.normal.x[lane], axis.normal.y[lane], axis.normal.z[lane]};
    Witness at;
    if (dist >= margin) {
      contacts.known |= bit;
    } else if (FindWitness(*pairs.a[lane], pairs.b[lane], static_cast<int>(axis.number[lane]), gap, normal, at)) {
      contacts.known |= bit;
      contacts.Add(lane, {dist, (at.a + at.b + normal * (pairs.radius_a - pairs.radius_b)) * 0.5, normal});
    }
  }
  return contacts;
}

}  // namespace

SINEW_DISPATCH FourContacts CollideBoxTetrahedra(const PlacedGeom<double>& box, const FlexElement (&tetra)[4],
                                                 double margin) {
  const Box a = {box.size};
  FourPairs<Box> pairs = {{&a, &a, &a, &a}, {}, 0, tetra[0].radius};
  TetraSolid<Four> b;
  for (int lane = 0; lane < 4; ++lane) {
    for (int i = 0; i < 4; ++i) {
      pairs.b[lane].corner[i] = box.ToLocal(tetra[lane].corner[i]);
      SetLane(lane, pairs.b[lane].corner[i], b.corner[i]);
    }
  }
  const BoxSolid<Four> a_in_lanes = {{InAllLanes(a.half.x), InAllLanes(a.half.y), InAllLanes(a.half.z)}};
  const DeepestAxis<Four> axis = DeepestAxisSearch<Four, BoxSolid<Four>>(a_in_lanes, b).Find();
  FourContacts contacts = Contacts(pairs, axis, LaneBits(b.HasVolume()), margin);
  for (int lane = 0; lane < 4; ++lane) {
    if (contacts.count[lane] == 0) continue;
    ContactPoint<double>& point = contacts.point[lane][0];
    point = {point.dist, box.ToWorld(point.pos), box.mat * point.normal};
  }
  return contacts;
}

// Coordinates are those about a corner of each pair.
SINEW_DISPATCH FourContacts CollideTetrahedra(const FlexElement (&a)[4], const FlexElement (&b)[4], double margin) {
  Tetra of_a[4];
  FourPairs<Tetra> pairs = {{of_a, of_a + 1, of_a + 2, of_a + 3}, {}, a[0].radius, b[0].radius};
  TetraSolid<Four> a_in_lanes, b_in_lanes;
  for (int lane = 0; lane < 4; ++lane) {
    const Vec origin = a[lane].corner[0];
    for (int i = 0; i < 4; ++i) {
      of_a[lane].corner[i] = a[lane].corner[i] - origin;
      pairs.b[lane].corner[i] = b[lane].corner[i] - origin;
      SetLane(lane, of_a[lane].corner[i], a_in_lanes.corner[i]);
      SetLane(lane, pairs.b[lane].corner[i], b_in_lanes.corner[i]);
    }
  }
  const DeepestAxis<Four> axis = DeepestAxisSearch<Four, TetraSolid<Four>>(a_in_lanes, b_in_lanes).Find();
  const unsigned solid = LaneBits(a_in_lanes.HasVolume() & b_in_lanes.HasVolume());
  FourContacts contacts = Contacts(pairs, axis, solid, margin);
  for (int lane = 0; lane < 4; ++lane) {
    if (contacts.count[lane] > 0) contacts.point[lane][0].pos += a[lane].corner[0];
  }
  return contacts;
}

}  // namespace sinew::inline collision
