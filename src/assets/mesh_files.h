// Meshes from the bytes of files. Nothing in a file is trusted: sizes are checked against the length of the file before
// memory is allocated, and what is wrong is an Error. Indices of faces are checked later (mesh.h).
#ifndef SINEW_ASSETS_MESH_FILES_H_
#define SINEW_ASSETS_MESH_FILES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "assets/mesh_data.h"

namespace sinew {

enum class MeshFormat { kStl, kObj, kMsh };

// The format that the extension of a file name tells, or else a media type.
std::optional<MeshFormat> FindMeshFormat(std::string_view file, std::string_view content_type);

MeshData LoadMesh(std::span<const std::byte> bytes, MeshFormat format);

// Binary STL. Corners with the same bits become one vertex, numbered in order of first use. Normals are ignored.
MeshData LoadStl(std::span<const std::byte> bytes);

// Wavefront OBJ: the faces of the first object that has any, polygons cut into triangles, with all vertices of the
// file.
MeshData LoadObj(std::span<const std::byte> bytes);

// MSH: counts of vertices, normals, texture coordinates and faces, and these one after the other.
MeshData LoadMsh(std::span<const std::byte> bytes);

}  // namespace sinew

#endif  // SINEW_ASSETS_MESH_FILES_H_
