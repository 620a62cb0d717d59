// A draw list as rays see it: shapes with their triangles, textures and materials, and trees over them.
//
// Kernels for several instruction sets read these structs, which therefore are plain (simd/isa.h).
#ifndef SINEW_RENDER_RAYS_RAY_SCENE_H_
#define SINEW_RENDER_RAYS_RAY_SCENE_H_

#include <cstdint>
#include <vector>

#include "render/draw_list.h"
#include "render/rays/tree.h"

namespace sinew::inline render::rays {

// Texels of all levels of detail, one after the other, red in the lowest byte; of a cube, six faces one below the
// other in each level. Colours are linear.
struct RayTexture {
  static constexpr int kMostLevels = 16;

  std::vector<int32_t> texels;
  int width = 0, height = 0, levels = 0;  // of a face; level k halves them k times, to no less than one
  int32_t level_start[kMostLevels] = {};
  bool cube = false;
};

RayTexture MakeRayTexture(const DrawTexture& texture);

// Triangles in the order of a tree's leaves.
struct RayMesh {
  RayTree tree;
  TriangleList triangles;
};

RayMesh MakeRayMesh(const TriangleList& triangles);

// How many pieces the polyhedra have that stand for round shapes and boxes where light is worked out at vertices, and
// cosine and sine for their corners: of longitudes; of latitudes from pole to pole, and from the equator to a pole.
struct RayFacets {
  int slices, stacks, half_stacks, quads;
  const float *ring, *arc, *cap;
};

// Data that are made once for a model.
struct RayAssets {
  DrawAssets draw;
  std::vector<RayMesh> meshes, height_fields;  // triangles of `draw` in other order
  std::vector<RayTexture> textures;

  std::vector<float> ring, arc, cap;  // of RayFacets

  explicit RayAssets(DrawAssets assets);
};

// RayShape is an instance as kernels read it: sizes and texture are as in DrawInstance, and pointers refer to
// RayAssets, or to surfaces of the RayScene, which both outlive the picture.
struct RayShape {
  DrawShape kind;
  bool sphere;     // an ellipsoid with equal axes, whose orientation does not matter
  bool two_sided;  // whether its back is seen
  bool casts;      // shadows
  bool transparent;
  bool flipped;  // a plane of which only the back is seen
  int instance;
  float pos[3], mat[9], size[3];

  const RayNode* nodes;  // of triangles
  int node_count;
  const float *positions, *normals, *texcoords;

  float cell[2];  // of the grid that a plane is drawn as

  const RayTexture* texture;
  const int32_t* texels;
  DrawMapping mapping;
  float scale[3];
  float rgba[4], emission, specular, exponent, reflectance;
  float flat_rgb[3];  // of pictures of segments
};

// RayLight is a light with what each pixel would else compute again; -2 stands for no cutoff, as no cosine is below it.
struct RayLight {
  DrawLight light;
  float cos_cutoff;
  // The view that a rasterizer would draw a map of shadows from. Where light is worked out at vertices, there are
  // shadows within its borders alone, of what lies behind its near plane.
  DrawView map;
};

// Trees and planes that a ray may meet; planes are tried one by one.
struct RayGroup {
  const RayNode* nodes;
  const int* order;  // shapes
  int node_count;
  const int* planes;
  int plane_count;
};

// The scene as plain pointers, for kernels.
struct RaySceneView {
  const RayShape* shapes;
  RayGroup opaque, transparent;
  const RayLight* lights;
  int light_count;
  float ambient;
  int reflector;  // shape, -1 for none
  const RayTexture* sky;
  const int32_t* sky_texels;
  bool vertex_light;
  RayFacets facets;
  bool fog, additive, segment, any_shadow;
  float fog_start, fog_end, fog_rgb[3];
  float sky_radius;  // horizontal distance from the camera behind which there is nothing but sky
  int haze_plane;    // shape, -1 without haze
  float haze_rgba[4], haze_share;
  float haze_height;  // of the camera above the plane
};

// Holds the shapes, trees and lights of one draw list. Building is serial and cheap against tracing; meshes
// bring trees that were built with the model.
class RayScene {
 public:
  // Reads a list, which must live as long as pictures are taken. Memory is used again.
  void Update(const RayAssets& assets, const DrawList& list);

  const RaySceneView& view() const { return view_; }

 private:
  // Shapes with borders go into a tree; planes have none and are kept apart.
  struct Group {
    std::vector<int> members, planes, order;
    std::vector<RayBox> boxes;
    RayTree tree;
  };

  // Appends the shape of one instance, with its box, to the group that it belongs to.
  void AddShape(const RayAssets& assets, const DrawList& list, int instance);
  void SetHaze(const RayAssets& assets, const DrawList& list);
  void MakeGroup(Group& group, RayGroup& view);

  std::vector<RayShape> shapes_;
  Group opaque_, transparent_;
  std::vector<RayMesh> surfaces_;  // of lists' own triangles
  std::vector<RayLight> lights_;
  RaySceneView view_ = {};
};

}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_RAY_SCENE_H_
