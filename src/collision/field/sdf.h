// Signed distance fields of geoms, alone and in pairs (docs/how/sdf.md). A field is negative inside of its shape.
#ifndef SINEW_COLLISION_FIELD_SDF_H_
#define SINEW_COLLISION_FIELD_SDF_H_

#include <mujoco/mujoco.h>

#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew::inline collision {

// The plugin that gives a geom its shape; nullptr when it has none. Throws when it has one without distances.
const mjpPlugin* FieldPlugin(const mjModel* m, int geom);

// One shape, in its own frame: a plugin's, an octree's, or a primitive.
class DistanceField {
 public:
  // As mjSDF names them. `id` is the instance of the plugin, the mesh, or the geom of a primitive. Throws for shapes
  // without a field.
  DistanceField(const mjModel* m, const mjData* d, const mjpPlugin* plugin, int id, int geom_type);

  static DistanceField OfGeom(const mjModel* m, const mjData* d, int geom);

  // Whether a geom has one.
  static bool IsKnown(const mjModel* m, int geom);

  double Distance(const Vec3<double>& point) const;

  // The gradient has unit length for primitives; for octrees see OctreeGradient; plugins give theirs as it is.
  Vec3<double> Gradient(const Vec3<double>& point) const;

 private:
  const mjModel* m_;
  const mjData* d_;
  const mjpPlugin* plugin_;
  int id_, type_;
  Vec3<double> size_ = {0, 0, 0};
};

// Two fields A and B in the frame of the first; x lies at `offset` + `turn` x in the frame of the second.
class FieldPair {
 public:
  FieldPair(const DistanceField& first, const DistanceField& second, const Vec3<double>& offset,
            const Mat3<double>& turn)
      : first_(first), second_(second), offset_(offset), turn_(turn) {}

  static FieldPair OfGeoms(const mjModel* m, const mjData* d, int geom1, int geom2);

  Vec3<double> InSecond(const Vec3<double>& x) const { return offset_ + turn_ * x; }

  // intersection: max(A, B); midsurface: A - B; collision: A + B + |max(A, B)|. The gradient of the midsurface is its
  // unit normal, from gradients of unit length: where A and B are equally deep, what counts is their directions.
  double Distance(mjtSDFType type, const Vec3<double>& x) const;
  Vec3<double> Gradient(mjtSDFType type, const Vec3<double>& x) const;

 private:
  DistanceField first_, second_;
  Vec3<double> offset_;
  Mat3<double> turn_;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FIELD_SDF_H_
