// Convex shapes by their support function: the point of the shape that is farthest in a direction.
//
// A shape is a core and a ball around each of its points: spheres are points, capsules segments with a radius.
// Distances and depths of cores differ from those of the shapes by the radii alone, so that the iterations see sharp,
// simple cores.
#ifndef SINEW_COLLISION_CONVEX_CONVEX_SHAPE_H_
#define SINEW_COLLISION_CONVEX_CONVEX_SHAPE_H_

#include <mujoco/mujoco.h>

#include "collision/convex/hull_support.h"
#include "collision/geom.h"

namespace sinew::inline collision {

// A point of a shape's core, and which vertex of it that is: the hull vertex of a mesh, the corner of a box (bit k is
// set on the positive side of axis k), the corner of a prism; 0 for smooth shapes.
struct SupportPoint {
  Vec3<double> point;
  int vertex;
};

// Which of the points that are equally far in a direction across a primitive's axis is its support: one on the positive
// side, or the one in the middle.
enum class Ties { kPositive, kMiddle };

class ConvexShape {
 public:
  // The geom is a sphere, capsule, ellipsoid, cylinder, box or mesh.
  ConvexShape(const mjModel* m, const mjData* d, int geom);

  // A prism by three corners at its bottom and three at its top, in the world frame, and the frame in which z is up.
  // The top counts for directions up, even where it is lower than the bottom: below the base of a height field, the
  // ground keeps its slope.
  ConvexShape(const Vec3<double> (&corners)[6], const Mat3<double>& frame);

  // A segment, triangle or tetrahedron by its corners in the world frame, in a ball of the radius.
  ConvexShape(const Vec3<double>* corners, int count, double radius);

  // The point of the core with the largest projection on `direction` (any length), in the world frame. Of equal ones
  // the first vertex of meshes.
  template <Ties kTies = Ties::kPositive>
  SupportPoint FindSupport(const Vec3<double>& direction) const {
    SupportPoint support;
    if (type_ == mjGEOM_NONE) {
      support = FindCorner(direction);
    } else if (type_ == mjGEOM_FLEX) {
      support = FindSimplexCorner(direction);
    } else {
      support = LocalSupport<kTies>(MulTransposed(geom_.mat, direction));
      support.point = geom_.ToWorld(support.point);
    }
    if (inflation_ > 0) support.point += Normalized(direction) * inflation_;
    return support;
  }
  Vec3<double> Support(const Vec3<double>& direction) const { return FindSupport(direction).point; }

  // Makes the shape larger by a ball: around points and segments the radius grows, other cores are inflated.
  void Grow(double by) { (radius_ > 0 ? radius_ : inflation_) += by; }

  // Moves the shape of a geom to another pose.
  void Place(const Vec3<double>& pos, const Mat3<double>& mat) {
    geom_.pos = pos;
    geom_.mat = mat;
  }

  // Makes the ball around the core a part of it.
  void Fill() {
    inflation_ += radius_;
    radius_ = 0;
  }

  Vec3<double> Centre() const { return geom_.pos; }
  double radius() const { return radius_; }
  bool IsPolytope() const {
    return type_ == mjGEOM_BOX || type_ == mjGEOM_MESH || type_ == mjGEOM_NONE || type_ == mjGEOM_FLEX;
  }
  // Whether its surface consists of facets.
  bool HasFacets() const { return IsPolytope() && inflation_ == 0; }
  int type() const { return type_; }
  const PlacedGeom<double>& geom() const { return geom_; }
  const Hull& hull() const { return hull_.hull(); }  // of a mesh

 private:
  SupportPoint FindCorner(const Vec3<double>& direction) const;
  SupportPoint FindSimplexCorner(const Vec3<double>& direction) const;
  template <Ties kTies>
  SupportPoint LocalSupport(const Vec3<double>& u) const;
  template <Ties kTies>
  static double SignedBy(double size, double direction) {
    if (kTies == Ties::kMiddle && direction == 0) return 0;
    return direction >= 0 ? size : -size;
  }

  int type_;  // mjtGeom; mjGEOM_NONE for prisms, mjGEOM_FLEX for elements of flexes
  PlacedGeom<double> geom_;
  double radius_ = 0;        // of the ball around the core
  double inflation_ = 0;     // of a ball that counts as part of it
  HullWithLists hull_;       // of a mesh
  int count_ = 6;            // of the corners
  Vec3<double> corners_[6];  // of a prism or an element
};

inline SupportPoint ConvexShape::FindCorner(const Vec3<double>& direction) const {
  const int first = Dot(geom_.mat.Column(2), direction) > 0 ? 3 : 0;
  int best = first;
  for (int i = first + 1; i < first + 3; ++i) {
    if (Dot(direction, corners_[i] - corners_[best]) > 0) best = i;
  }
  return {corners_[best], best};
}

inline SupportPoint ConvexShape::FindSimplexCorner(const Vec3<double>& direction) const {
  int best = 0;
  for (int i = 1; i < count_; ++i) {
    if (Dot(direction, corners_[i] - corners_[best]) > 0) best = i;
  }
  return {corners_[best], best};
}

template <Ties kTies>
inline SupportPoint ConvexShape::LocalSupport(const Vec3<double>& u) const {
  const Vec3<double>& size = geom_.size;
  switch (type_) {
    case mjGEOM_CAPSULE:
      return {{0, 0, SignedBy<kTies>(size.y, u.z)}, 0};
    case mjGEOM_ELLIPSOID: {
      const Vec3<double> scaled = {size.x * u.x, size.y * u.y, size.z * u.z};
      const double length = Norm(scaled), scale = length > 0 ? 1 / length : 0;  // as small as a direction may be
      return {{size.x * scaled.x * scale, size.y * scaled.y * scale, size.z * scaled.z * scale}, 0};
    }
    case mjGEOM_CYLINDER: {
      const double length = Sqrt(u.x * u.x + u.y * u.y);
      const double scale = length > kMinVal * Abs(u.z) ? size.x / length : 0;
      return {{scale * u.x, scale * u.y, SignedBy<kTies>(size.y, u.z)}, 0};
    }
    case mjGEOM_BOX:
      return {{SignedBy<kTies>(size.x, u.x), SignedBy<kTies>(size.y, u.y), SignedBy<kTies>(size.z, u.z)},
              (u.x >= 0 ? 1 : 0) | (u.y >= 0 ? 2 : 0) | (u.z >= 0 ? 4 : 0)};
    case mjGEOM_MESH:
    case mjGEOM_SDF: {
      const HullVertex vertex = hull_.FindSupport(u);
      return {vertex.point, vertex.id};
    }
    default:  // the core of a sphere
      return {Zero3<double>(), 0};
  }
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_CONVEX_SHAPE_H_
