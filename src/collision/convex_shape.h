// Convex shapes by their support function: the point of the shape that is farthest in a direction.
//
// A shape is a core and a ball around each of its points: spheres are points, capsules segments with a radius.
// Distances and depths of cores differ from those of the shapes by the radii alone, so that the iterations see sharp,
// simple cores.
#ifndef SINEW_COLLISION_CONVEX_SHAPE_H_
#define SINEW_COLLISION_CONVEX_SHAPE_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "collision/hull.h"

namespace sinew {

// A point of a shape's core, and which vertex of it that is: the hull vertex of a mesh, the corner of a box (bit k is
// set on the positive side of axis k), the corner of a prism; 0 for smooth shapes.
struct SupportPoint {
  Vec3<double> point;
  int vertex;
};

class ConvexShape {
 public:
  // A sphere, capsule, ellipsoid, cylinder, box or mesh.
  ConvexShape(const mjModel* m, const mjData* d, int geom);

  // A triangular prism by its corners in the world frame.
  explicit ConvexShape(const Vec3<double> (&corners)[6]);

  // The point of the core with the largest projection on `direction` (any length), in the world frame. Of equal ones
  // the positive side of primitives, the first vertex of meshes.
  SupportPoint FindSupport(const Vec3<double>& direction) const;
  Vec3<double> Support(const Vec3<double>& direction) const { return FindSupport(direction).point; }

  // Rotates the shape about a point of the world.
  void Rotate(const Mat3<double>& rotation, const Vec3<double>& about);

  Vec3<double> Centre() const { return geom_.pos; }
  double radius() const { return radius_; }
  // Whether the core has neither edges nor corners: a point, or an ellipsoid.
  bool IsSmooth() const { return type_ == mjGEOM_SPHERE || type_ == mjGEOM_ELLIPSOID; }
  bool IsPolytope() const { return type_ == mjGEOM_BOX || type_ == mjGEOM_MESH || type_ == mjGEOM_NONE; }
  int type() const { return type_; }
  const Geom<double>& geom() const { return geom_; }
  const Hull& hull() const { return hull_; }

 private:
  int FindHullSupport(const Vec3<double>& direction) const;
  SupportPoint LocalSupport(const Vec3<double>& direction) const;

  int type_;  // mjtGeom; mjGEOM_NONE for prisms
  Geom<double> geom_;
  double radius_ = 0;  // of the ball around the core
  Hull hull_;
  mutable int walks_ = 0;        // supports that were found by walking over the hull
  mutable HullColumns columns_;  // of a small hull, once there were several
  mutable int start_ = 0;        // hull vertex of the last support: the next one is mostly near it
  Vec3<double> corners_[6];
};

}  // namespace sinew

#endif  // SINEW_COLLISION_CONVEX_SHAPE_H_
