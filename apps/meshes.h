// Meshes in formats that the library does not read (COLLADA, glTF, PLY, ...), by assimp; and those that nobody can
// read.
#ifndef SINEW_APPS_MESHES_H_
#define SINEW_APPS_MESHES_H_

#include <mujoco/mujoco.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

// Reads the meshes of a specification that are in foreign formats into it. Those that cannot be read are left out, with
// the shapes that are only seen and use them, if `leave_out` says so; else the compiler reports them.
void ReadForeignMeshes(mjSpec* spec, bool leave_out, std::vector<std::string>* warnings);

// Makes names of asset files relative to the folder of a model that is written there, and writes meshes that came from
// foreign formats as OBJ files into a folder NAME_meshes beside it.
void PlaceAssets(mjSpec* spec, const std::filesystem::path& output);

}  // namespace sinew

#endif  // SINEW_APPS_MESHES_H_
