// Normals of meshes that come without.
#ifndef SINEW_ASSETS_MESH_NORMALS_H_
#define SINEW_ASSETS_MESH_NORMALS_H_

#include <span>
#include <vector>

#include "math/vec3.h"

namespace sinew::inline assets {

// One normal (x, y, z) for each vertex: the mean of the faces around it, by area. Unless `smooth`, faces that stand
// across a sharp edge from the mean do not count. Slivers do not count either; a vertex that no face is left to gets
// e_z.
std::vector<float> VertexNormals(std::span<const Vec3<double>> vertices, std::span<const int> faces, bool smooth);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MESH_NORMALS_H_
