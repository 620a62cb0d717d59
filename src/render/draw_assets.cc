// Here the model's arrays become lists of triangles, textures and materials that renderers keep. The corners of a
// triangle run counter-clockwise seen from outside; positions [m] and normals are in the frame of the geom, texture
// coordinates 0..1 over the image. Everything is copied, so that a model may be freed before its renderers.
#include "render/draw_assets.h"

#include <algorithm>
#include <cmath>

#include "core/ktx.h"
#include "math/vec3.h"
#include "model/view/field_grid.h"

namespace sinew::inline render {
namespace {

// Vec3f is a point or direction, whose address serves as that of three floats.
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

Vec3f Narrow(const Vec3<double>& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

Vec3f Top(const FieldGrid& grid, int row, int column) { return Narrow(grid.Corner(row, column)); }
Vec3f Base(const FieldGrid& grid, int row, int column) { return Narrow({grid.X(column), grid.Y(row), -grid.size(3)}); }

// Of the surface, from differences between neighbours on the grid.
Vec3f SurfaceNormal(const FieldGrid& grid, int row, int column) {
  const int r0 = std::max(row - 1, 0), r1 = std::min(row + 1, grid.rows() - 1), c0 = std::max(column - 1, 0),
            c1 = std::min(column + 1, grid.columns() - 1);
  const double slope_x = (grid.Height(row, c1) - grid.Height(row, c0)) / (grid.X(c1) - grid.X(c0));
  const double slope_y = (grid.Height(r1, column) - grid.Height(r0, column)) / (grid.Y(r1) - grid.Y(r0));
  return Narrow(Normalized(Vec3<double>{-slope_x, -slope_y, 1}));
}

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

// Normals are those of the grid, so that light does not show how cells are cut.
void AddSurface(const FieldGrid& grid, TriangleList& list) {
  for (int r = 0; r + 1 < grid.rows(); ++r) {
    for (int c = 0; c + 1 < grid.columns(); ++c) {
      for (const auto& triangle : kFieldTriangles) {
        Vec3f corners[3], normals[3];
        for (int i = 0; i < 3; ++i) {
          corners[i] = Top(grid, r + triangle[i].row, c + triangle[i].column);
          normals[i] = SurfaceNormal(grid, r + triangle[i].row, c + triangle[i].column);
        }
        AddTriangle(list, corners[0], corners[1], corners[2], normals);
      }
    }
  }
}

// The walls from the surface down to the base, and the base.
void AddWalls(const FieldGrid& grid, TriangleList& list) {
  const auto top = [&](int row, int column) { return Top(grid, row, column); };
  const auto base = [&](int row, int column) { return Base(grid, row, column); };
  const int last_row = grid.rows() - 1, last_col = grid.columns() - 1;
  for (int c = 0; c < last_col; ++c) {
    AddQuad(list, base(0, c), base(0, c + 1), top(0, c + 1), top(0, c));
    AddQuad(list, base(last_row, c + 1), base(last_row, c), top(last_row, c), top(last_row, c + 1));
  }
  for (int r = 0; r < last_row; ++r) {
    AddQuad(list, base(r + 1, 0), base(r, 0), top(r, 0), top(r + 1, 0));
    AddQuad(list, base(r, last_col), base(r + 1, last_col), top(r + 1, last_col), top(r, last_col));
  }
  AddQuad(list, base(0, 0), base(last_row, 0), base(last_row, last_col), base(0, last_col));
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
  const FieldGrid grid(&m, hfield);
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
  // The bytes of a KTX file are no pixels: what has them is drawn without a texture.
  if (copy.height == 1 && copy.channels == 1 && IsKtx(pixels, static_cast<size_t>(copy.width))) return {};
  const size_t count = static_cast<size_t>(copy.width) * copy.height * copy.channels;
  constexpr int kFaces = 6;
  // One square of a cube serves all of its faces.
  const int times = copy.type != mjTEXTURE_2D && copy.height == copy.width ? kFaces : 1;
  copy.height *= times;
  copy.pixels.reserve(times * count);
  for (int i = 0; i < times; ++i) copy.pixels.insert(copy.pixels.end(), pixels, pixels + count);
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
  const auto& quality = m.vis.quality;
  assets.divisions = {std::max(quality.numslices, 3), std::max(quality.numstacks, 2), std::max(quality.numquads, 1)};
  assets.haze = m.vis.map.haze;
  std::copy_n(m.vis.rgba.haze, 4, assets.haze_rgba);
  return assets;
}

}  // namespace sinew::inline render
