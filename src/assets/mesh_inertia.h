// Volume, centre of mass and inertia of triangle meshes (the formulas: docs/how/meshes.md).
#ifndef SINEW_ASSETS_MESH_INERTIA_H_
#define SINEW_ASSETS_MESH_INERTIA_H_

#include <span>
#include <vector>

#include <mujoco/mujoco.h>

#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::inline assets {

// The density is one; it is that of the solid, or of the surface in mode shell.
struct MeshInertia {
  double measure;     // volume [m^3] or area [m^2]
  Vec3<double> com;   // centre of mass
  Quat<double> axes;  // principal axes, moments decreasing
  Vec3<double> half;  // half sizes of the box that has the same mass and inertia
};

// `faces` holds three vertices each; in mode convex, those of the hull. Throws when the mesh has no area or volume,
// when its volume is negative, and in mode exact when its faces disagree about what is inside.
MeshInertia FindInertia(std::span<const Vec3<double>> vertices, std::span<const int> faces, mjtMeshInertia mode);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MESH_INERTIA_H_
