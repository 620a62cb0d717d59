// What a page for browsers calls: a compiled model, its simulation, and the plan of its picture. Functions return
// pointers into this module's memory, which scripts read as arrays (engine.js).
#include <emscripten.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "render/draw_assets.h"
#include "render/draw_list.h"
#include "render/gpu_plan.h"
#include "render/gpu_views.h"
#include "render/shaders.h"
#include "viewer/link.h"
#include "viewer/mouse.h"

namespace {

constexpr int kGeoms = 10000;
constexpr int kMostShadowSize = 2048;  // texels: phones have little memory

// What the page shows. There is one of each in a page.
struct Page {
  mjModel* m = nullptr;
  mjData* d = nullptr;
  mjvScene scene;
  mjvCamera camera;
  mjvOption option;
  mjvPerturb perturb;
  sinew::Mouse mouse;
  sinew::DrawAssets assets;
  sinew::DrawList list;
  sinew::GpuPlan plan;
  std::vector<sinew::TriangleList> unit_shapes;
  std::vector<float> bars;
  std::vector<uint8_t> texels;
  std::string source, error;
  int width = 1, height = 1;
  double behind = 0;  // seconds that are still to be simulated
  sinew::Link link;   // with a program that simulates instead

  sinew::MouseView Seen() { return {m, d, &option, &scene, &camera, &perturb, width, height}; }
};

Page page;

void KeepError(const char* text) { page.error = text; }

void Step() {
  sinew::ApplyPull(page.m, page.d, page.perturb);
  mj_step(page.m, page.d);
}

double Seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// engine.js names passes by number, and reads structs word by word.
static_assert(static_cast<int>(sinew::GpuPassKind::kFlat) == 8, "PASSES of engine.js has a name for each kind");
static_assert(sizeof(sinew::GpuPass) == 9 * 4 && sizeof(sinew::GpuFrame) == 64 * 4, "PASS_WORDS, FRAME_FLOATS");
static_assert(sizeof(sinew::GpuLight) == 44 * 4 && sizeof(sinew::GpuDraw) == 46 * 4, "LIGHT_FLOATS, DRAW_WORDS");

// Where lists lie and how long they are, in the order of engine.js.
struct Picture {
  const sinew::GpuPass* passes;
  int pass_count;
  const sinew::GpuFrame* frames;
  int frame_count;
  const sinew::GpuLight* lights;
  int light_count;
  const sinew::GpuDraw* draws;
  int draw_count;
  const float* bars;
  int bar_vertices;
  int shadow_size, shadow_layers;
  int additive, triangles;  // how many triangles the list has itself
};

struct Triangles {
  const float *positions, *normals, *texcoords;
  int vertices, textured;
};

struct Numbers {
  const double* numbers;
  int size;
};

struct Texture {
  const uint8_t* texels;
  int width, height, cube, srgb;
};

}  // namespace

extern "C" {

// The text of the last error, or an empty one; forgets it.
EMSCRIPTEN_KEEPALIVE const char* web_error() {
  page.source.swap(page.error);
  page.error.clear();
  return page.source.c_str();
}

// Takes a model in the format MJB; whether that went well.
// Finds a plugin, by which it gets the next slot; -1 without one of this name.
EMSCRIPTEN_KEEPALIVE int web_plugin(const char* name) {
  int slot = -1;
  return mjp_getPlugin(name, &slot) ? slot : -1;
}

EMSCRIPTEN_KEEPALIVE int web_load(const void* bytes, int size) {
  mju_user_error = mju_user_warning = KeepError;
  page.m = mj_loadModelBuffer(bytes, size);
  if (page.m) page.d = mj_makeData(page.m);
  if (!page.d) return 0;
  page.assets = sinew::MakeDrawAssets(*page.m);
  const auto& quality = page.m->vis.quality;
  page.unit_shapes = sinew::UnitShapes({quality.numslices, quality.numstacks, quality.numquads});
  mjv_defaultScene(&page.scene);
  mjv_makeScene(page.m, &page.scene, kGeoms);
  mjv_defaultFreeCamera(page.m, &page.camera);
  mjv_defaultOption(&page.option);
  mjv_defaultPerturb(&page.perturb);
  mj_forward(page.m, page.d);
  page.link.Start(page.m, page.d);
  return 1;
}

// ---- the model

EMSCRIPTEN_KEEPALIVE int web_count(int type) {
  switch (type) {
    case mjOBJ_ACTUATOR:
      return static_cast<int>(page.m->nu);
    case mjOBJ_CAMERA:
      return static_cast<int>(page.m->ncam);
    case mjOBJ_KEY:
      return static_cast<int>(page.m->nkey);
    case mjOBJ_SENSOR:
      return static_cast<int>(page.m->nsensor);
    default:
      return 0;
  }
}
EMSCRIPTEN_KEEPALIVE const char* web_name(int type, int id) {
  const char* name = mj_id2name(page.m, type, id);
  return name ? name : "";
}
EMSCRIPTEN_KEEPALIVE double web_lower(int actuator) {
  return page.m->actuator_ctrllimited[actuator] ? page.m->actuator_ctrlrange[2 * actuator] : -1;
}
EMSCRIPTEN_KEEPALIVE double web_upper(int actuator) {
  return page.m->actuator_ctrllimited[actuator] ? page.m->actuator_ctrlrange[2 * actuator + 1] : 1;
}
// The numbers of a sensor.
EMSCRIPTEN_KEEPALIVE const Numbers* web_sensor(int sensor) {
  static Numbers numbers;
  numbers = {page.d->sensordata + page.m->sensor_adr[sensor], page.m->sensor_dim[sensor]};
  return &numbers;
}
EMSCRIPTEN_KEEPALIVE int web_nq() { return static_cast<int>(page.m->nq); }
EMSCRIPTEN_KEEPALIVE int web_nv() { return static_cast<int>(page.m->nv); }
EMSCRIPTEN_KEEPALIVE double web_timestep() { return page.m->opt.timestep; }

// ---- the simulation

EMSCRIPTEN_KEEPALIVE double web_time() { return page.d->time; }
EMSCRIPTEN_KEEPALIVE double* web_qpos() { return page.d->qpos; }
EMSCRIPTEN_KEEPALIVE double* web_qvel() { return page.d->qvel; }
EMSCRIPTEN_KEEPALIVE double* web_ctrl() { return page.d->ctrl; }
EMSCRIPTEN_KEEPALIVE void web_forward() { mj_forward(page.m, page.d); }
// To a keyframe, or to the initial state for -1.
EMSCRIPTEN_KEEPALIVE void web_reset(int key) {
  mj_resetDataKeyframe(page.m, page.d, key);
  mj_forward(page.m, page.d);
  page.behind = 0;
}
EMSCRIPTEN_KEEPALIVE void web_step(int count) {
  for (int i = 0; i < count; ++i) Step();
}
// Simulates as much as belongs to so many seconds of a clock, but works no longer than `budget` seconds; what is late
// is given up.
EMSCRIPTEN_KEEPALIVE void web_advance(double seconds, double budget) {
  const double begin = Seconds(), timestep = page.m->opt.timestep;
  for (page.behind += seconds; page.behind >= timestep && Seconds() - begin < budget; page.behind -= timestep) Step();
  page.behind = std::min(page.behind, 2 * timestep);
}
// Without time passing, what is pulled moves with the mouse.
EMSCRIPTEN_KEEPALIVE void web_hold() {
  mjv_applyPerturbPose(page.m, page.d, &page.perturb, 1);
  mj_forward(page.m, page.d);
}

// ---- a program that simulates instead; see Link

// What is to be told to it.
EMSCRIPTEN_KEEPALIVE const Numbers* web_request(int paused) {
  static Numbers numbers;
  const std::vector<double>& request = page.link.Request(page.m, page.d, page.perturb, paused != 0);
  numbers = {request.data(), static_cast<int>(request.size())};
  return &numbers;
}
// Shows what it has told. Returns whether time stands still there, or -1 where the state is not one of this model.
EMSCRIPTEN_KEEPALIVE int web_take(const double* reply, int size, int paused) {
  bool still = paused != 0;
  const bool taken = page.link.Take(reply, static_cast<size_t>(size), page.m, page.d, still);
  return taken ? still : -1;
}
EMSCRIPTEN_KEEPALIVE void web_ask_steps(int count) { page.link.AskSteps(count); }

// ---- the mouse, in pixels of the picture; buttons as MouseButton counts them

EMSCRIPTEN_KEEPALIVE void web_press(int button, int control, double x, double y, double seconds) {
  page.mouse.Press(page.Seen(), static_cast<sinew::MouseButton>(button), control != 0, x, y, seconds);
}
EMSCRIPTEN_KEEPALIVE void web_release() { page.mouse.Release(page.Seen()); }
EMSCRIPTEN_KEEPALIVE void web_drag(double x, double y, int shift) { page.mouse.Drag(page.Seen(), x, y, shift != 0); }
EMSCRIPTEN_KEEPALIVE void web_zoom(double by) { sinew::Mouse::Zoom(page.Seen(), by); }
EMSCRIPTEN_KEEPALIVE int web_selected() { return page.perturb.select; }
// A camera of the model, or the free one for -1.
EMSCRIPTEN_KEEPALIVE void web_camera(int camera) {
  page.camera.type = camera >= 0 ? mjCAMERA_FIXED : mjCAMERA_FREE;
  page.camera.fixedcamid = camera;
}
EMSCRIPTEN_KEEPALIVE void web_flag(int flag, int value) { page.option.flags[flag] = static_cast<mjtByte>(value); }

// ---- the picture

// What is to be drawn on a canvas of this size; null after an error.
EMSCRIPTEN_KEEPALIVE const Picture* web_picture(int width, int height, int most_texels) try {
  static Picture picture;
  page.width = width;
  page.height = height;
  mjv_updateScene(page.m, page.d, &page.option, &page.perturb, &page.camera, mjCAT_ALL, &page.scene);
  sinew::BuildDrawList(page.assets, sinew::DrawSettings::Of(*page.m), {0, 0, width, height}, page.scene, page.list);
  // Layers of the map of shadows lie side by side.
  int layers = 0;
  for (const sinew::DrawLight& light : page.list.lights) layers += light.shadow ? 1 : 0;
  const sinew::GpuLimits limits = {false, std::min(kMostShadowSize, most_texels / std::max(layers, 1)), true};
  sinew::MakeGpuPlan(page.assets, page.list, limits, page.plan);
  sinew::BarsOfSegments(page.list, page.list.views.front(), false, page.bars);
  const sinew::GpuPlan& plan = page.plan;
  picture = {plan.passes.data(), static_cast<int>(plan.passes.size()),
             plan.frames.data(), static_cast<int>(plan.frames.size()),
             plan.lights.data(), static_cast<int>(plan.lights.size()),
             plan.draws.data(),  static_cast<int>(plan.draws.size()),
             page.bars.data(),   static_cast<int>(page.bars.size() / 8),
             plan.shadow_size,   plan.shadow_layers,
             page.list.additive, page.list.triangles.size()};
  return &picture;
} catch (const std::exception& e) {
  page.error = e.what();
  return nullptr;
}

// Returns the triangles of a mesh by its number, which GpuMeshNumber gives.
EMSCRIPTEN_KEEPALIVE const Triangles* web_mesh(int number) {
  static Triangles triangles;
  const auto i = static_cast<size_t>(number);
  const size_t first = sinew::kFirstAssetMesh, meshes = page.assets.meshes.size();
  const sinew::TriangleList& list = number < sinew::kListMesh    ? page.unit_shapes[i]
                                    : number == sinew::kListMesh ? page.list.triangles
                                    : i < first + meshes         ? page.assets.meshes[i - first]
                                                                 : page.assets.height_fields[i - first - meshes];
  triangles = {list.positions.data(), list.normals.data(), list.texcoords.data(), 3 * list.size(), list.HasTexcoords()};
  return &triangles;
}

// Four bytes a texel, red, green, blue and opacity; six faces of a cube one below the other.
EMSCRIPTEN_KEEPALIVE const Texture* web_texture(int number) {
  static Texture made;
  const sinew::DrawTexture& texture = page.assets.textures[static_cast<size_t>(number)];
  const bool cube = texture.type != mjTEXTURE_2D;
  const int height = cube ? texture.height / 6 * 6 : texture.height, channels = texture.channels;
  const size_t count = sinew::UsableTexture(texture) ? static_cast<size_t>(texture.width) * height : 0;
  page.texels.resize(4 * count);
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* from = texture.pixels.data() + i * channels;
    uint8_t* to = page.texels.data() + 4 * i;
    for (int k = 0; k < 3; ++k) to[k] = from[channels < 3 ? 0 : k];
    to[3] = channels % 2 == 0 ? from[channels - 1] : 255;
  }
  // Grey is taken as linear, as OpenGL has no other format for it.
  made = {page.texels.data(), texture.width, height, cube, texture.srgb && channels >= 3};
  return &made;
}

// Sources of programs: of GpuPlan::programs; of what has a depth alone (-1), and of bars (-2).
EMSCRIPTEN_KEEPALIVE const char* web_source(int program, int fragment) {
  const std::string prefix =
      "precision highp float;\nprecision highp int;\nprecision highp sampler2DShadow;\n#define BROWSER\n";
  if (program >= 0) {
    const sinew::GpuProgramKind& kind = page.plan.programs[static_cast<size_t>(program)];
    page.source = fragment ? FragmentSource(prefix, kind) : VertexSource(prefix, kind);
  } else if (program == -1) {
    page.source = fragment ? prefix + sinew::kDepthFragment : sinew::VertexSource(prefix, {});
  } else {
    page.source = prefix + (fragment ? sinew::kFlatFragment : sinew::kFlatVertex);
  }
  return page.source.c_str();
}

}  // extern "C"
