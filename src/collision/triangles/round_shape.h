// A sphere, capsule, ellipsoid or cylinder in the frame of a mesh: its signed distance, which is convex, and what it
// turns towards a plane.
#ifndef SINEW_COLLISION_TRIANGLES_ROUND_SHAPE_H_
#define SINEW_COLLISION_TRIANGLES_ROUND_SHAPE_H_

#include <mujoco/mujoco.h>

#include <iterator>

#include "collision/analytic/plane_kernel.h"
#include "collision/geom.h"
#include "math/signed_distance.h"

namespace sinew::inline collision {

class RoundShape {
 public:
  RoundShape(int type, const PlacedGeom<double>& geom, double radius) : type_(type), geom_(geom), radius_(radius) {}

  const Vec3<double>& Centre() const { return geom_.pos; }
  double radius() const { return radius_; }  // of the ball around it
  // Of balls in it that touch its surface from inside: smaller ones for ellipsoids and cylinders, where they are small.
  double inner_radius() const {
    const Vec3<double>& size = geom_.size;
    if (type_ == mjGEOM_CYLINDER) return size.x < size.y ? size.x : size.y;
    if (type_ != mjGEOM_ELLIPSOID) return size.x;
    return size.x < size.y ? (size.x < size.z ? size.x : size.z) : (size.y < size.z ? size.y : size.z);
  }

  double Distance(const Vec3<double>& point) const {
    const Vec3<double> p = geom_.ToLocal(point), &size = geom_.size;
    switch (type_) {
      case mjGEOM_SPHERE:
        return SphereDistance(p, size.x);
      case mjGEOM_CAPSULE:
        return CapsuleDistance(p, size.x, size.y);
      case mjGEOM_CYLINDER:
        return CylinderDistance(p, size.x, size.y);
      default:
        return EllipsoidDistance(p, size);
    }
  }
  // What the distance of a point is not below: an ellipsoid's is of first order, and that of the ball around it less.
  double LeastDistance(const Vec3<double>& point) const {
    return type_ == mjGEOM_ELLIPSOID ? Norm(point - geom_.pos) - radius_ : Distance(point);
  }
  // Of unit length, or zero where there is none.
  Vec3<double> Gradient(const Vec3<double>& point) const {
    const Vec3<double> p = geom_.ToLocal(point), &size = geom_.size;
    switch (type_) {
      case mjGEOM_SPHERE:
        return geom_.mat * SphereGradient(p);
      case mjGEOM_CAPSULE:
        return geom_.mat * CapsuleGradient(p, size.y);
      case mjGEOM_CYLINDER:
        return geom_.mat * CylinderGradient(p, size.x, size.y);
      default:
        return geom_.mat * EllipsoidGradient(p, size);
    }
  }

  // From a point in it or of its surface, in a direction.
  double WayToEnd(const Vec3<double>& point, const Vec3<double>& direction) const {
    double inside = 0, outside = 2 * radius_;  // longer than any way in it
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (inside + outside);
      (Distance(point + direction * middle) <= 0 ? inside : outside) = middle;
    }
    return outside;
  }

  // Calls visit(contact) for the contacts with a plane.
  template <class Visit>
  void ForEachOnPlane(const Vec3<double>& point, const Vec3<double>& normal, double margin, const Visit& visit) const {
    PlacedGeom<double> plane = {point, {}, {}};
    for (int i = 0; i < 3; ++i) plane.mat(i, 2) = normal[i];
    const auto all = [&visit](const auto& found) {
      for (size_t i = 0; i < std::size(found.point); ++i) {
        if (found.hit[i]) visit(found.point[i]);
      }
    };
    switch (type_) {
      case mjGEOM_SPHERE:
        return all(PlaneSphere(plane, geom_, margin));
      case mjGEOM_CAPSULE:
        return all(PlaneCapsule(plane, geom_, margin));
      case mjGEOM_CYLINDER:
        return all(PlaneCylinder(plane, geom_, margin));
      default:
        return all(PlaneEllipsoid(plane, geom_, margin));
    }
  }

 private:
  int type_;
  PlacedGeom<double> geom_;
  double radius_;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_ROUND_SHAPE_H_
