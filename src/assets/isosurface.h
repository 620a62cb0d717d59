// Meshes of surfaces that are given as the zeros of a function.
#ifndef SINEW_ASSETS_ISOSURFACE_H_
#define SINEW_ASSETS_ISOSURFACE_H_

#include <functional>

#include "assets/mesh_data.h"
#include "math/vec3.h"

namespace sinew::inline assets {

using ScalarField = std::function<double(const Vec3<double>&)>;

// The surface on which a field changes its sign, within a box (centre, half sizes), by marching cubes on a grid of 300
// cells in all along the three axes. Throws when the box has no extent, or no surface in it.
MeshData Isosurface(const ScalarField& field, const Vec3<double>& center, const Vec3<double>& half);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_ISOSURFACE_H_
