// Tests of bounding spheres and boxes.
//
// The test of two boxes uses their six face normals and not the cross products of edges: cheaper, and only ever wrong
// on the safe side.
#ifndef SINEW_COLLISION_BOUNDS_H_
#define SINEW_COLLISION_BOUNDS_H_

#include <mujoco/mujoco.h>

#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew {

// A frame relative to another, with what the box test needs of it.
struct RelativeFrame {
  Mat3<double> R, absolute;  // axes of the second frame in the first, and the magnitudes of their components
  Vec3<double> origin;       // of the second frame in the first

  RelativeFrame(const double* pos1, const double* mat1, const double* pos2, const double* mat2);
};

// Whether two boxes (centre, half sizes), each in its own frame, overlap or are within the margin along every face
// normal.
bool BoxesOverlap(const RelativeFrame& frame, const double* box1, const double* box2, double margin);

// The same for two boxes that are compared once.
struct PlacedBox {
  const double *origin, *axes;  // of the frame that the box is given in
  const double* box;            // centre, half sizes
};
bool BoxesOverlap(const PlacedBox& box1, const PlacedBox& box2, double margin);

// Whether the bounding spheres of two geoms are within the margin. A plane has no sphere: the height over it counts.
bool SpheresOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin);

// The same for their boxes.
bool GeomBoxesOverlap(const mjModel* m, const mjData* d, int geom1, int geom2, double margin);

// Whether both the spheres and the boxes of two geoms are within the sum of their margins.
bool GeomBoundsOverlap(const mjModel* m, const mjData* d, int geom1, int geom2);

}  // namespace sinew

#endif  // SINEW_COLLISION_BOUNDS_H_
