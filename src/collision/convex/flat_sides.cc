// The side of a shape that is turned to the other one is what is farthest along the normal, up to a small angle: a
// point, a segment, or a polygon. Sides of which neither is a point are clipped against each other, seen along the
// normal, and the vertices of what is left are contacts, each with its own distance along the normal: where the shapes
// are not quite parallel, what has lifted off is none.
//
// A search for the depth of round shapes ends with a normal that is known to the root of its tolerance. Of shapes that
// lie flat the normal is known exactly: that of the flat side, or across the segments. It is taken where the shapes
// overlap no more along it.
#include "collision/convex/flat_sides.h"

#include <algorithm>
#include <cmath>

#include "collision/analytic/analytic.h"
#include "collision/contact_frame.h"
#include "collision/convex/feature.h"
#include "collision/convex/polygon_kernel.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kFlat = 2e-3;              // sine of the angle up to which a side counts as flat
constexpr double kFlatCosine = 1 - 2e-6;    // its cosine
constexpr double kOverlapRounding = 1e-13;  // of the sizes
constexpr int kCapSides = 16;               // of the polygon that stands for a cap, inscribed in it
constexpr double kUpright = 1e-6;           // slope of a cap from which it has a lowest point
constexpr double kMissing = 1e-6;           // of the sizes: up to which loss of depth clipping has kept the deepest

// The feature of a shape that faces a direction: one vertex, two of a segment, or a polygon with its normal.
struct Side {
  Polygon outline;
  bool IsFace() const { return outline.count > 2; }
  bool IsSegment() const { return outline.count == 2; }
  Vec Direction() const { return Normalized(outline.vertex[1] - outline.vertex[0]); }
};

void SetSegment(const Vec& from, const Vec& to, Side& side) {
  side.outline.count = 0;
  side.outline.Add(from);
  side.outline.Add(to);
}

// The line along the side of a capsule or cylinder.
void SetLine(const ConvexShape& shape, const Vec& across, Side& side) {
  const PlacedGeom<double>& geom = shape.geom();
  const Vec half = geom.Axis() * geom.size.y, middle = geom.pos + across * geom.size.x;
  SetSegment(middle - half, middle + half, side);
}

// The cap of a cylinder. Its polygon begins where the cap is farthest along u, if it is inclined at all.
void SetCap(const ConvexShape& shape, const Vec& u, Side& side) {
  const PlacedGeom<double>& geom = shape.geom();
  const Vec normal = geom.Axis() * CopySign(1.0, Dot(geom.Axis(), u)), slope = u - normal * Dot(u, normal);
  const bool is_inclined = Norm(slope) > kUpright;
  const ContactFrame<double> frame = CompletedFrame(normal, is_inclined ? Normalized(slope) : Zero3<double>());
  const Vec centre = geom.pos + normal * geom.size.y;
  side.outline.count = 0;
  side.outline.normal = normal;
  for (int i = 0; i < kCapSides; ++i) {
    const double angle = -2 * kPi * i / kCapSides;  // clockwise
    side.outline.Add(centre + (frame.first * std::cos(angle) + frame.second * std::sin(angle)) * geom.size.x);
  }
}

// The face, edge or vertex of a box or mesh.
void SetPolytopeSide(const mjModel* m, int id, const ConvexShape& shape, const Vec& u, Side& side) {
  const SupportPoint support = shape.FindSupport(u);
  const Feature corner(m, id, shape, {support.vertex, support.vertex, support.vertex}, u);
  side.outline.count = 0;
  int best = -1;
  double most = kFlatCosine;
  for (int i = 0; i < corner.nface(); ++i) {
    const double cosine = Dot(corner.FaceNormal(i), u);
    if (cosine < most) continue;
    most = cosine;
    best = i;
  }
  if (best >= 0 && corner.GetFace(best, side.outline)) return;
  side.outline.count = 0;
  EdgeList edges;
  corner.GetEdges(edges);
  double least = kFlat;
  for (int i = 0; i < edges.count; ++i) {
    const double sine = std::fabs(Dot(edges.direction[i], u));
    if (sine > least) continue;
    least = sine;
    SetSegment(edges.from, edges.to[i], side);
  }
}

void SetSide(const mjModel* m, int id, const ConvexShape& shape, const Vec& u, Side& side) {
  const PlacedGeom<double>& geom = shape.geom();
  const double along = Dot(geom.Axis(), u);
  const Vec across = u - geom.Axis() * along;
  side.outline.count = 0;
  switch (shape.type()) {
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      if (std::fabs(along) <= kFlat) {
        SetLine(shape, Normalized(across), side);
      } else if (shape.type() == mjGEOM_CYLINDER && Norm(across) <= kFlat) {
        SetCap(shape, u, side);
      }
      return;
    case mjGEOM_BOX:
    case mjGEOM_MESH:
      return SetPolytopeSide(m, id, shape, u, side);
    default:
      return;
  }
}

// ---- the normal

// By how much the cores overlap along a direction.
double Overlap(const ConvexShape& A, const ConvexShape& B, const Vec& n) {
  return Dot(n, A.Support(n) - B.Support(-n));
}

bool IsRound(const ConvexShape& shape) { return shape.type() == mjGEOM_CAPSULE || shape.type() == mjGEOM_CYLINDER; }

// The normal that flat sides have, where it is as good as the one that was found.
Vec FlatNormal(const ConvexShape& A, const ConvexShape& B, const Side& a, const Side& b, const Vec& found,
               double rounding) {
  Vec best = found;
  double least = Overlap(A, B, found) + rounding;
  const auto consider = [&](const Vec& n) {
    const double overlap = Overlap(A, B, n);
    if (overlap > least) return;
    least = overlap;
    best = n;
  };
  if (a.IsFace()) consider(a.outline.normal);
  if (b.IsFace()) consider(-b.outline.normal);
  if (a.IsFace() || b.IsFace()) return best;
  const auto across = [&found](const Vec& direction) { return Normalized(found - direction * Dot(direction, found)); };
  const Vec u = a.Direction(), v = b.Direction(), common = Cross(u, v);
  if (IsRound(A) && IsRound(B) && Norm(common) <= kFlat) {  // from the one axis to the other
    const Vec apart = B.Centre() - A.Centre(), beside = apart - u * Dot(u, apart);
    if (Norm(beside) > kMinVal) consider(Normalized(beside) * CopySign(1.0, Dot(beside, found)));
  }
  if (Norm(common) > kFlat) {
    consider(Normalized(common) * CopySign(1.0, Dot(common, found)));
  } else {
    consider(across(u));
    consider(across(v));
  }
  return best;
}

// ---- contacts

// Distances, from A to B, of vertices of one side from the other side.
struct Gap {
  const Side& other;
  Vec n;        // from A to B
  double sign;  // 1 for vertices of A, -1 for those of B

  double At(const Vec& x) const {
    const Vec& from = other.outline.vertex[0];
    if (other.IsFace()) {
      const Vec& normal = other.outline.normal;
      return sign * Dot(normal, from - x) / Dot(normal, n);
    }
    const Vec along = other.Direction(), nearest = from + along * Dot(along, x - from);
    return sign * Dot(n, nearest - x);
  }
};

// The part of the segment that lies beside the other one.
void ClipByEnds(const Side& ends, Polygon& segment) {
  const Vec along = ends.Direction();
  polygon::ClipByPlane(along, Dot(along, ends.outline.vertex[1]), segment);
  polygon::ClipByPlane(-along, -Dot(along, ends.outline.vertex[0]), segment);
}

// Keeps four vertices, with that which is lowest along `up`; of a cap that is whole, a square.
void KeepSpreadAndLowest(const Vec& up, Polygon& vertices) {
  int first = 0;
  for (int i = 1; i < vertices.count; ++i) {
    if (Dot(up, vertices.vertex[i] - vertices.vertex[first]) < 0) first = i;
  }
  if (vertices.count <= 4) return;
  const Vec lowest = vertices.vertex[first];
  if (vertices.count == kCapSides) {
    Vec kept[4];
    for (int i = 0; i < 4; ++i) kept[i] = vertices.vertex[(first + i * kCapSides / 4) % kCapSides];
    std::copy_n(kept, 4, vertices.vertex);
    vertices.count = 4;
    return;
  }
  KeepFour(vertices);
  int nearest = 0;
  for (int i = 1; i < 4; ++i) {
    if (Norm(vertices.vertex[i] - lowest) < Norm(vertices.vertex[nearest] - lowest)) nearest = i;
  }
  vertices.vertex[nearest] = lowest;
}

// Up to four contacts at vertices of a side; where it is farthest behind the other surface is one of them.
int WriteContacts(const Polygon& vertices, const Gap& gap, double margin, mjContact* con) {
  Polygon kept;
  for (int i = 0; i < vertices.count; ++i) {
    if (gap.At(vertices.vertex[i]) < margin) kept.Add(vertices.vertex[i]);
  }
  const Vec up = gap.other.IsFace() ? gap.other.outline.normal : gap.n * -gap.sign;
  KeepSpreadAndLowest(up, kept);
  for (int i = 0; i < kept.count; ++i) {
    const Vec& x = kept.vertex[i];
    const double dist = gap.At(x);
    WriteContactPoint({dist, x + gap.n * (0.5 * gap.sign * dist), gap.n}, Zero3<double>(), con[i]);
  }
  return kept.count;
}

}  // namespace

int FlatSideContacts(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B, double margin,
                     mjContact* con) {
  const Vec found = LoadVec3(con[0].frame);
  Side a, b;
  SetSide(m, g1, A, found, a);
  if (a.outline.count < 2) return 1;
  SetSide(m, g2, B, -found, b);
  if (b.outline.count < 2) return 1;
  const double size = m->geom_rbound[g1] + m->geom_rbound[g2];
  const Vec n = FlatNormal(A, B, a, b, found, kOverlapRounding * size);
  SetSide(m, g1, A, n, a);
  SetSide(m, g2, B, -n, b);
  if (a.outline.count < 2 || b.outline.count < 2) return 1;

  // clip, by a face where there is one
  const bool of_first = b.IsFace();
  Side& clipped = of_first ? a : b;
  const Side& outline = of_first ? b : a;
  if (outline.IsFace()) {
    ClipBySides(outline.outline, clipped.outline);
  } else if (Norm(Cross(a.Direction(), b.Direction())) <= kFlat) {
    ClipByEnds(outline, clipped.outline);
  } else {
    return 1;
  }
  RemoveDoubles(clipped.outline);

  mjContact flat[4];
  const int count = WriteContacts(clipped.outline, {outline, n, of_first ? 1.0 : -1.0}, margin, flat);
  const auto deeper = [](const mjContact& one, const mjContact& other) { return one.dist < other.dist; };
  const double lost = kMissing * size + 2 * m->opt.ccd_tolerance;
  if (count < 1 || std::min_element(flat, flat + count, deeper)->dist > con[0].dist + lost) return 1;
  std::copy_n(flat, count, con);
  return count;
}

int FindFlatSideOver(const mjModel* m, int geom, const ConvexShape& shape, const Vec& up, const Vec (&triangle)[3],
                     Vec (&points)[4]) {
  Side side;
  SetSide(m, geom, shape, -up, side);
  if (side.outline.count < 2) return 0;
  Polygon column;
  column.normal = up;
  for (int i = 2; i >= 0; --i) column.Add(triangle[i]);
  ClipBySides(column, side.outline);
  RemoveDoubles(side.outline);
  KeepSpreadAndLowest(up, side.outline);
  std::copy_n(side.outline.vertex, side.outline.count, points);
  return side.outline.count;
}

}  // namespace sinew::inline collision
