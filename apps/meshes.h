// Meshes in formats that the library does not read (FBX, 3DS), those that nobody can read, and where the files of
// assets are when a model is written elsewhere.
#ifndef SINEW_APPS_MESHES_H_
#define SINEW_APPS_MESHES_H_

#include <mujoco/mujoco.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// Reads the meshes of a specification that are in foreign formats into it. Those that cannot be read, in any format,
// are left out, with the shapes that are only seen and use them, if `leave_out` says so; else a foreign one is a
// ModelError, and the compiler reports others. `vfs` has files in memory, or is null.
void ReadForeignMeshes(mjSpec* spec, const mjVFS* vfs, bool leave_out, std::vector<std::string>* warnings);

// Makes names of asset files relative to the folder of a model that is written there. Meshes in formats that
// MuJoCo 3.8.0 does not read, and those without a file, are written as OBJ files into a folder NAME_meshes beside it,
// whatever their names look like.
void PlaceAssets(mjSpec* spec, const std::filesystem::path& output);

}  // namespace sinew

#endif  // SINEW_APPS_MESHES_H_
