// Wavefront OBJ, read by tinyobjloader.
#define TINYOBJLOADER_IMPLEMENTATION  // compiled here, so that every C++ library can be used
#include <tiny_obj_loader.h>

#include <string>

#include "assets/mesh_files.h"
#include "core/error.h"

namespace sinew {
namespace {

// Faces of an object, and the indices of normals and texture coordinates at their corners where the file has any.
void CopyFaces(const std::vector<tinyobj::index_t>& corners, MeshData& mesh) {
  mesh.face.reserve(corners.size());
  for (const tinyobj::index_t& corner : corners) {
    mesh.face.push_back(corner.vertex_index);
    if (!mesh.normal.empty()) mesh.facenormal.push_back(corner.normal_index);
    if (!mesh.texcoord.empty()) mesh.facetexcoord.push_back(corner.texcoord_index);
  }
}

}  // namespace

MeshData LoadObj(std::span<const std::byte> bytes) {
  tinyobj::ObjReaderConfig config;
  config.triangulate = true;
  config.vertex_color = false;
  tinyobj::ObjReader reader;
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!reader.ParseFromString(text, "", config)) {
    throw Error("the OBJ file cannot be read: " + reader.Error().substr(0, reader.Error().find('\n')),
                "correct it, or export it again");
  }

  // Texture coordinates of OBJ begin at the lower left corner of the image.
  MeshData mesh;
  const tinyobj::attrib_t& attributes = reader.GetAttrib();
  mesh.vertex = attributes.vertices;
  mesh.normal = attributes.normals;
  mesh.texcoord = attributes.texcoords;
  for (size_t i = 1; i < mesh.texcoord.size(); i += 2) mesh.texcoord[i] = 1 - mesh.texcoord[i];
  if (!reader.GetShapes().empty()) CopyFaces(reader.GetShapes().front().mesh.indices, mesh);
  return mesh;
}

}  // namespace sinew
