// Meshes in formats that the library does not read (FBX, 3DS), by assimp. Damaged files make it crash or run for ever,
// so it works in a process of its own, which may open no file, and whose time and memory are limited.
#ifndef SINEW_APPS_FOREIGN_MESH_H_
#define SINEW_APPS_FOREIGN_MESH_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct ForeignMesh {
  std::vector<float> vertices;  // x, y, z, in the frame and units of the file's root
  std::vector<int> faces;       // three vertices each
};

// Whether the name of a file has the extension of such a format.
bool IsForeign(const std::string& file);

// The triangles of a file's content. Throws std::runtime_error when it cannot be read.
ForeignMesh ReadForeignMesh(const std::string& file, std::span<const std::byte> content);

}  // namespace sinew

#endif  // SINEW_APPS_FOREIGN_MESH_H_
