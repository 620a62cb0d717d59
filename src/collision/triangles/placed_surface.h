// The surface of a geom in the frame of another one, or in its own: a table with a pose. That of a box is the table of
// a cube with sides of two, scaled by its half sizes.
#ifndef SINEW_COLLISION_TRIANGLES_PLACED_SURFACE_H_
#define SINEW_COLLISION_TRIANGLES_PLACED_SURFACE_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "collision/triangles/surface_table.h"

namespace sinew::inline collision {

inline constexpr double kParallel = 2e-3;  // slope of faces and edges that count as parallel
inline constexpr double kShallow = 0.003;  // depth of which no more is asked, in sizes of a geom

// A geom in the frame of another one.
PlacedGeom<double> InFrame(const PlacedGeom<double>& frame, const PlacedGeom<double>& geom);

// A face with its corners and normal where they are.
struct PlacedFace {
  Vec3<double> corner[3], normal;
};

class PlacedSurface {
 public:
  // A box or mesh; `frame` is the geom in whose frame the surface is seen. Throws for meshes of models of which no
  // tables can be kept.
  PlacedSurface(const mjModel* m, mjData* d, int geom, const PlacedGeom<double>& frame);
  // The same in its own frame.
  PlacedSurface(const mjModel* m, int geom);

  const SurfaceTable& table() const { return *table_; }
  Vec3<double> Vertex(int i) const { return ToFrame(table_->vertex(i)); }
  Vec3<double> Direction(const Vec3<double>& own) const { return is_own_ ? own : mat_ * own; }
  PlacedFace Face(int i) const {
    const SurfaceFace& face = table_->face(i);
    return {{Vertex(face.vertex[0]), Vertex(face.vertex[1]), Vertex(face.vertex[2])}, Direction(face.normal)};
  }

  // The box of a node, around its centre, by half sizes along the axes of the frame.
  Vec3<double> NodeCentre(const SurfaceNode& node) const { return ToFrame(node.centre); }
  Vec3<double> NodeHalf(const SurfaceNode& node) const {
    return is_own_ ? Scaled(node.half) : reach_ * Scaled(node.half);
  }

  // How far it is in a direction from a point in the solid, or of its surface, to its end; and whether nothing is on a
  // way out of it.
  double WayToEnd(const Vec3<double>& point, const Vec3<double>& direction) const;
  bool IsFree(const Vec3<double>& point, const Vec3<double>& direction, double way) const;

  // Whether all neighbours of a vertex are on the outer side of a plane through it whose normal is n: n leads inward.
  bool StandsOn(int vertex, const Vec3<double>& n) const;

 private:
  Vec3<double> Scaled(const Vec3<double>& v) const { return {scale_.x * v.x, scale_.y * v.y, scale_.z * v.z}; }
  Vec3<double> ToFrame(const Vec3<double>& v) const { return is_own_ ? Scaled(v) : pos_ + mat_ * Scaled(v); }

  const SurfaceTable* table_;
  Vec3<double> pos_ = {0, 0, 0}, scale_ = {1, 1, 1};
  Mat3<double> mat_, reach_;  // reach_: the absolute values
  bool is_box_, is_own_;      // is_own_: seen in its own frame
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_PLACED_SURFACE_H_
