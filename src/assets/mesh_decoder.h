// The built-in mesh formats as decoders: for programs that read a mesh file through the interface of decoders.
#ifndef SINEW_ASSETS_MESH_DECODER_H_
#define SINEW_ASSETS_MESH_DECODER_H_

#include <mujoco/mujoco.h>

#include <memory>

#include "assets/mesh_files.h"
#include "core/resources.h"
#include "spec/spec.h"

namespace sinew::inline assets {

// The mesh of an open file. Other files that it names are looked for in its folder, and where `vfs` has them. Throws
// Error where it cannot be read.
MeshData ReadMeshFile(Resource& resource, MeshFormat format, const mjVFS* vfs);

// The same as a specification that holds the mesh, under the file's name without folder and extension. The format is
// that of the name.
std::unique_ptr<Spec> ReadMeshSpec(Resource& resource, const mjVFS* vfs);

// Registers decoders of STL and OBJ. Those of other formats are left to programs, which may have their own.
void RegisterMeshDecoders();

// Their callback: a specification that holds the mesh of the file, under the file's name without folder and extension.
// A fault of the file is a warning and nullptr.
mjSpec* DecodeMesh(mjResource* resource, const mjVFS* vfs);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MESH_DECODER_H_
