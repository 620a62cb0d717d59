// Meshes for tests, as attributes of a <mesh> element.
#ifndef SINEW_TESTS_SUPPORT_MESH_TEXT_H_
#define SINEW_TESTS_SUPPORT_MESH_TEXT_H_

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace sinew::testing {

class MeshText {
 public:
  int Vertex(double x, double y, double z) {
    char text[100];
    std::snprintf(text, sizeof(text), "%.9g %.9g %.9g ", x, y, z);
    vertex_ += text;
    return count_++;
  }
  void Face(int a, int b, int c) {
    face_ += std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + " ";
  }
  void Quad(int a, int b, int c, int d) {
    Face(a, b, c);
    Face(a, c, d);
  }
  // The attributes vertex and face.
  std::string Attributes() const { return "vertex='" + vertex_ + "' face='" + face_ + "'"; }

 private:
  std::string vertex_, face_;
  int count_ = 0;
};

// A flat floor of 2 n n triangles of different shapes, with sides of 2 `size` along the axes, at the height zero.
inline MeshText FlatFloor(int n, double size) {
  MeshText mesh;
  const double cell = 2 * size / n;
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k <= n; ++k) {
      const bool is_inside = i > 0 && i < n && k > 0 && k < n;
      const double shift = is_inside ? 0.3 * cell : 0;
      mesh.Vertex(-size + cell * i + shift * std::sin(7.0 * i + 3.0 * k),
                  -size + cell * k + shift * std::cos(5.0 * i + 11.0 * k), 0);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      const int a = i * (n + 1) + k, b = a + n + 1;
      if ((i + k) % 2) {
        mesh.Quad(a, b, b + 1, a + 1);
      } else {
        mesh.Quad(b, b + 1, a + 1, a);
      }
    }
  }
  return mesh;
}

// A block with a hole through it along z: prisms of `around` sides whose insides touch circles of these radii.
inline MeshText BlockWithHole(int around, double hole, double outside, double half_height) {
  MeshText mesh;
  const double corner = 1 / std::cos(M_PI / around);
  for (const double z : {-half_height, half_height}) {
    for (const double r : {hole * corner, outside * corner}) {
      for (int i = 0; i < around; ++i) {
        const double angle = 2 * M_PI * (i + 0.5) / around;
        mesh.Vertex(r * std::cos(angle), r * std::sin(angle), z);
      }
    }
  }
  for (int i = 0; i < around; ++i) {
    const int j = (i + 1) % around, inner = 0, outer = around, top = 2 * around;
    mesh.Quad(inner + i, inner + j, outer + j, outer + i);
    mesh.Quad(top + outer + i, top + outer + j, top + inner + j, top + inner + i);
    mesh.Quad(outer + i, outer + j, top + outer + j, top + outer + i);
    mesh.Quad(inner + j, inner + i, top + inner + i, top + inner + j);
  }
  return mesh;
}

// The box of these half sizes.
inline MeshText BlockMesh(double x, double y, double z) {
  MeshText mesh;
  for (int i = 0; i < 8; ++i) mesh.Vertex(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
  for (const auto& f : {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    mesh.Quad(f[0], f[1], f[2], f[3]);
  }
  return mesh;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_MESH_TEXT_H_
