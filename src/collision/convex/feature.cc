// Faces of meshes are the polygons of their hulls; those of boxes follow from the numbers of their corners.
#include "collision/convex/feature.h"

#include <cmath>

#include "math/rows.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr double kUnitError = 1e-6;  // of the square of a normal's length

// Corners of the sides of a box, -x, +x, -y, .., clockwise seen from outside; bit k is set on the positive side of axis
// k.
constexpr int kBoxFaces[6][4] = {{2, 6, 4, 0}, {7, 3, 1, 5}, {4, 5, 1, 0}, {2, 3, 7, 6}, {3, 2, 0, 1}, {6, 7, 5, 4}};

// Slivers have no direction: models exist in which their normals are 1e14 long.
bool IsUnitNormal(const double* normal) {
  const Vec n = LoadVec3(normal);
  return std::fabs(Dot(n, n) - 1) < kUnitError;
}

// Whether a polygon, of few vertices, has this one. Which of them it is is hard to predict: there is no branch.
bool HasVertex(const int* begin, const int* end, int vertex) {
  bool has = false;
  for (const int* at = begin; at < end; ++at) has |= *at == vertex;
  return has;
}

}  // namespace

Feature::Feature(const mjModel* m, int geom, const ConvexShape& shape, const int (&facet)[3], const Vec& towards)
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

Vec Feature::MeshPoint(int vertex) const {
  const float* p = m_->mesh_vert + 3 * (m_->mesh_vertadr[mesh_] + static_cast<ptrdiff_t>(vertex));
  return shape_.geom().ToWorld({p[0], p[1], p[2]});
}

Vec Feature::BoxCorner(int corner) const {
  const Vec& size = shape_.geom().size;
  return shape_.geom().ToWorld(
      {corner & 1 ? size.x : -size.x, corner & 2 ? size.y : -size.y, corner & 4 ? size.z : -size.z});
}

// Sides on which all corners are. Corners across the box have none in common: then the side that faces the other shape,
// if there is one.
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

// Finds the polygons that have all vertices.
void Feature::FindMeshFaces() {
  if (m_->mesh_polynum[mesh_] == 0) return;
  const ptrdiff_t first = m_->mesh_vertadr[mesh_] + MeshVertex(0);
  for (int i = 0; i < m_->mesh_polymapnum[first] && nface_ < kMaxFacesAtVertex; ++i) {
    const int polygon = m_->mesh_polyadr[mesh_] + m_->mesh_polymap[m_->mesh_polymapadr[first] + i];
    const int *begin = MeshFace(polygon), *end = begin + m_->mesh_polyvertnum[polygon];
    bool all = true;
    for (int k = 1; k < dim_; ++k) all &= HasVertex(begin, end, MeshVertex(k));
    face_[nface_] = polygon;
    nface_ += all;
  }
  const auto is_sliver = [this](int face) { return !IsUnitNormal(Row3(m_->mesh_polynormal, face)); };
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

}  // namespace sinew::inline collision
