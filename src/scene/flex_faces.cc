// A flex is as thick as twice its radius r: its surface lies at distance r from its elements.
//
// Faces of elements are flat and moved along their own normals, a gap between neighbours. The skin has no gaps: its
// vertices are moved along the mean of the unit normals of the triangles around them. That of a cloth has two sides and
// strips along its border.
#include "scene/flex_faces.h"

#include <algorithm>
#include <vector>

#include "math/rows.h"
#include "math/vec3.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

Vec Load(const float* v) { return {double(v[0]), double(v[1]), double(v[2])}; }

// Fills the faces of one flex into the scene's arrays: nine coordinates, nine of normals and six of textures a
// triangle.
class FlexFaces {
 public:
  FlexFaces(const mjModel* m, int flex, mjvScene* scene)
      : m_(m),
        scene_(scene),
        flex_(flex),
        dim_(m->flex_dim[flex]),
        vertices_(Row3(scene->flexvert, m->flex_vertadr[flex])),
        texcoords_(m->flex_texcoordadr[flex] >= 0 ? m->flex_texcoord + 2 * m->flex_texcoordadr[flex] : nullptr) {}

  // Adds the faces of the elements: both sides of a triangle, or four of a tetrahedron in the layer that is looked
  // at.
  void AddElements(int layer) {
    const int* elements = m_->flex_elem + m_->flex_elemdataadr[flex_];
    const int* places = m_->flex_elemtexcoord + m_->flex_elemdataadr[flex_];
    const int* layers = m_->flex_elemlayer + m_->flex_elemadr[flex_];
    constexpr int kTriangle[2][3] = {{0, 1, 2}, {0, 2, 1}};
    constexpr int kSolid[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    for (int e = 0; e < m_->flex_elemnum[flex_]; ++e) {
      if (dim_ == 3 && layers[e] != layer) continue;
      const int* corners = elements + (dim_ + 1) * e;
      const int* at = places + (dim_ + 1) * e;
      for (int f = 0; f < (dim_ == 2 ? 2 : 4); ++f) {
        const int* face = dim_ == 2 ? kTriangle[f] : kSolid[f];
        const int chosen[3] = {corners[face[0]], corners[face[1]], corners[face[2]]};
        const int chosen_at[3] = {at[face[0]], at[face[1]], at[face[2]]};
        const Vec normal = NormalOf(chosen);
        const Vec normals[3] = {normal, normal, normal};
        Add(chosen, normals, normals, chosen_at);
      }
    }
  }

  // A solid has the triangles of its shell as skin, a cloth both sides of its elements and a border.
  void AddSkin() {
    const int* shell = m_->flex_shell + m_->flex_shelldataadr[flex_];
    const int shells = m_->flex_shellnum[flex_];
    if (dim_ == 3) {
      FindNormals(shell, shells);
      for (int f = 0; f < shells; ++f) {
        AddSmooth(Row3(shell, f), Row3(shell, f), 1, NormalOf(Row3(shell, f)));
      }
      return;
    }
    const int* elements = m_->flex_elem + m_->flex_elemdataadr[flex_];
    const int* places = m_->flex_elemtexcoord + m_->flex_elemdataadr[flex_];
    FindNormals(elements, m_->flex_elemnum[flex_]);
    for (int e = 0; e < m_->flex_elemnum[flex_]; ++e) {
      const int *v = Row3(elements, e), *at = Row3(places, e);
      const int back[3] = {v[0], v[2], v[1]}, back_at[3] = {at[0], at[2], at[1]};
      const Vec flat = NormalOf(v);  // of both sides, as in the reference
      AddSmooth(v, at, 1, flat);
      AddSmooth(back, back_at, -1, flat);
    }
    for (int f = 0; f < shells; ++f) AddBorder(shell[2 * f], shell[2 * f + 1]);
  }

 private:
  Vec At(int vertex) const { return Load(Row3(vertices_, vertex)); }
  Vec NormalOf(const int* face) const {
    const Vec corner = At(face[0]);
    return Normalized(Cross(At(face[1]) - corner, At(face[2]) - corner));
  }

  // Takes means of unit normals, so that large faces count as much as small ones.
  void FindNormals(const int* faces, int count) {
    normals_.assign(static_cast<size_t>(m_->flex_vertnum[flex_]), Vec{});
    for (int f = 0; f < count; ++f) {
      const Vec normal = NormalOf(Row3(faces, f));
      for (int k = 0; k < 3; ++k) normals_[static_cast<size_t>(faces[3 * f + k])] += normal;
    }
    for (Vec& normal : normals_) normal = Normalized(normal);
  }
  Vec Outward(int vertex) const { return normals_[static_cast<size_t>(vertex)]; }

  // `side` is 1 for the front and -1 for the back. Flat skins move as smooth ones do and differ in their normals
  // alone.
  void AddSmooth(const int* face, const int* at, double side, const Vec& flat) {
    const Vec moves[3] = {Outward(face[0]) * side, Outward(face[1]) * side, Outward(face[2]) * side};
    const Vec flats[3] = {flat, flat, flat};
    Add(face, moves, m_->flex_flatskin[flex_] ? flats : moves, at);
  }

  // The strip between the two sides along an edge: two triangles.
  void AddBorder(int a, int b) {
    const Vec edge = At(b) - At(a), up_a = Outward(a), up_b = Outward(b);
    const Vec at_b = Normalized(Cross(edge, up_b)), at_a = Normalized(Cross(edge, up_a));
    const int first[3] = {a, b, b}, second[3] = {b, a, a};
    const Vec first_moves[3] = {up_a, -up_b, up_b}, second_moves[3] = {-up_b, up_a, -up_a};
    const Vec first_normals[3] = {at_b, at_b, at_b}, second_normals[3] = {at_a, at_a, at_a};
    Add(first, first_moves, first_normals, first);
    Add(second, second_moves, second_normals, second);
  }

  // moves: directions in which corners are moved by the radius; at: of texture coordinates
  void Add(const int* face, const Vec moves[3], const Vec normals[3], const int* at) {
    // The scene has room for the largest layer; a scene that was made for another model may have less.
    int& used = scene_->flexfaceused[flex_];
    if (used >= scene_->flexfacenum[flex_]) return;
    const int slot = scene_->flexfaceadr[flex_] + used++;
    for (int k = 0; k < 3; ++k) {
      const Vec corner = At(face[k]) + moves[k] * m_->flex_radius[flex_];
      for (int i = 0; i < 3; ++i) {
        scene_->flexface[9 * slot + 3 * k + i] = static_cast<float>(corner[i]);
        scene_->flexnormal[9 * slot + 3 * k + i] = static_cast<float>(normals[k][i]);
      }
      if (texcoords_) std::copy_n(texcoords_ + 2 * at[k], 2, scene_->flextexcoord + 6 * slot + 2 * k);
    }
  }

  const mjModel* m_;
  mjvScene* scene_;
  const int flex_, dim_;
  const float *vertices_, *texcoords_;
  std::vector<Vec> normals_;
};

}  // namespace

void UpdateFlexFaces(const mjModel* m, int flex, int layer, mjvScene* scene) {
  scene->flexfaceused[flex] = 0;
  if (m->flex_dim[flex] < 2) return;
  FlexFaces faces(m, flex, scene);
  if (scene->flexskinopt) {
    faces.AddSkin();
  } else if (scene->flexfaceopt) {
    faces.AddElements(layer);
  }
}

}  // namespace sinew::inline scene
