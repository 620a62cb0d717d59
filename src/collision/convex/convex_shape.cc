// Convex shapes are made of geoms, of cells of height fields, and of elements of flexes.
#include "collision/convex/convex_shape.h"

#include "math/rows.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

}  // namespace

ConvexShape::ConvexShape(const mjModel* m, const mjData* d, int geom)
    : type_(m->geom_type[geom]),
      geom_{LoadVec3(Row3(d->geom_xpos, geom)), LoadMat3(d->geom_xmat + 9 * geom), LoadVec3(Row3(m->geom_size, geom))} {
  if (type_ == mjGEOM_SPHERE || type_ == mjGEOM_CAPSULE) radius_ = geom_.size.x;
  if (type_ == mjGEOM_MESH || type_ == mjGEOM_SDF) hull_ = HullWithLists(m, m->geom_dataid[geom]);
}

ConvexShape::ConvexShape(const Vec (&corners)[6], const Mat3<double>& frame)
    : type_(mjGEOM_NONE), geom_{Zero3<double>(), frame, Zero3<double>()} {
  for (int i = 0; i < 6; ++i) {
    corners_[i] = corners[i];
    geom_.pos += corners[i] * (1.0 / 6);
  }
}

ConvexShape::ConvexShape(const Vec* corners, int count, double radius)
    : type_(mjGEOM_FLEX), geom_{Zero3<double>(), Identity3<double>(), Zero3<double>()}, radius_(radius), count_(count) {
  for (int i = 0; i < count; ++i) {
    corners_[i] = corners[i];
    geom_.pos += corners[i] * (1.0 / count);
  }
}

}  // namespace sinew::inline collision
