// The built-in mesh formats as decoders: for programs that read a mesh file through the interface of decoders.
#ifndef SINEW_ASSETS_MESH_DECODER_H_
#define SINEW_ASSETS_MESH_DECODER_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Registers decoders of STL and OBJ.
void RegisterMeshDecoders();

// Their callback: a specification that holds the mesh of the file, under the file's name without folder and extension.
// A fault of the file is a warning and nullptr.
mjSpec* DecodeMesh(mjResource* resource, const mjVFS* vfs);

}  // namespace sinew

#endif  // SINEW_ASSETS_MESH_DECODER_H_
