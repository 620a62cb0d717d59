// Wavefront OBJ, read by tinyobjloader.
#define TINYOBJLOADER_IMPLEMENTATION  // compiled here, so that every C++ library can be used
#include <tiny_obj_loader.h>

#include <istream>
#include <streambuf>
#include <string>
#include <utility>

#include "assets/mesh_files.h"
#include "core/error.h"

namespace sinew {
namespace {

// A stream that reads memory in place.
class MemoryBuffer : public std::streambuf {
 public:
  explicit MemoryBuffer(std::span<const std::byte> bytes) {
    char* begin = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));  // never written to
    setg(begin, begin, begin + bytes.size());
  }
};

// Faces of an object, and the indices of normals and texture coordinates at their corners where the file has any.
void CopyFaces(const std::vector<tinyobj::index_t>& corners, MeshData& mesh) {
  mesh.face.reserve(corners.size());
  for (const tinyobj::index_t& corner : corners) mesh.face.push_back(corner.vertex_index);
  if (!mesh.normal.empty()) {
    mesh.facenormal.reserve(corners.size());
    for (const tinyobj::index_t& corner : corners) mesh.facenormal.push_back(corner.normal_index);
  }
  if (!mesh.texcoord.empty()) {
    mesh.facetexcoord.reserve(corners.size());
    for (const tinyobj::index_t& corner : corners) mesh.facetexcoord.push_back(corner.texcoord_index);
  }
}

}  // namespace

MeshData LoadObj(std::span<const std::byte> bytes) {
  constexpr bool kTriangulate = true, kDefaultColors = false;
  MemoryBuffer buffer(bytes);
  std::istream stream(&buffer);
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> objects;
  std::vector<tinyobj::material_t> materials;
  std::string warning, error;
  if (!tinyobj::LoadObj(&attributes, &objects, &materials, &warning, &error, &stream, nullptr, kTriangulate,
                        kDefaultColors)) {
    throw Error("the OBJ file cannot be read: " + error.substr(0, error.find('\n')), "correct it, or export it again");
  }

  // Texture coordinates of OBJ begin at the lower left corner of the image.
  MeshData mesh;
  mesh.vertex = std::move(attributes.vertices);
  mesh.normal = std::move(attributes.normals);
  mesh.texcoord = std::move(attributes.texcoords);
  for (size_t i = 1; i < mesh.texcoord.size(); i += 2) mesh.texcoord[i] = 1 - mesh.texcoord[i];
  if (!objects.empty()) CopyFaces(objects.front().mesh.indices, mesh);
  return mesh;
}

}  // namespace sinew
