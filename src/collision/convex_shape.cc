#include "collision/convex_shape.h"

#include <cmath>

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr int kWalks = 2;  // over a hull before its vertices are brought into columns

double SignedBy(double size, double direction) { return direction >= 0 ? size : -size; }

}  // namespace

ConvexShape::ConvexShape(const mjModel* m, const mjData* d, int geom)
    : type_(m->geom_type[geom]),
      geom_{LoadVec3(d->geom_xpos + 3 * geom), LoadMat3(d->geom_xmat + 9 * geom), LoadVec3(m->geom_size + 3 * geom)} {
  if (type_ == mjGEOM_SPHERE || type_ == mjGEOM_CAPSULE) radius_ = geom_.size.x;
  if (type_ == mjGEOM_MESH || type_ == mjGEOM_SDF) hull_ = Hull(m, m->geom_dataid[geom]);
}

ConvexShape::ConvexShape(const Vec (&corners)[6])
    : type_(mjGEOM_NONE), geom_{Zero3<double>(), Identity3<double>(), Zero3<double>()} {
  for (int i = 0; i < 6; ++i) {
    corners_[i] = corners[i];
    geom_.pos += corners[i] * (1.0 / 6);
  }
}

SupportPoint ConvexShape::FindSupport(const Vec& direction) const {
  if (type_ != mjGEOM_NONE) {
    SupportPoint support = LocalSupport(MulTransposed(geom_.mat, direction));
    support.point = geom_.ToWorld(support.point);
    return support;
  }
  int best = 0;
  for (int i = 1; i < 6; ++i) {
    if (Dot(direction, corners_[i] - corners_[best]) > 0) best = i;
  }
  return {corners_[best], best};
}

// Most pairs are told apart by one or two supports; columns are for those that take more.
int ConvexShape::FindHullSupport(const Vec& u) const {
  if (!HullColumns::Fits(hull_)) return hull_.FindSupport(u, start_);
  if (walks_ < kWalks) {
    if (++walks_ == kWalks) columns_.Load(hull_);
    return hull_.FindSupport(u, start_);
  }
  return columns_.FindSupport(u);
}

SupportPoint ConvexShape::LocalSupport(const Vec& u) const {
  const Vec size = geom_.size;
  switch (type_) {
    case mjGEOM_CAPSULE:
      return {{0, 0, SignedBy(size.y, u.z)}, 0};
    case mjGEOM_ELLIPSOID: {
      const Vec scaled = {size.x * u.x, size.y * u.y, size.z * u.z};
      const double length = Norm(scaled), scale = length > 0 ? 1 / length : 0;  // as small as a direction may be
      return {{size.x * scaled.x * scale, size.y * scaled.y * scale, size.z * scaled.z * scale}, 0};
    }
    case mjGEOM_CYLINDER: {
      const double length = Sqrt(u.x * u.x + u.y * u.y);
      const double scale = length > kMinVal * std::fabs(u.z) ? size.x / length : 0;
      return {{scale * u.x, scale * u.y, SignedBy(size.y, u.z)}, 0};
    }
    case mjGEOM_BOX:
      return {{SignedBy(size.x, u.x), SignedBy(size.y, u.y), SignedBy(size.z, u.z)},
              (u.x >= 0 ? 1 : 0) | (u.y >= 0 ? 2 : 0) | (u.z >= 0 ? 4 : 0)};
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      start_ = FindHullSupport(u);
      return {hull_.Vertex(start_), start_};
    default:  // the core of a sphere
      return {Zero3<double>(), 0};
  }
}

void ConvexShape::Rotate(const Mat3<double>& rotation, const Vec& about) {
  geom_.pos = about + rotation * (geom_.pos - about);
  geom_.mat = rotation * geom_.mat;
}

}  // namespace sinew
