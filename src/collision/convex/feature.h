// Vertices, edges and faces of polytopes: boxes, and hulls of meshes.
#ifndef SINEW_COLLISION_CONVEX_FEATURE_H_
#define SINEW_COLLISION_CONVEX_FEATURE_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstddef>

#include "collision/convex/convex_shape.h"
#include "collision/convex/polygon_kernel.h"

namespace sinew::inline collision {

// The cosine and the sine of 1.6e-3 rad: up to there, two faces lie on each other, and an edge lies in a face.
inline constexpr double kParallel = 0.99999872;
inline constexpr double kPerpendicular = 0.00159999931;

inline constexpr int kMaxFacesAtVertex = 150;  // at a vertex of a mesh

// Edges that begin at one vertex.
struct EdgeList {
  Vec3<double> from, to[kMaxFacesAtVertex], direction[kMaxFacesAtVertex];
  int count = 0;

  void Add(const Vec3<double>& end) {
    to[count] = end;
    direction[count++] = Normalized(end - from);
  }
};

// The vertex, edge or face with which one of the shapes takes part in the deepest facet of their difference: what the
// three vertices of that facet have in common.
class Feature {
 public:
  // `towards` points from this shape to the other.
  Feature(const mjModel* m, int geom, const ConvexShape& shape, const int (&facet)[3], const Vec3<double>& towards);

  int dim() const { return dim_; }  // 1 vertex, 2 edge, 3 face
  bool IsFace() const { return dim_ == 3; }

  // The faces that meet at the feature, with unit outward normals in the world frame.
  int nface() const { return nface_; }
  const Vec3<double>& FaceNormal(int i) const { return normal_[i]; }
  // Its outline, clockwise seen from outside; false when it has too many sides.
  bool GetFace(int i, Polygon& face) const;

  // The edges that meet at the feature, or the edge that it is.
  void GetEdges(EdgeList& edges) const;

 private:
  void FindMeshFaces();
  void FindBoxFaces(const Vec3<double>& towards);
  Vec3<double> WorldNormal(int face) const;
  const int* MeshFace(int polygon) const { return m_->mesh_polyvert + m_->mesh_polyvertadr[polygon]; }
  int MeshVertex(int i) const { return shape_.hull().MeshVertex(vertex_[i]); }
  Vec3<double> MeshPoint(int vertex) const;
  Vec3<double> BoxCorner(int corner) const;
  const mjModel* m_;
  int mesh_;  // -1: a box
  const ConvexShape& shape_;
  int dim_ = 0, vertex_[3];
  int nface_ = 0,
      face_[kMaxFacesAtVertex];  // polygons of the mesh; sides of the box, 2 axis + (1 on the positive side)
  Vec3<double> normal_[kMaxFacesAtVertex];
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_FEATURE_H_
