// Meshes of the surfaces that plugins describe by their signed distance.
#ifndef SINEW_COMPILE_GEOMETRY_MESH_SURFACE_H_
#define SINEW_COMPILE_GEOMETRY_MESH_SURFACE_H_

#include "assets/mesh_data.h"
#include "compile/draft.h"

namespace sinew::inline compile {

// The surface for the values of an instance; `mesh` is the element that uses it.
MeshData PluginSurface(const Mesh& mesh, const PluginDraft& instance);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_GEOMETRY_MESH_SURFACE_H_
