// The surface of a mesh as contacts see it (docs/how/triangles.md): its faces, the edges and corners that stick out,
// and trees of boxes over them. It is made once for a mesh, in the frame of the mesh.
#ifndef SINEW_COLLISION_TRIANGLES_SURFACE_TABLE_H_
#define SINEW_COLLISION_TRIANGLES_SURFACE_TABLE_H_

#include <vector>

#include "collision/triangles/surface_tree.h"
#include "math/vec3.h"

namespace sinew::inline collision {

// Angles below this one are none: they are those of flat surfaces whose corners are rounded to floats [rad].
inline constexpr double kFlatAngle = 2e-4;

struct SurfaceFace {
  int vertex[3];        // counterclockwise, seen from outside
  bool is_sliver;       // it has no direction, and no contacts
  Vec3<double> normal;  // outward
};

// An edge that sticks out. A direction across it belongs to it, as outward normal, where it leads along neither
// `inward`: the directions in both of its faces, away from it; at the border of an open surface, that in its only face,
// and the face's normal turned around.
struct SurfaceEdge {
  int vertex[2];
  Vec3<double> inward[2];
  Vec3<double> middle;  // of its normals, in the middle between those of both faces
  double cosine, sine;  // of the angle between that and the normal of a face
  bool is_border;       // of an open surface
};

class SurfaceTable {
 public:
  // Vertices at the same place are one; corners of faces are three indices of vertices each.
  SurfaceTable(const std::vector<Vec3<double>>& points, const std::vector<int>& corners);

  // Items are numbered as the leaves of their tree have them; an item of `corners` is a vertex.
  const SurfaceTree& faces() const { return face_tree_; }
  const SurfaceTree& edges() const { return edge_tree_; }
  const SurfaceTree& corners() const { return corner_tree_; }
  const SurfaceFace& face(int i) const { return face_[static_cast<size_t>(i)]; }
  const SurfaceEdge& edge(int i) const { return edge_[static_cast<size_t>(i)]; }
  int corner(int i) const { return corner_[static_cast<size_t>(i)]; }
  const Vec3<double>& vertex(int i) const { return vertex_[static_cast<size_t>(i)]; }

  // How far it is from a point in a direction to where the solid ends, or, outside of it, begins [m]. A face that the
  // point is on does not count.
  double WayToEnd(const Vec3<double>& point, const Vec3<double>& direction) const {
    return WayToFace(point, direction, 1);
  }
  double WayToBegin(const Vec3<double>& point, const Vec3<double>& direction) const {
    return WayToFace(point, direction, -1);
  }

  // Whether visit(neighbour) is true for all vertices that share an edge with one.
  template <class Visit>
  bool AllNeighbours(int vertex, const Visit& visit) const {
    const auto v = static_cast<size_t>(vertex);
    for (int i = neighbours_at_[v]; i < neighbours_at_[v + 1]; ++i) {
      if (!visit(neighbour_[static_cast<size_t>(i)])) return false;
    }
    return true;
  }

 private:
  struct HalfEdge {
    int low, high;  // its vertices, the smaller first
    int face, side;
  };

  std::vector<int> MergeVertices(const std::vector<Vec3<double>>& points);
  void AddFaces(const std::vector<int>& corners);
  std::vector<HalfEdge> SidesInOrder() const;
  void FindNeighbours(const std::vector<HalfEdge>& sides);
  void FindEdges(const std::vector<HalfEdge>& sides);
  void AddEdge(const HalfEdge* of, int count);
  void FindCorners();
  void MakeTrees();
  double WayToFace(const Vec3<double>& point, const Vec3<double>& direction, double side) const;

  std::vector<Vec3<double>> vertex_;
  std::vector<SurfaceFace> face_;
  std::vector<SurfaceEdge> edge_;
  std::vector<int> corner_;
  SurfaceTree face_tree_, edge_tree_, corner_tree_;
  std::vector<int> neighbours_at_, neighbour_;
  double size_ = 0;  // longest side of the box around it
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_SURFACE_TABLE_H_
