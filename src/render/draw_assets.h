// Assets of a model for renderers, copied once: triangles of meshes and height fields, textures, materials, faces of
// skins. A scene of that model refers to them by number; the model itself may be freed.
#ifndef SINEW_RENDER_DRAW_ASSETS_H_
#define SINEW_RENDER_DRAW_ASSETS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sinew::inline render {

// Triangles one by one, without shared vertices: nine coordinates and nine components of normals a face, counter-
// clockwise seen from outside, and six texture coordinates where there are any.
struct TriangleList {
  std::vector<float> positions, normals, texcoords;

  int size() const { return static_cast<int>(positions.size() / 9); }
  bool HasTexcoords() const { return !texcoords.empty(); }
  void Clear();
  // Corners of three floats each. A missing normal is that of the face; a face without texture coordinates in a list
  // that has some gets zeros.
  void Add(const float* const corners[3], const float* const normals_of[3], const float* const texcoords_of[3]);
};

// An image, rows from top to bottom. A cube has six square faces one below the other: right, left, up, down, front and
// back, which OpenGL calls +x, -x, +y, -y, +z and -z.
struct DrawTexture {
  int type = mjTEXTURE_2D;  // mjtTexture
  int width = 0, height = 0, channels = 0;
  bool srgb = false;
  std::vector<uint8_t> pixels;
};

// Pieces of the polyhedra that stand for round shapes, along the equator and along a meridian, and of the edges of
// boxes and planes (mjVisual.quality).
struct Divisions {
  int slices = 28, stacks = 16, quads = 4;

  // From the equator to a pole, and from the rim of a disk to its middle.
  int HalfStacks() const { return std::max(stacks / 2, 1); }
};

// The material to which a scene's matid refers: its texture; geoms have all other properties.
struct DrawMaterial {
  int texture = -1;
  bool uniform = false;
  float repeat[2] = {1, 1};
};

struct DrawSkin {
  std::vector<int> faces;        // three vertices each, counted within the skin
  std::vector<float> texcoords;  // two a vertex, or empty
  int first_vertex = 0;
};

struct DrawAssets {
  std::vector<TriangleList> meshes;  // twice the id of a mesh; plus one: its convex hull
  std::vector<TriangleList> height_fields;
  std::vector<DrawTexture> textures;
  std::vector<DrawMaterial> materials;
  std::vector<DrawSkin> skins;
  int skybox = -1;  // texture
  Divisions divisions;

  // Of mjVisual: the haze, which mjrContext does not carry.
  float haze = 0;  // share of the distance to the horizon
  float haze_rgba[4] = {1, 1, 1, 1};
};

DrawAssets MakeDrawAssets(const mjModel& m);

// The parts that a model may change after its context was made.
TriangleList MeshTriangles(const mjModel& m, int mesh);
TriangleList HullTriangles(const mjModel& m, int mesh);  // empty without a hull
TriangleList HeightFieldTriangles(const mjModel& m, int hfield);
DrawTexture CopyTexture(const mjModel& m, int texture);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_DRAW_ASSETS_H_
