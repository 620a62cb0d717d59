// Faces and edges that lie on each other are sought among those at the deepest contact, then clipped against each
// other.
#include "collision/convex/face_contact.h"

#include <algorithm>
#include <cmath>

#include "collision/analytic/analytic.h"
#include "collision/convex/polygon_kernel.h"
#include "math/rows.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr double kParallel = 0.99999872;          // cos of 1.6e-3 rad: up to there, two faces lie on each other
constexpr double kPerpendicular = 0.00159999931;  // sin of it: up to there, an edge lies in a face

constexpr double kUnitError = 1e-6;  // of the square of a normal's length

// Corners of the sides of a box, -x, +x, -y, .., clockwise seen from outside; bit k is set on the positive side of axis
// k.
constexpr int kBoxFaces[6][4] = {{2, 6, 4, 0}, {7, 3, 1, 5}, {4, 5, 1, 0}, {2, 3, 7, 6}, {3, 2, 0, 1}, {6, 7, 5, 4}};

constexpr int kMaxFaces = 150;  // at a vertex of a mesh

// Edges that begin at one vertex.
struct EdgeList {
  Vec from, to[kMaxFaces], direction[kMaxFaces];
  int count = 0;

  void Add(const Vec& end) {
    to[count] = end;
    direction[count++] = Normalized(end - from);
  }
};

// The vertex, edge or face with which one of the shapes takes part in the deepest facet of their difference: what the
// three vertices of that facet have in common.
class Feature {
 public:
  // `towards` points from this shape to the other.
  Feature(const mjModel* m, int geom, const ConvexShape& shape, const int (&facet)[3], const Vec& towards)
      : m_(m), mesh_(shape.type() == mjGEOM_MESH ? m->geom_dataid[geom] : -1), shape_(shape) {
    for (const int vertex : facet) {
      if (std::find(vertex_, vertex_ + dim_, vertex) == vertex_ + dim_) vertex_[dim_++] = vertex;
    }
    if (mesh_ >= 0) {
      FindMeshFaces();
    } else {
      FindBoxFaces(towards);
    }
    for (int i = 0; i < nface_; ++i) normal_[i] = WorldNormal(face_[i]);
  }

  int dim() const { return dim_; }  // 1 vertex, 2 edge, 3 face
  bool IsFace() const { return dim_ == 3; }

  // The faces that meet at the feature, with unit outward normals in the world frame.
  int nface() const { return nface_; }
  const Vec& FaceNormal(int i) const { return normal_[i]; }
  // Its outline, clockwise seen from outside; false when it has too many sides.
  bool GetFace(int i, Polygon& face) const;

  // The edges that meet at the feature, or the edge that it is.
  void GetEdges(EdgeList& edges) const;

 private:
  void FindMeshFaces();
  void FindBoxFaces(const Vec& towards);
  Vec WorldNormal(int face) const;
  const int* MeshFace(int polygon) const { return m_->mesh_polyvert + m_->mesh_polyvertadr[polygon]; }
  int MeshVertex(int i) const { return shape_.hull().MeshVertex(vertex_[i]); }
  Vec MeshPoint(int vertex) const {
    const float* p = m_->mesh_vert + 3 * (m_->mesh_vertadr[mesh_] + static_cast<ptrdiff_t>(vertex));
    return shape_.geom().ToWorld({p[0], p[1], p[2]});
  }
  Vec BoxCorner(int corner) const {
    const Vec& size = shape_.geom().size;
    return shape_.geom().ToWorld(
        {corner & 1 ? size.x : -size.x, corner & 2 ? size.y : -size.y, corner & 4 ? size.z : -size.z});
  }
  const mjModel* m_;
  int mesh_;  // -1: a box
  const ConvexShape& shape_;
  int dim_ = 0, vertex_[3];
  int nface_ = 0, face_[kMaxFaces];  // polygons of the mesh; sides of the box, 2 axis + (1 on the positive side)
  Vec normal_[kMaxFaces];
};

// Sides on which all corners are. Corners across the box have none in common: then the side that looks at the other
// shape, if there is one.
void Feature::FindBoxFaces(const Vec& towards) {
  int different = 0;
  for (int i = 1; i < dim_; ++i) different |= vertex_[0] ^ vertex_[i];
  for (int axis = 0; axis < 3; ++axis) {
    if (!(different >> axis & 1)) face_[nface_++] = 2 * axis + (vertex_[0] >> axis & 1);
  }
  if (nface_ > 0) return;
  const Vec local = MulTransposed(shape_.geom().mat, towards);
  for (int axis = 0; axis < 3; ++axis) {
    if (std::fabs(local[axis]) > kParallel) face_[nface_++] = 2 * axis + (local[axis] > 0 ? 1 : 0);
  }
}

// Slivers have no direction: models exist in which their normals are 1e14 long.
bool IsUnit(const double* normal) {
  const Vec n = LoadVec3(normal);
  return std::fabs(Dot(n, n) - 1) < kUnitError;
}

// Whether a polygon, of few vertices, has this one. Which of them it is is hard to predict: there is no branch.
bool HasVertex(const int* begin, const int* end, int vertex) {
  bool has = false;
  for (const int* at = begin; at < end; ++at) has |= *at == vertex;
  return has;
}

// Finds the polygons that have all vertices.
void Feature::FindMeshFaces() {
  if (m_->mesh_polynum[mesh_] == 0) return;
  const ptrdiff_t first = m_->mesh_vertadr[mesh_] + MeshVertex(0);
  for (int i = 0; i < m_->mesh_polymapnum[first] && nface_ < kMaxFaces; ++i) {
    const int polygon = m_->mesh_polyadr[mesh_] + m_->mesh_polymap[m_->mesh_polymapadr[first] + i];
    const int *begin = MeshFace(polygon), *end = begin + m_->mesh_polyvertnum[polygon];
    bool all = true;
    for (int k = 1; k < dim_; ++k) all &= HasVertex(begin, end, MeshVertex(k));
    face_[nface_] = polygon;
    nface_ += all;
  }
  const auto is_sliver = [this](int face) { return !IsUnit(Row3(m_->mesh_polynormal, face)); };
  nface_ = static_cast<int>(std::remove_if(face_, face_ + nface_, is_sliver) - face_);
}

Vec Feature::WorldNormal(int face) const {
  const Mat3<double>& R = shape_.geom().mat;
  if (mesh_ >= 0) return R * LoadVec3(Row3(m_->mesh_polynormal, face));
  return R.Column(face / 2) * (face % 2 ? 1.0 : -1.0);
}

bool Feature::GetFace(int i, Polygon& face) const {
  face.count = 0;
  face.normal = FaceNormal(i);
  if (mesh_ >= 0) {
    const int count = m_->mesh_polyvertnum[face_[i]], *vertices = MeshFace(face_[i]);
    if (count > kMaxPolygonSides) return false;
    for (int k = count - 1; k >= 0; --k) face.Add(MeshPoint(vertices[k]));
    return true;
  }
  for (const int corner : kBoxFaces[face_[i]]) face.Add(BoxCorner(corner));
  return true;
}

void Feature::GetEdges(EdgeList& edges) const {
  edges.from = mesh_ < 0 ? BoxCorner(vertex_[0]) : MeshPoint(MeshVertex(0));
  if (dim_ == 2) return edges.Add(mesh_ < 0 ? BoxCorner(vertex_[1]) : MeshPoint(MeshVertex(1)));
  if (mesh_ < 0) {
    for (int axis = 0; axis < 3; ++axis) edges.Add(BoxCorner(vertex_[0] ^ 1 << axis));
    return;
  }
  for (int i = 0; i < nface_; ++i) {  // each face has one edge that leaves the vertex, when read clockwise
    const int *begin = MeshFace(face_[i]), *end = begin + m_->mesh_polyvertnum[face_[i]];
    const int* at = std::find(begin, end, MeshVertex(0));
    edges.Add(MeshPoint(at == begin ? end[-1] : at[-1]));
  }
}

// Faces of the two that lie on each other; the first pair.
bool FindFaces(const Feature& feature1, const Feature& feature2, Polygon& face1, Polygon& face2) {
  for (int i = 0; i < feature1.nface(); ++i) {
    const Vec normal = feature1.FaceNormal(i);
    for (int j = 0; j < feature2.nface(); ++j) {
      if (Dot(normal, feature2.FaceNormal(j)) >= -kParallel) continue;
      return feature1.GetFace(i, face1) && feature2.GetFace(j, face2);
    }
  }
  return false;
}

// An edge of the one that lies in a face of the other; of the first such face, the first edge.
bool FindEdgeAndFace(const Feature& edges_of, const Feature& faces, Polygon& edge, Polygon& face) {
  EdgeList edges;
  edges_of.GetEdges(edges);
  for (int j = 0; j < faces.nface(); ++j) {
    for (int i = 0; i < edges.count; ++i) {
      if (std::fabs(Dot(edges.direction[i], faces.FaceNormal(j))) >= kPerpendicular) continue;
      edge.count = 0;
      edge.Add(edges.from);
      edge.Add(edges.to[i]);
      return faces.GetFace(j, face);
    }
  }
  return false;
}

}  // namespace

bool FindFlatContact(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                     const ConvexContact& deepest, FlatContact& out) {
  const Penetration& p = deepest.penetration;
  const int facet1[3] = {p.face[0].vertex_a, p.face[1].vertex_a, p.face[2].vertex_a};
  const int facet2[3] = {p.face[0].vertex_b, p.face[1].vertex_b, p.face[2].vertex_b};
  const Feature feature1(m, g1, A, facet1, p.normal), feature2(m, g2, B, facet2, -p.normal);
  out.with_normal = 1;
  out.clipped_of = 1;
  if (FindFaces(feature1, feature2, out.outline, out.clipped)) return true;
  if (!feature1.IsFace() && feature1.dim() <= feature2.dim()) {
    out.clipped_of = 0;
    return FindEdgeAndFace(feature1, feature2, out.clipped, out.outline);
  }
  out.with_normal = 0;
  return !feature2.IsFace() && FindEdgeAndFace(feature2, feature1, out.clipped, out.outline);
}

int FaceContacts(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                 const ConvexContact& deepest, mjContact* con) {
  FlatContact flat;
  if (!FindFlatContact(m, g1, g2, A, B, deepest, flat)) return 1;
  const Vec normal = flat.Normal();
  Polygon& polygon = flat.clipped;
  ClipBySides(flat.outline, polygon);
  RemoveDoubles(polygon);
  if (polygon.count > 4) KeepFour(polygon);
  for (int i = 0; i < polygon.count; ++i) {
    WriteContactPoint(AtFlatVertex(polygon.vertex[i], deepest.point.dist, normal), Zero3<double>(), con[i]);
  }
  return std::max(polygon.count, 1);  // nothing left: the deepest contact stays
}

}  // namespace sinew
