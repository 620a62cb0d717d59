#include "derivatives/contact_geometry/polytope_pairs.h"

#include <algorithm>

#include "collision/analytic/box_edge_kernel.h"
#include "collision/analytic/box_face_kernel.h"
#include "collision/analytic/box_pair_kernel.h"
#include "collision/convex/convex_pair.h"
#include "collision/convex/face_contact.h"
#include "collision/pairs.h"
#include "derivatives/base/dual_order.h"

namespace sinew::inline derivatives {
namespace {

using Number = PairNumber;
using Vec = Vec3<double>;
using DualVec = Vec3<Number>;

// The same formula on the same numbers differs by rounding, and so do a contact and its copy.
constexpr double kSame = 1e-9;  // [m]

DualVec Fixed(const Vec& v) { return {Number(v.x), Number(v.y), Number(v.z)}; }
Vec ValueOf(const DualVec& v) { return {v.x.value, v.y.value, v.z.value}; }
PlacedGeom<double> ValueOf(const PlacedGeom<Number>& g) {
  PlacedGeom<double> out = {ValueOf(g.pos), {}, ValueOf(g.size)};
  for (int k = 0; k < 9; ++k) out.mat.m[k] = g.mat.m[k].value;
  return out;
}

bool IsAt(const DualVec& point, const mjContact& contact) {
  return Norm(ValueOf(point) - LoadVec3(contact.pos)) < kSame;
}

// ---- a plane and a mesh: the vertex that a contact is at stays the lowest, or one beside it

ContactPoint<Number> VertexOnPlane(const mjContact& contact, const PlacedGeom<Number>& plane,
                                   const PlacedGeom<Number>& mesh) {
  const Vec up = LoadVec3(contact.frame), vertex = LoadVec3(contact.pos) + up * (0.5 * contact.dist);
  const DualVec normal = plane.Axis(), point = mesh.ToWorld(Fixed(ValueOf(mesh).ToLocal(vertex)));
  const Number height = Dot(normal, point - plane.pos);
  return {height, point - normal * (Number(0.5) * height), normal};
}

// ---- two boxes: the kernels of analytic/, after the decision on the values

// The last of the candidates at the contact's place, as in analytic/box_lanes_kernel.h.
template <class Contacts>
bool FindCandidate(const Contacts& contacts, const mjContact& contact, ContactPoint<Number>& found) {
  bool any = false;
  contacts.ForEachCandidate([&](bool where, const Number& dist, DualVec p) {
    if (!where) return;
    contacts.reference().Complete(p);
    if (!IsAt(p, contact)) return;
    found = {dist, p, contacts.Normal()};
    any = true;
  });
  return any;
}

// By how much the boxes overlap along a unit vector of the first one's frame.
Number OverlapAlong(const BoxPair<Number>& p, const DualVec& axis) {
  Number overlap = -Abs(Dot(p.D, axis));
  for (int k = 0; k < 3; ++k) overlap += p.a[k] * Abs(axis[k]) + p.b[k] * Abs(Dot(axis, p.R.Column(k)));
  return overlap;
}

bool FindInBoxes(const mjContact& contact, const PlacedGeom<Number>& box1, const PlacedGeom<Number>& box2,
                 ContactPoint<Number>& found) {
  const double margin = std::max(contact.includemargin, contact.dist) + kSame;
  const BoxSeparation<double> decision = FindLeastOverlap(BoxPair<double>(ValueOf(box1), ValueOf(box2)), margin);
  const BoxPair<Number> pair(box1, box2);
  if (decision.face >= 0) {
    const BoxFaceContacts<Number> contacts(box1, box2, pair, Number(decision.face), Number(decision.overlap),
                                           Number(margin));
    return FindCandidate(contacts, contact, found);
  }
  const int edge1 = static_cast<int>(decision.edges) / 3, edge2 = static_cast<int>(decision.edges) % 3;
  Vec unit = Zero3<double>();
  unit[edge1] = 1;
  DualVec axis = Cross(Fixed(unit), pair.R.Column(edge2));
  Normalize(axis);
  if (Dot(ValueOf(axis), decision.axis) < 0) axis = -axis;
  const Number overlap = OverlapAlong(pair, axis);
  const BoxEdgeContacts<Number> contacts(box1, pair, Number(decision.edges), axis, overlap, Number(margin));
  return FindCandidate(contacts, contact, found);
}

}  // namespace

// ---- boxes and meshes that overlap

// Points and directions of the two shapes are constant in their frames, up to sizes of boxes.
struct PolytopePairs::Overlap {
  int geom[2], type[2];
  PlacedGeom<double> pose[2];
  bool exists = false, is_flat = false;
  ConvexContact deepest;
  FlatContact flat;

  // A point of shape `b`, given at the present pose, as it moves; and a direction.
  DualVec Moved(const PlacedGeom<Number> (&g)[2], int b, const Vec& point) const {
    const Vec local = pose[b].ToLocal(point);
    DualVec moving = Fixed(local);
    for (int k = 0; type[b] == mjGEOM_BOX && k < 3; ++k) moving[k] = g[b].size[k] * Number(local[k] / pose[b].size[k]);
    return g[b].ToWorld(moving);
  }
  DualVec Turned(const PlacedGeom<Number> (&g)[2], int b, const Vec& direction) const {
    return g[b].mat * Fixed(MulTransposed(pose[b].mat, direction));
  }

  bool FindDeepest(const PlacedGeom<Number> (&g)[2], ContactPoint<Number>& out) const;
  bool FindAtFlat(const PlacedGeom<Number> (&g)[2], const Number& dist, const mjContact& contact,
                  ContactPoint<Number>& out) const;

 private:
  // The first two different vertices of a shape in the facet of the difference that decided, and how many there are.
  struct Edge {
    int count;
    Vec from, to;
  };
  Edge EdgeOf(int b) const {
    Edge edge = {0, Zero3<double>(), Zero3<double>()};
    int seen[3];
    for (const DifferencePoint& p : deepest.penetration.face) {
      const int vertex = b == 0 ? p.vertex_a : p.vertex_b;
      if (std::find(seen, seen + edge.count, vertex) != seen + edge.count) continue;
      const Vec& point = b == 0 ? p.a : p.b;
      if (edge.count < 2) (edge.count == 0 ? edge.from : edge.to) = point;
      seen[edge.count++] = vertex;
    }
    return edge;
  }
};

// The features that the vertices of the deciding facet share select the formula: a face of one shape, whose normal
// it has, and a point of the other one, or an edge of each. Of faces that lie on each other, the first one's normal
// counts.
bool PolytopePairs::Overlap::FindDeepest(const PlacedGeom<Number> (&g)[2], ContactPoint<Number>& out) const {
  const Penetration& p = deepest.penetration;
  const Edge edge[2] = {EdgeOf(0), EdgeOf(1)};
  const Number half(0.5);
  if (edge[0].count == 3 || edge[1].count == 3) {
    const int face = edge[0].count == 3 ? 0 : 1, other = 1 - face;
    const DualVec normal = Turned(g, face, p.normal), vertex = Moved(g, other, other == 0 ? p.a : p.b);
    const DualVec on_face = Moved(g, face, edge[face].from);
    const Number depth = Dot(normal, face == 0 ? on_face - vertex : vertex - on_face);
    out = {-depth, vertex + normal * (face == 0 ? half * depth : -half * depth), normal};
    return true;
  }
  if (edge[0].count != 2 || edge[1].count != 2) return false;
  // a0 + s u = b0 + t v + n depth; with c = u x v, s = (b0 + n depth - a0) x v . c / c . c
  const DualVec a0 = Moved(g, 0, edge[0].from), b0 = Moved(g, 1, edge[1].from);
  const DualVec u = Moved(g, 0, edge[0].to) - a0, v = Moved(g, 1, edge[1].to) - b0, c = Cross(u, v);
  DualVec normal = c;
  Normalize(normal);
  if (Dot(ValueOf(normal), p.normal) < 0) normal = -normal;
  const Number depth = Dot(normal, a0 - b0);
  const Number s = Dot(Cross(b0 + normal * depth - a0, v), c) / Dot(c, c);
  out = {-depth, a0 + u * s - normal * (half * depth), normal};
  return true;
}

// Of the clipped polygon all vertices are there, not only the four that are kept.
bool PolytopePairs::Overlap::FindAtFlat(const PlacedGeom<Number> (&g)[2], const Number& dist, const mjContact& contact,
                                        ContactPoint<Number>& out) const {
  const auto moved = [&](const Polygon& polygon, int b) {
    PolygonOf<Number> moving;
    for (int i = 0; i < polygon.count; ++i) moving.Add(Moved(g, b, polygon.vertex[i]));
    moving.normal = Turned(g, b, polygon.normal);
    return moving;
  };
  PolygonOf<Number> clipped = moved(flat.clipped, flat.clipped_of);
  ClipBySides(moved(flat.outline, 1 - flat.clipped_of), clipped);
  const DualVec normal = Turned(g, flat.with_normal, flat.Normal());
  for (int i = 0; i < clipped.count; ++i) {
    out = AtFlatVertex(clipped.vertex[i], dist, normal);
    if (IsAt(out.pos, contact)) return true;
  }
  return false;
}

PolytopePairs::PolytopePairs(const mjModel* m, mjData* d) : m_(m), d_(d) {}
PolytopePairs::~PolytopePairs() = default;

const PolytopePairs::Overlap& PolytopePairs::OverlapOf(const mjContact& contact) {
  const int g1 = contact.geom[0], g2 = contact.geom[1];
  if (overlap_ && overlap_->geom[0] == g1 && overlap_->geom[1] == g2) return *overlap_;
  if (!overlap_) overlap_ = std::make_unique<Overlap>();
  Overlap& overlap = *overlap_;
  const ConvexShape A(m_, d_, g1), B(m_, d_, g2);
  for (int b = 0; b < 2; ++b) {
    overlap.geom[b] = contact.geom[b];
    overlap.type[b] = m_->geom_type[contact.geom[b]];
    overlap.pose[b] = (b == 0 ? A : B).geom();
  }
  overlap.exists = FindConvexContact(m_->opt, A, B, 0, overlap.deepest) && overlap.deepest.has_face;
  overlap.is_flat = overlap.exists && FindFlatContact(m_, g1, g2, A, B, overlap.deepest, overlap.flat);
  return overlap;
}

bool PolytopePairs::Differentiate(const mjContact& contact, const PlacedGeom<PairNumber>& first,
                                  const PlacedGeom<PairNumber>& second, ContactShift (&by)[kPairNumbers]) {
  const int type1 = m_->geom_type[contact.geom[0]], type2 = m_->geom_type[contact.geom[1]];
  const PairKind kind = KindOfPair(type1, type2);
  const auto is_polytope = [](int type) { return type == mjGEOM_BOX || type == mjGEOM_MESH; };
  ContactPoint<Number> point;
  if (kind == PairKind::kFormula && type1 == mjGEOM_PLANE && type2 == mjGEOM_MESH) {
    point = VertexOnPlane(contact, first, second);
  } else if (kind == PairKind::kBoxBox) {
    if (!FindInBoxes(contact, first, second, point)) return false;
  } else if (kind == PairKind::kConvex && is_polytope(type1) && is_polytope(type2)) {
    const Overlap& overlap = OverlapOf(contact);
    const PlacedGeom<Number> moving[2] = {first, second};
    if (!overlap.exists || !overlap.FindDeepest(moving, point)) return false;
    const bool is_deepest = IsAt(point.pos, contact);
    if (!is_deepest && !(overlap.is_flat && overlap.FindAtFlat(moving, point.dist, contact, point))) return false;
  } else {
    return false;
  }
  StoreShifts(point, Zero3<Number>(), by);
  return true;
}

}  // namespace sinew::inline derivatives
