// Approximate convex decomposition of meshes (docs/how/meshes.md): convex pieces that together stand for a shape which
// is not convex.
#ifndef SINEW_ASSETS_DECOMPOSE_H_
#define SINEW_ASSETS_DECOMPOSE_H_

#include <vector>

#include "assets/mesh_data.h"
#include "math/vec3.h"

namespace sinew::inline assets {

struct DecomposeOptions {
  double error = 0.02;  // how far from the shape a point of a piece may be, in longest sides of the shape
  int count = 32;       // most pieces
  int resolution = 64;  // cells of the grid along the longest side
};

// The vertices of the hull of each piece, in the frame of the data. A surface that is not closed counts as a sheet of
// about a cell. Throws Error for options that make no sense, and meshes without faces, without extent or with numbers
// that are not finite.
std::vector<std::vector<Vec3<double>>> Decompose(const MeshData& data, const DecomposeOptions& options);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_DECOMPOSE_H_
