// A draw list as a graphics processor is told it: passes of draws, each with a program, numbers and triangles.
//
//   DrawList --MakeGpuPlan--> GpuPlan --> gl/ by OpenGL, apps/web by WebGL
//
// What is here depends on no interface of a graphics processor; who executes a plan sets the state that each kind of
// pass names, and draws. Depth is one at the near plane and zero at the far one, which spends the precision of floats
// evenly; tests keep what is greater or equal.
#ifndef SINEW_RENDER_GPU_PLAN_H_
#define SINEW_RENDER_GPU_PLAN_H_

#include <string>
#include <vector>

#include "render/draw_list.h"
#include "render/unit_shapes.h"

namespace sinew::inline render {

// ---- what programs read: shaders.h, field by field. Layouts follow the rules std140 (OpenGL 4.5, section 7.6.2.2):
// all is in groups of four floats.
struct GpuFrame {
  float to_clip[16];  // columns, one after the other
  float eye[4], forward[4], corner[4], across[4], upward[4], mirror[4], fog[4], fog_color[4], sky[4], haze[4],
      haze_color[4], misc[4];
};

struct GpuLight {
  float pos[4], dir[4], attenuation[4], ambient[4], diffuse[4], specular[4], shadow[4], to_map[16];
};

// Constant for a draw: an array of ten vec4.
struct GpuPart {
  float rows[3][4];  // rotation and position
  float scale[3], shift;
  float rgba[4];
  float emission, specular, exponent, factor;
  // `adds` is 1 for the reflector itself: its colour is added to the mirror image below it.
  float adds, unused[3];
  float texture_scale[4];
  float rectangle[4];  // of a plane: lower and upper x and y; cells of its grid are in `scale`
  float flat_rgb[4];
};
static_assert(sizeof(GpuPart) == 10 * 4 * sizeof(float));

// The properties of a light, in bits.
enum GpuLightKind { kDirectional = 1, kFades = 2, kNarrows = 4, kAmbient = 8, kSpecular = 16, kShadow = 32 };

// ---- programs

// The variant of a program for surfaces (shaders.h), or of one for the sky.
struct GpuProgramKind {
  bool sky = false;
  std::vector<int> lights;  // bits of each
  int mapping = 0, flat = 0, shadows = 0, gloss = 0, fog = 0, haze = 0, cut = 0;
  int plane = 0;        // 1: a rectangle of one, 2: its grid
  bool vertex = false;  // light at vertices
  bool operator==(const GpuProgramKind&) const = default;
};

// Sources without the line of the version; `prefix` comes first.
std::string VertexSource(const std::string& prefix, const GpuProgramKind& kind);
std::string FragmentSource(const std::string& prefix, const GpuProgramKind& kind);

// ---- triangles, by number: unit shapes, the list's own triangles, then two for each mesh of the model, itself and its
// hull, then one for each height field
enum GpuMeshNumber {
  kGridMesh = -2,  // PlaneGrid
  kNoMesh = -1,    // the program has its own vertices
  kSphereMesh,
  kCapMesh,
  kTubeMesh,
  kDiskMesh,
  kConeMesh,
  kBoxMesh,
  kPlaneMesh,
  kListMesh,
  kFirstAssetMesh
};

// The triangles of all unit shapes, in that order.
std::vector<TriangleList> UnitShapes(Divisions divisions);

// ---- passes

struct GpuDraw {
  int mesh, first, count;  // vertices
  int program;             // in GpuPlan::programs; -1 where depth is all that is drawn
  int texture;             // of the model, or -1
  bool both_sides;
  GpuPart part;
};

enum class GpuPassKind {
  kShadow,       // depth alone, into layer `index` of the shadow map
  kMirrorMark,   // neither colour nor depth: ones into the stencil
  kMirrorImage,  // where the stencil is one, front faces turned, cut at the frame's mirror; what is drawn later at
                 // these places is nearer than the image, which lies behind the mirror
  kMirrorVeils,  // as kMirrorImage, of transparent things: blended as kTransparent is
  kMirrorFace,   // over the mirror image, by (1, 1 - alpha)
  kOpaque,
  kSky,          // where nothing was drawn; no depth is written, wires are filled
  kTransparent,  // by (alpha, 1 - alpha) or added to what is behind; no depth is written
  kFlat,         // segments and depth as colours, without averages between samples
};

struct GpuPass {
  GpuPassKind kind;
  int index;              // layer of the shadow map, or view
  int frame;              // in GpuPlan::frames
  int first_draw, draws;  // in GpuPlan::draws
  // Left, bottom, right and top of what it may change, in shares 0..1 of the viewport.
  float bounds[4] = {0, 0, 1, 1};
};

// Lists whose memory is used again. Programs keep their numbers from picture to picture.
struct GpuPlan {
  std::vector<GpuProgramKind> programs;
  std::vector<GpuPass> passes;
  std::vector<GpuFrame> frames;
  std::vector<GpuLight> lights;
  std::vector<GpuDraw> draws;
  int shadow_size = 0, shadow_layers = 0;  // texels of the map, both ways, and how many; none without shadows
};

// Conventions and limits of the interface of the graphics processor.
struct GpuLimits {
  bool depth_from_zero = false;  // clip coordinates have depths 0..1, not -1..1
  int most_shadow_size = 4096;   // of a layer of the map
  bool stencil = true;           // without one, there are no mirror images
};

// Whether a texture of the model can be drawn: sizes or channels that make no sense are drawn without one.
bool UsableTexture(const DrawTexture& texture);

void MakeGpuPlan(const DrawAssets& assets, const DrawList& list, const GpuLimits& limits, GpuPlan& plan);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_GPU_PLAN_H_
