// Meshes made by the library. All fit into the cube [-1, 1]^3 except the supertorus, which is as large as its radii
// say.
#ifndef SINEW_ASSETS_BUILTIN_MESH_H_
#define SINEW_ASSETS_BUILTIN_MESH_H_

#include <span>

#include <mujoco/mujoco.h>

#include "assets/mesh_data.h"

namespace sinew::inline assets {

// The parameters, in order:
//   sphere       subdivisions of an icosahedron, 0 to 4
//   hemisphere   subdivisions of the upper half of an octahedron, 0 to 10
//   cone         edges of the base; radius of the top, 0 for an apex. No faces: it is the hull of its vertices
//   supersphere  resolution, from 3; exponents of longitude and latitude, from 0
//   supertorus   resolution, from 3; radius of the tube in (0, 1]; exponents of the tube and of the circle, above 0
//   wedge        points in azimuth and elevation on the unit sphere about -z; half fields of view (deg), to 180 and 90;
//                how much they crowd in the middle, 0 to 1. Three normals a point: its frame
//   plate        points in x and y on the plane z = -1. Three normals a point: its frame
// Throws on other counts and values.
MeshData MakeBuiltinMesh(mjtMeshBuiltin builtin, std::span<const double> params);

// Makes it the data of an element. A plate has no volume, so its mass goes to the surface.
void SetBuiltinMesh(mjtMeshBuiltin builtin, std::span<const double> params, mjsMesh* mesh);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_BUILTIN_MESH_H_
