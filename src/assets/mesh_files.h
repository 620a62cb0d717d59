// Meshes from the bytes of files. Nothing in a file is trusted: sizes are checked against the length of the file before
// memory is allocated, and a mistake is an Error. Indices of faces are checked later (mesh.h).
#ifndef SINEW_ASSETS_MESH_FILES_H_
#define SINEW_ASSETS_MESH_FILES_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "assets/mesh_data.h"
#include "core/vfs.h"

namespace sinew::inline assets {

enum class MeshFormat { kStl, kObj, kMsh, kPly, kOff, kGltf, kDae, kVtp };

// The format by the extension of a file name, or else by a media type.
std::optional<MeshFormat> FindMeshFormat(std::string_view file, std::string_view content_type);

// The extensions of all formats, for messages.
std::string MeshExtensions();

// Opens a file that a mesh file names, relative to its own folder; nothing when there is none, or it may not be read.
using OpenBeside = std::function<std::optional<Bytes>(const std::string& name)>;

// Only glTF names other files; without `open` there are none.
MeshData LoadMesh(std::span<const std::byte> bytes, MeshFormat format, const OpenBeside& open = {});

// Binary STL. Corners with the same bits become one vertex, numbered in order of first use. Normals are ignored.
MeshData LoadStl(std::span<const std::byte> bytes);

// Wavefront OBJ: the faces of all its objects and groups, polygons cut into triangles, with all vertices of the file.
MeshData LoadObj(std::span<const std::byte> bytes);

// MSH: counts of vertices, normals, texture coordinates and faces, and these one after the other.
MeshData LoadMsh(std::span<const std::byte> bytes);

// Formats of other programs: triangles, whose vertices at the same place become one, and nothing else.

// PLY, as text and binary. Without faces, the points are those of a hull.
MeshData LoadPly(std::span<const std::byte> bytes);

// OFF, as text. Without faces, the points are those of a hull.
MeshData LoadOff(std::span<const std::byte> bytes);

// glTF 2.0, as text and binary: the default scene.
MeshData LoadGltf(std::span<const std::byte> bytes, const OpenBeside& open);

// COLLADA: the scene, in metres, whichever axis is up.
MeshData LoadDae(std::span<const std::byte> bytes);

// Polygons of VTK, as text, or as base64 that is not compressed. Without faces, the points are those of a hull.
MeshData LoadVtp(std::span<const std::byte> bytes);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MESH_FILES_H_
