// Triangle meshes as files, builtin shapes and users give them.
#ifndef SINEW_ASSETS_MESH_DATA_H_
#define SINEW_ASSETS_MESH_DATA_H_

#include <cstddef>
#include <string>
#include <vector>

namespace sinew::inline assets {

// Faces are triangles, counter-clockwise seen from outside. Normals and texture coordinates are optional; where they
// are given without indices of their own, the vertices' are meant. A mesh without faces is the hull of its vertices.
struct MeshData {
  std::vector<float> vertex;      // x, y, z [m]
  std::vector<float> normal;      // x, y, z
  std::vector<float> texcoord;    // u, v; the origin is the upper left corner of the image
  std::vector<int> face;          // three vertices each
  std::vector<int> facenormal;    // three normals each
  std::vector<int> facetexcoord;  // three texture coordinates each
  std::string note = {};          // what the file says and a mesh has no place for; empty: nothing

  size_t vertex_count() const { return vertex.size() / 3; }
  size_t face_count() const { return face.size() / 3; }

  // Memory that it takes.
  size_t Bytes() const {
    return sizeof(float) * (vertex.size() + normal.size() + texcoord.size()) +
           sizeof(int) * (face.size() + facenormal.size() + facetexcoord.size());
  }
};

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_MESH_DATA_H_
