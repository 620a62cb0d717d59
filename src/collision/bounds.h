// Tests of bounding spheres and boxes.
//
// The test of two boxes uses their six face normals and not the cross products of edges: cheaper, and only ever wrong
// on the safe side.
#ifndef SINEW_COLLISION_BOUNDS_H_
#define SINEW_COLLISION_BOUNDS_H_

#include <mujoco/mujoco.h>

#include <cmath>
#include <utility>

#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew {

// A box in a frame: `box` is its centre and half sizes.
struct PlacedBox {
  const double *origin, *axes;  // of the frame
  const double* box;
};

// A frame relative to another, with what the box test needs of it.
struct RelativeFrame {
  Mat3<double> R, absolute;  // axes of the second frame in the first, and the magnitudes of their components
  Vec3<double> origin;       // of the second frame in the first

  RelativeFrame(const double* pos1, const double* mat1, const double* pos2, const double* mat2);
  // Of a frame in the world.
  RelativeFrame(const double* pos, const double* mat);

 private:
  void SetAbsolute();
};

// Half sizes from which a box has no end (mjMAXVAL): that of a plane fills the space below it.
inline constexpr double kUnbounded = 1e10;
inline constexpr double kCoarse = 1e-5;  // [m] more than the rounding of the coordinates of such boxes
inline bool IsUnbounded(const double* box) {
  return box[3] >= kUnbounded || box[4] >= kUnbounded || box[5] >= kUnbounded;
}

// Whether two boxes (centre, half sizes), each in its own frame, overlap or are within the margin along every face
// normal. Of a box without end, only its own normals count.
bool BoxesOverlap(const RelativeFrame& frame, const double* box1, const double* box2, double margin);

// The same for two boxes that are compared once.
bool BoxesOverlap(const PlacedBox& box1, const PlacedBox& box2, double margin);

// The same along the world's z axis only, box 1 being in the world's frame.
inline bool BoxesOverlapAlongZ(const double* box1, const PlacedBox& box2, double margin) {
  const double *axis = box2.axes + 6, *box = box2.box;
  const double apart = box2.origin[2] + axis[0] * box[0] + axis[1] * box[1] + axis[2] * box[2] - box1[2];
  const double reach = std::fabs(axis[0]) * box[3] + std::fabs(axis[1]) * box[4] + std::fabs(axis[2]) * box[5];
  return std::fabs(apart) <= box1[5] + reach + margin + kCoarse;
}

// Distance up to which the contacts of two geoms without an explicit pair are detected.
inline double PairMargin(const mjModel* m, int geom1, int geom2) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) return m->opt.o_margin;
  return m->geom_margin[geom1] + m->geom_margin[geom2];
}

// Whether the bounding spheres of two geoms are within the margin. A plane has no sphere: the height over it counts.
inline bool SpheresOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin) {
  if (m->geom_type[geom2] == mjGEOM_PLANE) std::swap(geom1, geom2);
  const Vec3<double> apart = LoadVec3(d->geom_xpos + 3 * geom2) - LoadVec3(d->geom_xpos + 3 * geom1);
  const double reach = margin + m->geom_rbound[geom1] + m->geom_rbound[geom2];
  if (m->geom_type[geom1] == mjGEOM_PLANE) {
    const double* mat = d->geom_xmat + 9 * geom1;
    return Dot(apart, Vec3<double>{mat[2], mat[5], mat[8]}) <= reach;
  }
  return Dot(apart, apart) <= reach * reach;
}

// The same for their boxes.
bool GeomBoxesOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin);

// Whether both the spheres and the boxes of two geoms are within the sum of their margins.
bool GeomBoundsOverlap(const mjModel* m, const mjData* d, int geom1, int geom2);

}  // namespace sinew

#endif  // SINEW_COLLISION_BOUNDS_H_
