#include "collision/face_contact.h"

#include <algorithm>
#include <cmath>

#include "collision/analytic.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr double kParallel = 0.99999872;          // cos of 1.6e-3 rad: up to there, two faces lie on each other
constexpr double kPerpendicular = 0.00159999931;  // sin of it: up to there, an edge lies in a face
constexpr int kMaxSides = 128;                    // of a face that is clipped
constexpr int kMaxContacts = 4;

// A convex polygon, or with two vertices an edge, in the world frame.
struct Polygon {
  Vec vertex[2 * kMaxSides];
  int count = 0;
  Vec normal = Zero3<double>();  // unit, outward

  void Add(const Vec& v) { vertex[count++] = v; }
};

// What one of the shapes turns towards the other: the face next to its support in the direction of contact, the vertex
// itself, and the edges that leave it.
class Feature {
 public:
  Feature(const mjModel* m, int geom, const ConvexShape& shape, const Vec& towards)
      : m_(m), mesh_(shape.type() == mjGEOM_MESH ? m->geom_dataid[geom] : -1), shape_(shape), towards_(towards) {}

  // The face whose normal is nearest to the direction; false when it is not parallel to it, or has too many sides.
  bool FindFace(Polygon& face) const { return mesh_ >= 0 ? FindMeshFace(face) : FindBoxFace(face); }

  // The edge at the supporting vertex that is most nearly perpendicular to a face's normal; false when none lies in it.
  bool FindEdge(const Vec& normal, Polygon& edge) const;

 private:
  bool FindBoxFace(Polygon& face) const;
  bool FindMeshFace(Polygon& face) const;
  template <class Visit>
  void ForEachEdge(Visit visit) const;

  const mjModel* m_;
  int mesh_;
  const ConvexShape& shape_;
  Vec towards_;  // from this shape to the other
};

bool Feature::FindBoxFace(Polygon& face) const {
  const Geom<double>& box = shape_.geom();
  const Vec local = MulTransposed(box.mat, towards_);
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (std::fabs(local[k]) > std::fabs(local[axis])) axis = k;
  }
  if (std::fabs(local[axis]) < kParallel) return false;
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  const double sign = local[axis] > 0 ? 1 : -1;
  face.count = 0;
  face.normal = box.mat.Column(axis) * sign;
  static constexpr double kCorners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (const auto& corner : kCorners) {
    Vec p;
    p[axis] = sign * box.size[axis];
    p[x] = corner[0] * sign * box.size[x];  // counterclockwise seen from outside
    p[y] = corner[1] * box.size[y];
    face.Add(box.ToWorld(p));
  }
  return true;
}

bool Feature::FindMeshFace(Polygon& face) const {
  if (m_->mesh_polynum[mesh_] == 0) return false;
  const Geom<double>& geom = shape_.geom();
  const Hull& hull = shape_.hull();
  const Vec local = MulTransposed(geom.mat, towards_);
  const int vertex = m_->mesh_vertadr[mesh_] + hull.MeshVertex(hull.FindSupport(local, hull.First()));
  int best = -1;
  double most = kParallel;
  for (int i = 0; i < m_->mesh_polymapnum[vertex]; ++i) {
    const int polygon = m_->mesh_polyadr[mesh_] + m_->mesh_polymap[m_->mesh_polymapadr[vertex] + i];
    const double along = Dot(LoadVec3(m_->mesh_polynormal + 3 * polygon), local);
    if (along > most) {
      most = along;
      best = polygon;
    }
  }
  if (best < 0 || m_->mesh_polyvertnum[best] > kMaxSides) return false;
  face.count = 0;
  face.normal = geom.mat * LoadVec3(m_->mesh_polynormal + 3 * best);
  const float* vertices = m_->mesh_vert + 3 * m_->mesh_vertadr[mesh_];
  for (int i = 0; i < m_->mesh_polyvertnum[best]; ++i) {
    const float* p = vertices + 3 * m_->mesh_polyvert[m_->mesh_polyvertadr[best] + i];
    face.Add(geom.ToWorld({p[0], p[1], p[2]}));
  }
  return true;
}

template <class Visit>
void Feature::ForEachEdge(Visit visit) const {
  const Geom<double>& geom = shape_.geom();
  if (mesh_ < 0) {
    const Vec corner = shape_.Support(towards_), local = geom.ToLocal(corner);
    for (int k = 0; k < 3; ++k) visit(corner, corner - geom.mat.Column(k) * (2 * local[k]));
    return;
  }
  const Hull& hull = shape_.hull();
  if (!hull.HasGraph()) return;
  const int vertex = hull.FindSupport(MulTransposed(geom.mat, towards_), hull.First());
  for (HullNeighbours next(hull, vertex); !next.AtEnd(); next.Advance()) {
    visit(geom.ToWorld(hull.Vertex(vertex)), geom.ToWorld(hull.Vertex(next.Get())));
  }
}

bool Feature::FindEdge(const Vec& normal, Polygon& edge) const {
  double least = kPerpendicular;
  edge.count = 0;
  ForEachEdge([&](const Vec& from, const Vec& to) {
    Vec along = to - from;
    Normalize(along);
    const double slope = std::fabs(Dot(along, normal));
    if (slope >= least) return;
    least = slope;
    edge.count = 0;
    edge.Add(from);
    edge.Add(to);
  });
  return edge.count == 2;
}

// ---- clipping

// Keeps what lies on the inner side of the plane through `point` (I. Sutherland, G. Hodgman, Reentrant polygon
// clipping, Comm. ACM 17, 1974).
void ClipByPlane(const Vec& point, const Vec& outward, Polygon& polygon) {
  Polygon kept;
  const int sides = polygon.count == 2 ? 1 : polygon.count;  // an edge is not closed
  for (int i = 0; i < polygon.count; ++i) {
    const Vec from = polygon.vertex[i], to = polygon.vertex[(i + 1) % polygon.count];
    const double out_from = Dot(outward, from - point), out_to = Dot(outward, to - point);
    if (out_from <= 0) kept.Add(from);
    if (i < sides && (out_from > 0) != (out_to > 0)) kept.Add(from + (to - from) * (out_from / (out_from - out_to)));
  }
  std::copy_n(kept.vertex, kept.count, polygon.vertex);
  polygon.count = kept.count;
}

// Cuts away what lies beside the face, seen along its normal.
void ClipBySides(const Polygon& face, Polygon& polygon) {
  for (int i = 0; i < face.count && polygon.count > 0; ++i) {
    const Vec from = face.vertex[i], to = face.vertex[(i + 1) % face.count];
    ClipByPlane(from, Cross(to - from, face.normal), polygon);
  }
}

// ---- four of many

double QuadrilateralArea(const Polygon& p, const int (&i)[4]) {
  return Norm(Cross(p.vertex[i[2]] - p.vertex[i[0]], p.vertex[i[3]] - p.vertex[i[1]]));
}

// Four vertices that span a large area: each in turn is moved on around the polygon while the area grows (D. Dobkin,
// L. Snyder, On a general method for maximizing and minimizing among certain geometric problems, FOCS 1979).
void KeepFour(Polygon& polygon) {
  const int n = polygon.count;
  int best[4] = {0, 1, 2, 3};
  double most = 0;
  for (int first = 0; first < n; ++first) {
    int i[4] = {first, (first + 1) % n, (first + 2) % n, (first + 3) % n};
    for (bool moved = true; moved;) {
      moved = false;
      for (int k = 3; k > 0; --k) {
        int candidate[4] = {i[0], i[1], i[2], i[3]};
        candidate[k] = (i[k] + 1) % n;
        if (candidate[k] == i[(k + 1) % 4]) continue;
        if (QuadrilateralArea(polygon, candidate) <= QuadrilateralArea(polygon, i)) continue;
        i[k] = candidate[k];
        moved = true;
      }
    }
    const double area = QuadrilateralArea(polygon, i);
    if (area > most) {
      most = area;
      std::copy_n(i, 4, best);
    }
  }
  std::sort(best, best + 4);
  for (int k = 0; k < 4; ++k) polygon.vertex[k] = polygon.vertex[best[k]];
  polygon.count = kMaxContacts;
}

void RemoveDoubles(Polygon& polygon) {
  int kept = 0;
  for (int i = 0; i < polygon.count; ++i) {
    const auto same = [&](const Vec& v) { return Norm(v - polygon.vertex[i]) < kMinVal; };
    if (std::none_of(polygon.vertex, polygon.vertex + kept, same)) polygon.vertex[kept++] = polygon.vertex[i];
  }
  polygon.count = kept;
}

// Contacts at the vertices, midway between them and the other shape, `inward` being the way there.
int Write(Polygon& polygon, double dist, const Vec& normal, const Vec& inward, mjContact* con) {
  RemoveDoubles(polygon);
  if (polygon.count > kMaxContacts) KeepFour(polygon);
  for (int i = 0; i < polygon.count; ++i) {
    WriteTouch({dist, polygon.vertex[i] + inward * (0.5 * std::fabs(dist)), normal}, Zero3<double>(), con[i]);
  }
  return std::max(polygon.count, 1);  // nothing left: the deepest contact stays
}

}  // namespace

int FaceContacts(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                 const ConvexContact& deepest, mjContact* con) {
  const Vec normal = deepest.touch.normal;
  const double dist = deepest.touch.dist;
  const Feature feature1(m, g1, A, normal), feature2(m, g2, B, -normal);
  Polygon face1, face2, edge;
  const bool flat1 = feature1.FindFace(face1), flat2 = feature2.FindFace(face2);
  if (flat1 && flat2) {
    ClipBySides(face1, face2);
    return Write(face2, dist, -face2.normal, -face2.normal, con);
  }
  if (flat2 && feature1.FindEdge(face2.normal, edge)) {
    ClipBySides(face2, edge);
    return Write(edge, dist, -face2.normal, face2.normal, con);
  }
  if (flat1 && feature2.FindEdge(face1.normal, edge)) {
    ClipBySides(face1, edge);
    return Write(edge, dist, face1.normal, face1.normal, con);
  }
  return 1;
}

}  // namespace sinew
