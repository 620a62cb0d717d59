// The draw list: what a scene looks like, worked out once and read by every renderer.
//
//   mjvScene + DrawAssets + DrawSettings  --BuildDrawList-->  DrawList  --> rays/ , gl/
//
// Everything is in the frame of the model: a scene that is moved and scaled into a room brings its cameras into the
// model instead. Arrows, skins, flexes and lines are taken apart, so that a renderer draws eight shapes and segments.
//
// Order of drawing: in a picture of segments all instances in flat colours; else
//   1. the mirror image in `reflector`, times its reflectance;
//   2. `opaque`, lit by all lights; shadowed ones add up; sums end at one. The reflector is added to its mirror image;
//   3. the sky where nothing was drawn, the haze over sky and ground;
//   4. `transparent`, from the nearest to the farthest: without writing depth, over or added to what lies behind;
//   5. segments, by depth; labels; the frame.
#ifndef SINEW_RENDER_DRAW_LIST_H_
#define SINEW_RENDER_DRAW_LIST_H_

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "render/draw_assets.h"

namespace sinew::inline render {

// Shapes in their own frame, with the sizes that they use.
enum class DrawShape {
  kPlane,      // z = 0, seen from +z; half sizes x and y
  kEllipsoid,  // semi-axes (of a sphere, three times its radius)
  kCapsule,    // along z; radius, radius, half length of the cylinder
  kCylinder,   // along z, closed; radius, radius, half length
  kCone,       // base z = 0, closed, tip at +z; radius, radius, length
  kBox,        // half sizes
  kMesh,       // DrawAssets::meshes[asset]; not scaled by size, which only texture coordinates use
  kField,      // DrawAssets::height_fields[asset]
  kTriangles,  // DrawList::triangles, from `asset`, `count` of them, in the frame of the model
};

// How texture coordinates follow from a point (x, y, z) of the shape's frame.
enum class DrawMapping {
  kNone,
  kExplicit,  // they come with the triangles
  kFlat,      // s = scale0 x - 1/2, t = -scale1 y - 1/2
  kCube,      // direction (scale0 x, scale1 y, scale2 z)
};

// DrawInstance is one shape with all that its look depends on. An arrow or a flex of the scene becomes several of
// these, with one `geom`.
struct DrawInstance {
  DrawShape shape = DrawShape::kEllipsoid;
  int asset = -1, count = 0;
  float size[3] = {};
  float pos[3] = {};                           // [m] in the frame of the model
  float mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // columns are the shape's axes
  float cell[2] = {1, 1};                      // of a plane: of the grid at whose corners there is light [m]
  float radius = 0;                            // of a sphere about pos that holds the shape; infinite for planes

  float rgba[4] = {0.5f, 0.5f, 0.5f, 1};
  float emission = 0, specular = 0, shininess = 0, reflectance = 0;  // shininess times 128 is the exponent
  int texture = -1;
  DrawMapping mapping = DrawMapping::kNone;
  float scale[3] = {1, 1, 1};

  int geom = -1;              // in mjvScene::geoms
  int segid = -1;             // negative: left out of pictures of segments
  float segment_rgb[3] = {};  // its flat colour there
  bool transparent = false;
  bool from_behind = false;  // a plane, seen from below: its back is drawn
  bool casts_shadow = true;
  float distance = 0;  // of the nearest point of its sphere from the camera, for the order of transparent ones
};

// A line with a width in pixels.
struct DrawSegment {
  float from[3], to[3];
  float rgba[4];
  float width;
  bool transparent;  // hides nothing behind it
  int segid;
  float segment_rgb[3];
};

// DrawLabel is a text whose lower left corner stands at a point of the model's frame, whatever is before it.
struct DrawLabel {
  float pos[3];
  std::string text;
};

// A light that lights; those of other kinds than spot and directional are left out.
struct DrawLight {
  bool directional = true, headlight = false, shadow = false;
  float pos[3] = {}, dir[3] = {0, 0, -1};  // dir has length one and points where the light shines
  float attenuation[3] = {1, 0, 0};
  float cutoff = 90, exponent = 0;  // half angle of a spot's cone [degree], power of the cosine in it
  float ambient[3] = {}, diffuse[3] = {}, specular[3] = {};
};

// One eye. Borders are at the near plane of a perspective projection, anywhere for an orthographic one.
struct DrawView {
  float pos[3] = {}, forward[3] = {0, 1, 0}, up[3] = {0, 0, 1}, right[3] = {1, 0, 0};
  float left = 0, right_border = 0, bottom = 0, top = 0, near = 0.01f, far = 100;
  bool orthographic = false;
  mjrRect viewport = {0, 0, 0, 0};  // [pixel] from the lower left corner of the buffer
};

// Settings that a client may change in the context at any time.
struct DrawSettings {
  float line_width = 1;
  float fog_start = 0, fog_end = 0, fog_rgba[4] = {};
  float shadow_clip = 0, shadow_scale = 1;  // see mjrContext; renderers by rays need neither
  int shadow_size = 1;                      // 0: no shadows
  bool vertex_light = false;                // light is worked out at the corners of triangles, else at pixels

  static DrawSettings Of(const mjrContext& con);
  // As mjr_makeContext would set them for the model, for renderers without a context.
  static DrawSettings Of(const mjModel& m);
};

// DrawList is a picture before it is drawn. Indices refer to vectors of the list itself, asset numbers to the
// DrawAssets it was built with; the list owns its memory and is used for picture after picture.
struct DrawList {
  std::vector<DrawView> views;  // one, or left and right
  std::vector<DrawInstance> instances;
  std::vector<int> opaque, transparent;  // in `instances`; transparent ones by distance, nearest first
  TriangleList triangles;                // of skins, flexes and single triangles
  std::vector<DrawSegment> segments;
  std::vector<DrawLabel> labels;
  std::vector<DrawLight> lights;
  float ambient = 0;   // light without a source
  int reflector = -1;  // instance that mirrors: its plane z = 0, or the +z face of a box
  int skybox = -1;     // texture

  bool haze = false, fog = false, shadows = false, additive = false, cull = true, wireframe = false;
  bool depth_picture = false;              // depth as grey instead of colours
  bool segment = false, id_color = false;  // flat colours; numbers segid + 1 = r + 256 g + 65536 b
  int haze_plane = -1;                     // instance
  DrawSettings settings;

  int frame_width = 0;
  float frame_rgb[3] = {};
};

// Fills a list whose memory is used again. Sets in the scene's geoms what belongs to the renderer: order, distance and
// transparency, and takes the reflectance of all but the first mirror. Throws Error for cameras without a near plane
// and for geoms with unknown types or assets.
void BuildDrawList(const DrawAssets& assets, const DrawSettings& settings, mjrRect viewport, mjvScene& scene,
                   DrawList& list);

// A number between 0 and 1 for each index: the radical inverse in a base (J. Halton, 1960).
float Halton(int index, int base);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_DRAW_LIST_H_
