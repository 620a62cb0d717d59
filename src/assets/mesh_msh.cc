// MSH, the format of meshes of this engine: four counts, then vertices, normals and texture coordinates as floats and
// faces as integers. Normals and texture coordinates belong to the vertices.
#include <algorithm>
#include <cstdint>
#include <string>

#include "assets/bytes.h"
#include "assets/mesh_files.h"

namespace sinew::inline assets {

MeshData LoadMsh(std::span<const std::byte> bytes) {
  if (bytes.size() < 4 * sizeof(int32_t)) throw Error("the MSH file has no complete header", "save it again");
  ByteReader reader(bytes);
  const int64_t vertices = reader.Take<int32_t>(), normals = reader.Take<int32_t>();
  const int64_t texcoords = reader.Take<int32_t>(), faces = reader.Take<int32_t>();
  if (vertices < 4 || faces < 0 || (normals != 0 && normals != vertices) || (texcoords != 0 && texcoords != vertices)) {
    throw Error("the MSH file declares " + std::to_string(vertices) + " vertices, " + std::to_string(normals) +
                    " normals, " + std::to_string(texcoords) + " texture coordinates and " + std::to_string(faces) +
                    " faces",
                "it takes at least 4 vertices, and as many normals and texture coordinates or none");
  }
  const int64_t length = 4 * (3 * vertices + 3 * normals + 2 * texcoords + 3 * faces);
  if (static_cast<int64_t>(reader.left()) != length) {
    throw Error("the MSH file has " + std::to_string(reader.left()) + " bytes after its header; its counts take " +
                    std::to_string(length),
                "save it again");
  }

  MeshData mesh;
  mesh.vertex = reader.TakeArray<float>(3 * static_cast<size_t>(vertices));
  mesh.normal = reader.TakeArray<float>(3 * static_cast<size_t>(normals));
  mesh.texcoord = reader.TakeArray<float>(2 * static_cast<size_t>(texcoords));
  mesh.face = reader.TakeArray<int>(3 * static_cast<size_t>(faces));
  if (normals > 0) mesh.facenormal = mesh.face;
  if (texcoords > 0) mesh.facetexcoord = mesh.face;
  return mesh;
}

}  // namespace sinew::inline assets
