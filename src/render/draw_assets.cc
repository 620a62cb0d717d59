// Here the model's arrays become lists of triangles, textures and materials that renderers keep. The corners of a
// triangle run counter-clockwise seen from outside; positions [m] and normals are in the frame of the geom, texture
// coordinates 0..1 over the image. Everything is copied, so that a model may be freed before its renderers.
#include "render/draw_assets.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// This is a point or direction, whose address serves as that of three floats.
struct Vec3f {
  float x, y, z;
};

Vec3f Minus(const float* a, const float* b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

// Unit normal of a triangle; zero for one without area.
Vec3f FaceNormal(const float* const c[3]) {
  const Vec3f u = Minus(c[1], c[0]), v = Minus(c[2], c[0]);
  const Vec3f n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const float norm = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  const float inverse = norm > 0 ? 1 / norm : 0;
  return {n.x * inverse, n.y * inverse, n.z * inverse};
}

// At a corner whose normal is farther from that of its face, about 37 degrees, the edge is meant to be seen: small
// meshes have normals that are means over edges. Measured on MuJoCo 3.8.0.
constexpr float kSmoothestCosine = 0.8f;

// Grid points of a height field: x along columns, y along rows.
class FieldGrid {
 public:
  // hfield_size holds half sizes along x and y, the height of data that are 1, and the thickness of the base [m].
  FieldGrid(const mjModel& m, int hfield)
      : rows_(m.hfield_nrow[hfield]),
        cols_(m.hfield_ncol[hfield]),
        size_(m.hfield_size + 4 * hfield),
        data_(m.hfield_data + m.hfield_adr[hfield]) {}

  int rows() const { return rows_; }
  int cols() const { return cols_; }

  Vec3f Top(int row, int col) const {
    return {Along(0, col, cols_), Along(1, row, rows_), static_cast<float>(size_[2]) * data_[row * cols_ + col]};
  }
  Vec3f Base(int row, int col) const {
    return {Along(0, col, cols_), Along(1, row, rows_), -static_cast<float>(size_[3])};
  }
  // Of the surface, from differences between neighbours.
  Vec3f Normal(int row, int col) const {
    const int r0 = std::max(row - 1, 0), r1 = std::min(row + 1, rows_ - 1), c0 = std::max(col - 1, 0),
              c1 = std::min(col + 1, cols_ - 1);
    const Vec3f a = Top(row, c0), b = Top(row, c1), c = Top(r0, col), d = Top(r1, col);
    const float slope_x = (b.z - a.z) / (b.x - a.x), slope_y = (d.z - c.z) / (d.y - c.y);
    const float inverse = 1 / std::sqrt(1 + slope_x * slope_x + slope_y * slope_y);
    return {-slope_x * inverse, -slope_y * inverse, inverse};
  }

 private:
  // Coordinate of grid line i of `count`, from minus to plus the half size.
  float Along(int axis, int i, int count) const {
    return static_cast<float>(size_[axis] * (2.0 * i / (count - 1) - 1));
  }

  int rows_, cols_;
  const mjtNum* size_;
  const float* data_;
};

// Normals, one for each corner, make a smooth surface; without them the triangle is flat.
void AddTriangle(TriangleList& list, const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec3f* normals = nullptr) {
  const float* const corners[3] = {&a.x, &b.x, &c.x};
  const float* const given[3] = {normals ? &normals[0].x : nullptr, normals ? &normals[1].x : nullptr,
                                 normals ? &normals[2].x : nullptr};
  list.Add(corners, given, nullptr);
}

// Adds two flat triangles, of a quadrilateral a, b, c, d, counter-clockwise seen from outside.
void AddQuad(TriangleList& list, const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec3f& d) {
  AddTriangle(list, a, b, c);
  AddTriangle(list, a, c, d);
}

// Each cell is cut along the diagonal from its lower right to its upper left corner; normals are those of the grid,
// so that light does not show the cut.
void AddSurface(const FieldGrid& grid, TriangleList& list) {
  for (int r = 0; r + 1 < grid.rows(); ++r) {
    for (int c = 0; c + 1 < grid.cols(); ++c) {
      const Vec3f p00 = grid.Top(r, c), p01 = grid.Top(r, c + 1), p10 = grid.Top(r + 1, c),
                  p11 = grid.Top(r + 1, c + 1);
      const Vec3f n00 = grid.Normal(r, c), n01 = grid.Normal(r, c + 1), n10 = grid.Normal(r + 1, c),
                  n11 = grid.Normal(r + 1, c + 1);
      const Vec3f lower[3] = {n00, n01, n10}, upper[3] = {n01, n11, n10};
      AddTriangle(list, p00, p01, p10, lower);
      AddTriangle(list, p01, p11, p10, upper);
    }
  }
}

// The walls from the surface down to the base, and the base.
void AddWalls(const FieldGrid& grid, TriangleList& list) {
  const int last_row = grid.rows() - 1, last_col = grid.cols() - 1;
  for (int c = 0; c < last_col; ++c) {
    AddQuad(list, grid.Base(0, c), grid.Base(0, c + 1), grid.Top(0, c + 1), grid.Top(0, c));
    AddQuad(list, grid.Base(last_row, c + 1), grid.Base(last_row, c), grid.Top(last_row, c), grid.Top(last_row, c + 1));
  }
  for (int r = 0; r < last_row; ++r) {
    AddQuad(list, grid.Base(r + 1, 0), grid.Base(r, 0), grid.Top(r, 0), grid.Top(r + 1, 0));
    AddQuad(list, grid.Base(r, last_col), grid.Base(r + 1, last_col), grid.Top(r + 1, last_col), grid.Top(r, last_col));
  }
  AddQuad(list, grid.Base(0, 0), grid.Base(last_row, 0), grid.Base(last_row, last_col), grid.Base(0, last_col));
}

// Of a material's textures, colour alone comes before colour with opacity; textures of other roles are not drawn.
DrawMaterial CopyMaterial(const mjModel& m, int material) {
  DrawMaterial copy;
  const int* roles = m.mat_texid + mjNTEXROLE * material;
  copy.texture = roles[mjTEXROLE_RGB] >= 0 ? roles[mjTEXROLE_RGB] : roles[mjTEXROLE_RGBA];
  copy.uniform = m.mat_texuniform[material] != 0;
  copy.repeat[0] = m.mat_texrepeat[2 * material];
  copy.repeat[1] = m.mat_texrepeat[2 * material + 1];
  return copy;
}

DrawSkin CopySkin(const mjModel& m, int skin) {
  DrawSkin copy;
  const int* faces = m.skin_face + 3 * m.skin_faceadr[skin];
  copy.faces.assign(faces, faces + 3 * m.skin_facenum[skin]);
  copy.first_vertex = m.skin_vertadr[skin];
  if (m.skin_texcoordadr[skin] >= 0) {
    const float* texcoords = m.skin_texcoord + 2 * m.skin_texcoordadr[skin];
    copy.texcoords.assign(texcoords, texcoords + 2 * m.skin_vertnum[skin]);
  }
  return copy;
}

}  // namespace

void TriangleList::Clear() {
  positions.clear();
  normals.clear();
  texcoords.clear();
}

// Appends one triangle. `normals_of` and its entries may be null: the corner then takes the normal of the face. A
// list has texture coordinates for all triangles or for none, so the first textured one gives zeros to those before.
void TriangleList::Add(const float* const corners[3], const float* const normals_of[3],
                       const float* const texcoords_of[3]) {
  const Vec3f flat = FaceNormal(corners);
  if (texcoords_of) texcoords.resize(6 * static_cast<size_t>(size()));  // zeros for what came without
  const bool textured = texcoords_of || HasTexcoords();
  for (int k = 0; k < 3; ++k) {
    positions.insert(positions.end(), corners[k], corners[k] + 3);
    const float* n = normals_of && normals_of[k] ? normals_of[k] : &flat.x;
    normals.insert(normals.end(), n, n + 3);
    if (!textured) continue;
    constexpr float kZeros[2] = {};
    const float* t = texcoords_of ? texcoords_of[k] : kZeros;
    texcoords.insert(texcoords.end(), t, t + 2);
  }
}

// Faces index positions, normals and texture coordinates each by tables of their own.
TriangleList MeshTriangles(const mjModel& m, int mesh) {
  TriangleList list;
  const float* vertices = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
  const float* normals = m.mesh_normal + 3 * m.mesh_normaladr[mesh];
  const bool textured = m.mesh_texcoordadr[mesh] >= 0;
  const float* texcoords = textured ? m.mesh_texcoord + 2 * m.mesh_texcoordadr[mesh] : nullptr;
  const int first = m.mesh_faceadr[mesh];
  for (int f = first; f < first + m.mesh_facenum[mesh]; ++f) {
    const float *corners[3], *corner_normals[3], *corner_texcoords[3];
    for (int k = 0; k < 3; ++k) {
      corners[k] = vertices + 3 * m.mesh_face[3 * f + k];
      corner_normals[k] = normals + 3 * m.mesh_facenormal[3 * f + k];
      if (textured) corner_texcoords[k] = texcoords + 2 * m.mesh_facetexcoord[3 * f + k];
    }
    const Vec3f flat = FaceNormal(corners);
    for (const float*& n : corner_normals) {
      if (n[0] * flat.x + n[1] * flat.y + n[2] * flat.z < kSmoothestCosine) n = nullptr;  // that of the face
    }
    list.Add(corners, corner_normals, textured ? corner_texcoords : nullptr);
  }
  return list;
}

// mesh_graph: counts of vertices and faces, starts of the vertices' edges, ids of the vertices in the mesh, edges,
// faces by ids in the mesh.
TriangleList HullTriangles(const mjModel& m, int mesh) {
  TriangleList list;
  if (m.mesh_graphadr[mesh] < 0) return list;
  const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
  const int vertices = graph[0], faces = graph[1];
  const int* face = graph + 2 + 2 * vertices + vertices + 3 * faces;
  const float* positions = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
  for (int f = 0; f < faces; ++f) {
    const float* const corners[3] = {positions + 3 * face[3 * f], positions + 3 * face[3 * f + 1],
                                     positions + 3 * face[3 * f + 2]};
    list.Add(corners, nullptr, nullptr);
  }
  return list;
}

// The upper surface is smooth; the walls and the base are flat and close the body.
TriangleList HeightFieldTriangles(const mjModel& m, int hfield) {
  const FieldGrid grid(m, hfield);
  TriangleList list;
  AddSurface(grid, list);
  AddWalls(grid, list);
  return list;
}

DrawTexture CopyTexture(const mjModel& m, int texture) {
  DrawTexture copy;
  copy.type = m.tex_type[texture];
  copy.width = m.tex_width[texture];
  copy.height = m.tex_height[texture];
  copy.channels = m.tex_nchannel[texture];
  copy.srgb = m.tex_colorspace[texture] == mjCOLORSPACE_SRGB;
  const mjtByte* pixels = m.tex_data + m.tex_adr[texture];
  copy.pixels.assign(pixels, pixels + static_cast<size_t>(copy.width) * copy.height * copy.channels);
  return copy;
}

// There are two lists for each mesh, the mesh and its hull: mjvGeom::dataid counts so.
DrawAssets MakeDrawAssets(const mjModel& m) {
  DrawAssets assets;
  for (int i = 0; i < m.nmesh; ++i) {
    assets.meshes.push_back(MeshTriangles(m, i));
    assets.meshes.push_back(HullTriangles(m, i));
  }
  for (int i = 0; i < m.nhfield; ++i) assets.height_fields.push_back(HeightFieldTriangles(m, i));
  for (int i = 0; i < m.ntex; ++i) {
    assets.textures.push_back(CopyTexture(m, i));
    if (assets.skybox < 0 && m.tex_type[i] == mjTEXTURE_SKYBOX) assets.skybox = i;
  }
  for (int i = 0; i < m.nmat; ++i) assets.materials.push_back(CopyMaterial(m, i));
  for (int i = 0; i < m.nskin; ++i) assets.skins.push_back(CopySkin(m, i));
  assets.haze = m.vis.map.haze;
  std::copy_n(m.vis.rgba.haze, 4, assets.haze_rgba);
  return assets;
}

}  // namespace sinew
