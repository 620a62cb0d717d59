// Points and simplices from files of the mesh generator Gmsh: versions 2.2 and 4.1, text or binary.
#ifndef SINEW_ASSETS_GMSH_H_
#define SINEW_ASSETS_GMSH_H_

#include <cstddef>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace sinew::inline assets {

// The elements of the highest dimension in the file: segments (1), triangles (2) or tetrahedra (3); their boundary
// elements are left out. Elements count points from 0, in the order of the file. Nothing in the file is trusted: a
// mistake is an Error.
struct GmshMesh {
  int dim = 0;
  std::vector<Vec3<double>> points;
  std::vector<int> elements;  // dim + 1 points each
};

GmshMesh LoadGmsh(std::span<const std::byte> bytes);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_GMSH_H_
