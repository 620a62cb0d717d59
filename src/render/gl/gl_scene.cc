// This file draws the passes over a draw list. The list has decided what is drawn and in which order; here each
// instance gets a program made for it, its numbers, and one to three unit shapes. All places are in the frame of the
// model, world coordinates in metres; matrices turn them into clip coordinates (OpenGL 4.5, section 13.5).
#include "render/gl/gl_scene.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

#include "math/vec3.h"
#include "render/gl/shaders.h"

namespace sinew {
namespace {

// The sky stands on a cylinder about the eye; what is behind it is not seen.
constexpr float kExponent = 128;                  // of shininess 1
constexpr float kSkyRadius = 0.7f;                // in distances of the far plane
constexpr float kWidestShadow = 160;              // angle of a spot's map [degree]
constexpr long long kMostShadowTexels = 1 << 27;  // of all layers; larger maps are made coarser

// Lists are in single precision; products of frames and far planes are taken in double.
using Vec = Vec3<double>;

Vec Load(const float* v) { return {double(v[0]), double(v[1]), double(v[2])}; }
void Store(const Vec& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}

// ---- what programs read: shaders.h, field by field

// Layouts follow the rules std140 (OpenGL 4.5, section 7.6.2.2): all is in groups of four floats.
struct GpuFrame {
  float to_clip[16];  // columns, one after the other
  float eye[4], forward[4], corner[4], across[4], upward[4], mirror[4], fog[4], fog_color[4], sky[4], haze[4],
      haze_color[4], misc[4];
};

struct GpuLight {
  float pos[4], dir[4], attenuation[4], ambient[4], diffuse[4], specular[4], shadow[4], to_map[16];
};

// What a light does, in bits.
enum GpuLightKind { kDirectional = 1, kFades = 2, kNarrows = 4, kAmbient = 8, kSpecular = 16, kShadow = 32 };

// A program with only these terms is faster than one that asks at each pixel.
int KindOf(const DrawLight& light) {
  const auto any = [](const float* rgb) { return rgb[0] != 0 || rgb[1] != 0 || rgb[2] != 0; };
  const float* fall = light.attenuation;
  return (light.directional ? kDirectional : 0) | (fall[0] != 1 || fall[1] != 0 || fall[2] != 0 ? kFades : 0) |
         (light.exponent > 0 ? kNarrows : 0) | (any(light.ambient) ? kAmbient : 0) |
         (any(light.specular) ? kSpecular : 0) | (light.shadow ? kShadow : 0);
}

// It is set for each piece by one call, as an array of ten vec4 that kSurfaceVertex and kSurfaceFragment read by
// index.
struct GpuPart {
  float rows[3][4];  // rotation and position
  float scale[3], shift;
  float rgba[4];
  float emission, specular, exponent, factor;
  // `adds` is 1 for the reflector itself: its colour is added to the mirror image below it.
  float adds, unused[3];
  float texture_scale[4];
  float unused2[4];
  float flat_rgb[4];
};
static_assert(sizeof(GpuPart) == 10 * 4 * sizeof(float));

// Clip coordinates of a point, by columns. Depth falls from one at the near to zero at the far plane; `from_zero` says
// whether the driver takes it so, or wants the range from -1 to 1.
void ClipMatrix(const DrawView& view, bool from_zero, float to[16]) {
  // The rows are in the camera's frame, right, up and forward, with depth positive in front of it.
  const Vec eye = Load(view.pos);
  const Vec axes[3] = {Load(view.right), Load(view.up), Load(view.forward)};
  const double near = view.near, far = view.far;
  const double low[2] = {view.left, view.bottom}, high[2] = {view.right_border, view.top};
  double rows[4][4] = {};  // on (x, y, depth, 1) of the camera
  for (int i = 0; i < 2; ++i) {
    // Frustums need not be symmetric: the eyes of a stereo pair and cameras with a principal point are not.
    const double shift = -(high[i] + low[i]) / (high[i] - low[i]);
    rows[i][i] = (view.orthographic ? 2 : 2 * near) / (high[i] - low[i]);
    rows[i][view.orthographic ? 3 : 2] = shift;
  }
  rows[3][view.orthographic ? 3 : 2] = 1;
  rows[2][2] = (view.orthographic ? -1 : -near) / (far - near);
  rows[2][3] = (view.orthographic ? far : near * far) / (far - near);
  for (int c = 0; c < 4 && !from_zero; ++c) rows[2][c] = 2 * rows[2][c] - rows[3][c];
  for (int r = 0; r < 4; ++r) {
    double shift = rows[r][3];
    for (int a = 0; a < 3; ++a) shift -= rows[r][a] * Dot(axes[a], eye);
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (int a = 0; a < 3; ++a) sum += rows[r][a] * axes[a][c];
      to[4 * c + r] = static_cast<float>(sum);
    }
    to[12 + r] = static_cast<float>(shift);
  }
}

// How a light sees the scene, for its shadows.
// A directional light sees a square of half width shadow_clip [m] about its place; a spot sees a cone as wide as its
// cutoff times shadow_scale, at most kWidestShadow, since the texels of wider maps cover too much. Which way is up in
// a map does not matter.
DrawView ViewOfLight(const DrawLight& light, const DrawSettings& settings, const DrawView& eye) {
  DrawView view;
  view.near = eye.near;
  view.far = eye.far;
  const Vec forward = Load(light.dir);
  const Vec side = std::abs(forward.x) < 0.7 ? Vec{1, 0, 0} : Vec{0, 1, 0};
  const Vec right = Normalized(Cross(forward, side));
  std::copy_n(light.pos, 3, view.pos);
  Store(forward, view.forward);
  Store(right, view.right);
  Store(Cross(right, forward), view.up);
  view.orthographic = light.directional;
  float half = settings.shadow_clip;
  if (!light.directional) {
    const float angle = std::min(2 * light.cutoff * settings.shadow_scale, kWidestShadow);
    half = view.near * std::tan(angle * std::numbers::pi_v<float> / 360);
  }
  view.top = view.right_border = half;
  view.bottom = view.left = -half;
  return view;
}

// What an eye behind a mirror sees: the plane through `at` with this normal.
// The reflection is x' = x - 2 n (n . (x - p)). Right and up become a left-handed pair, so front faces go the other
// way round.
DrawView MirrorView(DrawView view, const Vec& at, const Vec& normal) {
  const auto turn = [&](float* v) { Store(Load(v) - normal * (2 * Dot(Load(v), normal)), v); };
  Store(Load(view.pos) - normal * (2 * Dot(Load(view.pos) - at, normal)), view.pos);
  turn(view.forward);
  turn(view.up);
  turn(view.right);
  return view;
}

// Returns the third column of the rotation: the normal of planes and of the mirror's face, in the world.
Vec AxisZ(const DrawInstance& instance) {
  return {double(instance.mat[2]), double(instance.mat[5]), double(instance.mat[8])};
}

}  // namespace

GlScene::GlScene(const GlFunctions& gl, DrawAssets assets, Divisions divisions) : gl_(gl), assets_(std::move(assets)) {
  const std::string frame = std::string(kVersion) + kFrameBlock;
  depth_ = MakeProgram(gl, frame + kSurfaceVertex, std::string(kVersion) + kDepthFragment);
  sky_ = MakeProgram(gl, frame + kSkyVertex, frame + kSkyFragment);
  flat_ = MakeProgram(gl, kFlatVertex, kFlatFragment);
  for (const auto& [block, binding] : {std::pair(&frame_block_, 0u), std::pair(&light_block_, 1u)}) {
    gl.GenBuffers(1, block);
    gl.BindBuffer(GL_UNIFORM_BUFFER, *block);
    const auto bytes = static_cast<GLsizeiptr>(binding == 0 ? sizeof(GpuFrame) : mjMAXLIGHT * sizeof(GpuLight));
    gl.BufferData(GL_UNIFORM_BUFFER, bytes, nullptr, GL_DYNAMIC_DRAW);
  }
  gl.BindBuffer(GL_UNIFORM_BUFFER, 0);
  sphere_ = MakeMesh(gl, UnitSphere(divisions));
  cap_ = MakeMesh(gl, UnitCap(divisions));
  tube_ = MakeMesh(gl, UnitTube(divisions));
  disk_ = MakeMesh(gl, UnitDisk(divisions));
  cone_ = MakeMesh(gl, UnitCone(divisions));
  box_ = MakeMesh(gl, UnitBox(divisions));
  plane_ = MakeMesh(gl, UnitPlane(divisions));
  for (const TriangleList& mesh : assets_.meshes) meshes_.push_back(MakeMesh(gl, mesh));
  for (const TriangleList& field : assets_.height_fields) fields_.push_back(MakeMesh(gl, field));
  for (const DrawTexture& texture : assets_.textures) textures_.push_back(MakeTexture(gl, texture));
  gl.GenVertexArrays(1, &empty_array_);
  gl.GenVertexArrays(1, &flat_array_);
  gl.GenBuffers(1, &flat_buffer_);
  gl.BindVertexArray(flat_array_);
  gl.BindBuffer(GL_ARRAY_BUFFER, flat_buffer_);
  for (GLuint i = 0; i < 2; ++i) {
    gl.VertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 8 * sizeof(float),
                           reinterpret_cast<const void*>(4 * i * sizeof(float)));
    gl.EnableVertexAttribArray(i);
  }
  gl.BindVertexArray(0);
  gl.BindBuffer(GL_ARRAY_BUFFER, 0);
  gl.ActiveTexture(GL_TEXTURE0);
}

void GlScene::Free() {
  for (const GpuProgram* program : {&depth_, &sky_, &flat_}) gl_.DeleteProgram(program->name);
  for (const auto& [kind, program] : surfaces_) gl_.DeleteProgram(program.name);
  for (GpuMesh* mesh : {&sphere_, &cap_, &tube_, &disk_, &cone_, &box_, &plane_, &own_triangles_}) FreeMesh(gl_, *mesh);
  for (std::vector<GpuMesh>* list : {&meshes_, &fields_}) {
    for (GpuMesh& mesh : *list) FreeMesh(gl_, mesh);
  }
  gl_.DeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
  gl_.DeleteTextures(1, &shadow_map_);
  gl_.DeleteFramebuffers(1, &shadow_framebuffer_);
  for (const GLuint* array : {&empty_array_, &flat_array_}) gl_.DeleteVertexArrays(1, array);
  for (const GLuint* buffer : {&flat_buffer_, &frame_block_, &light_block_}) gl_.DeleteBuffers(1, buffer);
}

// ---- assets

// The new texture takes the number of the old one, so that lists need not know. A number out of range throws.
void GlScene::ReplaceTexture(int texture, DrawTexture changed) {
  const auto i = static_cast<size_t>(texture);
  assets_.textures.at(i) = std::move(changed);
  gl_.DeleteTextures(1, &textures_[i]);
  textures_[i] = MakeTexture(gl_, assets_.textures[i]);
}

void GlScene::ReplaceMesh(int mesh, TriangleList triangles, TriangleList hull) {
  const auto i = 2 * static_cast<size_t>(mesh);
  assets_.meshes.at(i) = std::move(triangles);
  assets_.meshes.at(i + 1) = std::move(hull);
  FillMesh(gl_, assets_.meshes[i], meshes_[i]);
  FillMesh(gl_, assets_.meshes[i + 1], meshes_[i + 1]);
}

void GlScene::ReplaceField(int field, TriangleList triangles) {
  const auto i = static_cast<size_t>(field);
  assets_.height_fields.at(i) = std::move(triangles);
  FillMesh(gl_, assets_.height_fields[i], fields_[i]);
}

// ---- uniforms

// Fills the block Frame for one view: `mirror` is the plane of a mirror image or zeros, and `clip` the matrix of this
// view. Lights' views pass here, too, as their depth is drawn by the same vertex program.
void GlScene::SetFrame(const DrawList& list, const DrawView& view, const float mirror[4], const float clip[16]) {
  GpuFrame frame = {};
  std::copy_n(clip, 16, frame.to_clip);
  std::copy_n(view.pos, 3, frame.eye);
  frame.eye[3] = view.orthographic ? 1 : 0;
  std::copy_n(view.forward, 3, frame.forward);
  const Vec right = Load(view.right), up = Load(view.up), forward = Load(view.forward);
  if (view.orthographic) {
    Store(forward, frame.corner);
  } else {
    Store(forward * double(view.near) + right * double(view.left) + up * double(view.bottom), frame.corner);
    Store(right * (double(view.right_border) - double(view.left)), frame.across);
    Store(up * (double(view.top) - double(view.bottom)), frame.upward);
  }
  std::copy_n(mirror, 4, frame.mirror);
  const DrawSettings& settings = list.settings;
  const float range = settings.fog_end - settings.fog_start;
  frame.fog[0] = settings.fog_end;
  frame.fog[1] = range != 0 ? 1 / range : 0;
  frame.fog[2] = list.fog ? 1 : 0;
  std::copy_n(settings.fog_rgba, 4, frame.fog_color);
  const bool has_sky = list.skybox >= 0 && !list.depth_picture;
  const float radius = kSkyRadius * view.far;
  frame.sky[0] = has_sky ? 1 : 0;
  frame.sky[1] = radius * radius;
  frame.sky[2] = radius;
  std::copy_n(view.pos, 3, eye_);
  sky_radius_ = has_sky ? radius : 0;
  if (has_sky && list.haze && list.haze_plane >= 0 && assets_.haze > 0) {
    const DrawInstance& plane = list.instances[static_cast<size_t>(list.haze_plane)];
    Store(AxisZ(plane), frame.haze);
    frame.haze[3] = static_cast<float>(Dot(AxisZ(plane), Load(view.pos) - Load(plane.pos)));
  }
  std::copy_n(assets_.haze_rgba, 4, frame.haze_color);
  frame.misc[0] = list.ambient;
  frame.misc[1] = assets_.haze;
  frame.misc[2] = view.near;
  frame.misc[3] = view.far;
  gl_.BindBuffer(GL_UNIFORM_BUFFER, frame_block_);
  gl_.BufferData(GL_UNIFORM_BUFFER, sizeof(frame), &frame, GL_DYNAMIC_DRAW);
  gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, frame_block_);
}

// Fills the block Lights and says in light_kinds_ what each does. Runs after FillShadowMaps, whose matrices it takes.
void GlScene::SetLights(const DrawList& list) {
  std::vector<GpuLight> lights(mjMAXLIGHT);
  light_kinds_.clear();
  size_t layer = 0;
  for (size_t i = 0; i < list.lights.size() && i < lights.size(); ++i) {
    const DrawLight& from = list.lights[i];
    light_kinds_.push_back(KindOf(from));
    GpuLight& to = lights[i];
    std::copy_n(from.pos, 3, to.pos);
    // This is the cosine of the cutoff [degree]; -2 is below all cosines and lets every direction through.
    to.pos[3] = from.cutoff >= 180 ? -2.0f : std::cos(from.cutoff * std::numbers::pi_v<float> / 180);
    std::copy_n(from.dir, 3, to.dir);
    to.dir[3] = from.exponent;
    std::copy_n(from.attenuation, 3, to.attenuation);
    to.attenuation[3] = from.directional ? 1 : 0;
    std::copy_n(from.ambient, 3, to.ambient);
    std::copy_n(from.diffuse, 3, to.diffuse);
    std::copy_n(from.specular, 3, to.specular);
    to.shadow[0] = -1;
    if (!from.shadow || shadow_layers_ == 0) continue;
    const DrawView view = ViewOfLight(from, list.settings, list.views.front());
    // This is the width of a texel in metres: at the near plane for spots, where it grows with distance, and anywhere
    // for directional lights.
    const float texel = 2 * view.top / static_cast<float>(shadow_size_);
    to.shadow[0] = static_cast<float>(layer);
    to.shadow[1] = from.directional ? 0 : texel / view.near;
    to.shadow[2] = from.directional ? texel : 0;
    to.shadow[3] = static_cast<float>(shadow_size_);
    // from clip coordinates to places of the map and its depths
    const float* clip = light_clips_.data() + 16 * layer;
    for (int c = 0; c < 4; ++c) {
      const float w = clip[4 * c + 3];
      for (int r = 0; r < 3; ++r) {
        // Depths lie in 0..1 already where clip control is there; the other coordinates always lie in -1..1.
        const bool as_is = r == 2 && gl_.ClipControl;
        to.to_map[4 * c + r] = as_is ? clip[4 * c + r] : 0.5f * (clip[4 * c + r] + w);
      }
      to.to_map[4 * c + 3] = w;
    }
    ++layer;
  }
  gl_.BindBuffer(GL_UNIFORM_BUFFER, light_block_);
  gl_.BufferData(GL_UNIFORM_BUFFER, static_cast<GLsizeiptr>(lights.size() * sizeof(GpuLight)), lights.data(),
                 GL_DYNAMIC_DRAW);
  gl_.BindBufferBase(GL_UNIFORM_BUFFER, 1, light_block_);
}

// ---- shadows

// Draws the depth of what casts shadows, once for each light that has them, into a layer of one array of maps. Maps
// are kept from picture to picture unless their size or number changes.
void GlScene::FillShadowMaps(const DrawList& list) {
  light_clips_.clear();
  int layers = 0;
  for (const DrawLight& light : list.lights) layers += light.shadow ? 1 : 0;
  if (layers == 0) return;
  GLint most = 0;
  gl_.GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  int size = std::clamp(list.settings.shadow_size, 4, most);
  while (static_cast<long long>(size) * size * layers > kMostShadowTexels) size /= 2;

  gl_.ActiveTexture(GL_TEXTURE0 + kShadowUnit);
  if (size != shadow_size_ || layers != shadow_layers_) {
    if (!shadow_map_) {
      gl_.GenTextures(1, &shadow_map_);
      gl_.GenFramebuffers(1, &shadow_framebuffer_);
    }
    gl_.BindTexture(GL_TEXTURE_2D_ARRAY, shadow_map_);
    gl_.TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT32F, size, size, layers, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                   nullptr);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
      // smoother borders cost processors much
      gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, filter, gl_.software ? GL_NEAREST : GL_LINEAR);
    }
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
      gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, wrap, GL_CLAMP_TO_EDGE);
    }
    gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    // Depth grows toward the light, so that what is at least as near as the map's texel is lit.
    gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_GEQUAL);
    shadow_size_ = size;
    shadow_layers_ = layers;
  }
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, 0);
  gl_.BindFramebuffer(GL_FRAMEBUFFER, shadow_framebuffer_);
  gl_.DrawBuffer(GL_NONE);
  gl_.ReadBuffer(GL_NONE);
  gl_.Viewport(0, 0, size, size);
  gl_.Enable(GL_DEPTH_TEST);
  gl_.Enable(GL_POLYGON_OFFSET_FILL);
  // Surfaces are moved away from the light, by two units of depth and twice their slope, or they would shade
  // themselves where texels are coarse.
  gl_.PolygonOffset(-2, -2);
  int layer = 0;
  const float no_mirror[4] = {};
  for (const DrawLight& light : list.lights) {
    if (!light.shadow) continue;
    gl_.FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, shadow_map_, 0, layer++);
    gl_.Clear(GL_DEPTH_BUFFER_BIT);
    const DrawView view = ViewOfLight(light, list.settings, list.views.front());
    light_clips_.resize(16 * static_cast<size_t>(layer));
    float* clip = light_clips_.data() + 16 * (static_cast<size_t>(layer) - 1);
    ClipMatrix(view, gl_.ClipControl != nullptr, clip);
    SetFrame(list, view, no_mirror, clip);
    for (const DrawInstance& instance : list.instances) {
      if (instance.casts_shadow) Show(list, instance, Pass::kDepth);
    }
  }
  gl_.Disable(GL_POLYGON_OFFSET_FILL);
}

// ---- instances

// A capsule is a tube and two half spheres, a cylinder a tube and two disks, a cone a mantle and a disk. Negative
// scales along y and z turn a cap over and keep its faces' sense of rotation.
std::vector<GlScene::Piece> GlScene::PiecesOf(const DrawInstance& instance) const {
  const float x = instance.size[0], y = instance.size[1], z = instance.size[2];
  const auto whole = [](const GpuMesh& mesh, float sx, float sy, float sz, float shift = 0) {
    return Piece{&mesh, sx, sy, sz, shift, 0, mesh.count};
  };
  const auto asset = static_cast<size_t>(instance.asset);
  switch (instance.shape) {
    case DrawShape::kPlane:
      return {whole(plane_, x, y, 1)};
    case DrawShape::kEllipsoid:
      return {whole(sphere_, x, y, z)};
    case DrawShape::kCapsule:
      return {whole(tube_, x, x, z), whole(cap_, x, x, x, z), whole(cap_, x, -x, -x, -z)};
    case DrawShape::kCylinder:
      return {whole(tube_, x, y, z), whole(disk_, x, y, 1, z), whole(disk_, x, -y, -1, -z)};
    case DrawShape::kCone:
      return {whole(cone_, x, y, z), whole(disk_, x, -y, -1)};
    case DrawShape::kBox:
      return {whole(box_, x, y, z)};
    case DrawShape::kMesh:
      return {whole(meshes_[asset], 1, 1, 1)};
    case DrawShape::kField:
      return {whole(fields_[asset], 1, 1, 1)};
    case DrawShape::kTriangles:
      return {Piece{&own_triangles_, 1, 1, 1, 0, 3 * instance.asset, 3 * instance.count}};
  }
  return {};
}

// Binds the texture of an instance, and returns its mapping for the program; 0 where there is none, or where a flat
// picture is asked to cover a cube or the other way round.
int GlScene::BindTexture(const DrawInstance& instance, Pass pass) {
  const auto texture = static_cast<size_t>(instance.texture);
  if (pass == Pass::kFlat || instance.texture < 0 || texture >= textures_.size() || !textures_[texture]) return 0;
  const bool cube = assets_.textures[texture].type != mjTEXTURE_2D;
  if (cube != (instance.mapping == DrawMapping::kCube)) return 0;
  gl_.ActiveTexture(GL_TEXTURE0 + (cube ? kCubeUnit : kImageUnit));
  gl_.BindTexture(cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, textures_[texture]);
  return static_cast<int>(instance.mapping);
}

// Returns the program with exactly what this instance needs, compiled at its first use and kept.
const GpuProgram& GlScene::ProgramFor(const DrawList& list, const DrawInstance& instance, Pass pass) {
  Kind kind;
  if (pass == Pass::kFlat) {
    kind.flat = list.segment ? 1 : 2;
  } else {
    kind.mapping = BindTexture(instance, pass);
    kind.lights = light_kinds_;
    kind.gloss = instance.specular > 0;
    kind.fog = list.fog;
    const bool hazy = list.haze && list.haze_plane >= 0 && assets_.haze > 0 && sky_radius_ > 0;
    kind.haze = hazy && pass != Pass::kMirror && &instance == &list.instances[static_cast<size_t>(list.haze_plane)];
    kind.shadows = pass != Pass::kTransparent && !light_clips_.empty();
    // Only what reaches beyond the sky's cylinder pays for the test at each pixel; free triangles have no radius to
    // tell.
    const Vec way = Load(instance.pos) - Load(eye_);
    const bool may_be_behind = std::hypot(way.x, way.y) + double(instance.radius) > double(sky_radius_);
    kind.cut = sky_radius_ > 0 && (may_be_behind || instance.shape == DrawShape::kTriangles);
  }
  GpuProgram& program = surfaces_[kind];
  if (program.name) return program;
  const auto define = [](const char* name, int value) {
    return std::string("#define ") + name + " " + std::to_string(value) + "\n";
  };
  std::string lights;
  for (const int light : kind.lights) lights += (lights.empty() ? "" : ", ") + std::to_string(light);
  const std::string kinds = define("LIGHTS", static_cast<int>(kind.lights.size())) + "#define KINDS " + lights + "\n" +
                            define("GLOSS", kind.gloss) + define("FOG", kind.fog) + define("HAZE", kind.haze) +
                            define("MAPPING", kind.mapping) + define("FLAT", kind.flat) +
                            define("SHADOWS", kind.shadows) + define("CUT", kind.cut);
  const std::string frame = std::string(kVersion) + kinds + kFrameBlock;
  program = MakeProgram(gl_, frame + kSurfaceVertex, frame + kSurfaceFragment);
  return program;
}

// Draws one instance with the program that is made for it. The block Frame has been set by the caller.
void GlScene::Show(const DrawList& list, const DrawInstance& instance, Pass pass) {
  const GpuProgram& program = pass == Pass::kDepth ? depth_ : ProgramFor(list, instance, pass);
  gl_.UseProgram(program.name);
  GpuPart part = {};
  for (int i = 0; i < 3; ++i) {
    std::copy_n(instance.mat + 3 * i, 3, part.rows[i]);
    part.rows[i][3] = instance.pos[i];
  }
  if (pass != Pass::kDepth) {
    std::copy_n(instance.rgba, 4, part.rgba);
    part.emission = instance.emission;
    part.specular = instance.specular;
    part.exponent = kExponent * instance.shininess;
    part.factor = 1;
    const int reflector = list.reflector;
    if (pass == Pass::kMirror) part.factor = list.instances[static_cast<size_t>(reflector)].reflectance;
    part.adds = pass == Pass::kColor && reflector >= 0 && &instance == &list.instances[static_cast<size_t>(reflector)];
    std::copy_n(instance.scale, 3, part.texture_scale);
    std::copy_n(instance.segment_rgb, 3, part.flat_rgb);
  }
  // Shadows and stencils need a face whichever way it looks.
  const bool both_sides = pass == Pass::kDepth || instance.from_behind || !list.cull;
  both_sides ? gl_.Disable(GL_CULL_FACE) : gl_.Enable(GL_CULL_FACE);
  for (const Piece& piece : PiecesOf(instance)) {
    if (piece.count <= 0) continue;
    part.scale[0] = piece.x;
    part.scale[1] = piece.y;
    part.scale[2] = piece.z;
    part.shift = piece.shift;
    gl_.Uniform4fv(program.part, 10, &part.rows[0][0]);
    gl_.BindVertexArray(piece.mesh->array);
    gl_.DrawArrays(GL_TRIANGLES, piece.first, piece.count);
  }
}

// ---- passes

// Marks the mirror in the stencil and draws there what is in front of it, turned over.
void GlScene::DrawMirrorImage(const DrawList& list, const DrawView& view) {
  const DrawInstance& mirror = list.instances[static_cast<size_t>(list.reflector)];
  const Vec normal = AxisZ(mirror);
  const double height = mirror.shape == DrawShape::kBox ? static_cast<double>(mirror.size[2]) : 0;
  const Vec at = Load(mirror.pos) + normal * height;
  if (Dot(Load(view.pos) - at, normal) <= 0) return;

  gl_.Enable(GL_STENCIL_TEST);
  gl_.StencilFunc(GL_ALWAYS, 1, 1);
  gl_.StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  gl_.ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  gl_.DepthMask(GL_FALSE);
  DrawInstance face = mirror;
  face.shape = DrawShape::kPlane;
  Store(at, face.pos);
  Show(list, face, Pass::kDepth);
  gl_.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl_.DepthMask(GL_TRUE);

  gl_.StencilFunc(GL_EQUAL, 1, 1);
  gl_.StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  const float plane[4] = {static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z),
                          static_cast<float>(-Dot(normal, at))};
  const DrawView turned = MirrorView(view, at, normal);
  float clip[16];
  ClipMatrix(turned, gl_.ClipControl != nullptr, clip);
  SetFrame(list, turned, plane, clip);
  gl_.Enable(GL_CLIP_DISTANCE0);
  gl_.FrontFace(GL_CW);
  for (const int i : list.opaque) {
    if (i != list.reflector) Show(list, list.instances[static_cast<size_t>(i)], Pass::kMirror);
  }
  gl_.FrontFace(GL_CCW);
  gl_.Disable(GL_CLIP_DISTANCE0);
  gl_.Disable(GL_STENCIL_TEST);
  gl_.Clear(GL_DEPTH_BUFFER_BIT);
}

// The reflector comes first and is blended onto its mirror image; depth was cleared after that, so what stands on it
// follows as usual.
void GlScene::DrawOpaque(const DrawList& list) {
  if (list.reflector >= 0) {
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    Show(list, list.instances[static_cast<size_t>(list.reflector)], Pass::kColor);
    gl_.Disable(GL_BLEND);
  }
  for (const int i : list.opaque) {
    if (i != list.reflector) Show(list, list.instances[static_cast<size_t>(i)], Pass::kColor);
  }
}

// Draws one triangle that covers the viewport, at the far plane and without writing depth: the test leaves it where
// nothing has been drawn.
void GlScene::DrawSky(const DrawList& list) {
  const GLuint texture = textures_[static_cast<size_t>(list.skybox)];
  if (!texture) return;
  gl_.UseProgram(sky_.name);
  gl_.ActiveTexture(GL_TEXTURE0 + kCubeUnit);
  gl_.BindTexture(GL_TEXTURE_CUBE_MAP, texture);
  const float depth = gl_.ClipControl ? 0.0f : -1.0f;
  const float places[12] = {0, 0, depth, 0, 2, 0, depth, 0, 0, 2, depth, 0};
  gl_.Uniform4fv(gl_.GetUniformLocation(sky_.name, "place_of"), 3, places);
  gl_.Disable(GL_CULL_FACE);
  gl_.DepthMask(GL_FALSE);
  gl_.BindVertexArray(empty_array_);
  gl_.DrawArrays(GL_TRIANGLES, 0, 3);
  gl_.DepthMask(GL_TRUE);
}

// Draws them first in the list's order and then in the reverse one, as MuJoCo 3.8.0 lays transparent things over
// twice; with additive blending the order does not matter and once is enough. Depth is tested but not written.
void GlScene::DrawTransparent(const DrawList& list) {
  if (list.transparent.empty()) return;
  gl_.Enable(GL_BLEND);
  gl_.BlendFunc(GL_SRC_ALPHA, list.additive ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
  gl_.DepthMask(GL_FALSE);
  for (const int i : list.transparent) Show(list, list.instances[static_cast<size_t>(i)], Pass::kTransparent);
  for (size_t k = list.transparent.size(); k > 0 && !list.additive; --k) {
    Show(list, list.instances[static_cast<size_t>(list.transparent[k - 1])], Pass::kTransparent);
  }
  gl_.DepthMask(GL_TRUE);
  gl_.Disable(GL_BLEND);
}

// Lines as bars in the plane of the picture: drivers need not know wide ones.
void GlScene::DrawSegments(const DrawList& list, const DrawView& view) {
  if (list.segments.empty()) return;
  float clip[16];
  ClipMatrix(view, gl_.ClipControl != nullptr, clip);
  // Finds the clip coordinates of a point, before the division by w.
  const auto project = [&](const float* p, double* to) {
    for (int r = 0; r < 4; ++r) {
      to[r] = double(clip[12 + r]);
      for (int c = 0; c < 3; ++c) to[r] += double(clip[4 * c + r]) * double(p[c]);
    }
  };
  const Vec forward = Load(view.forward), eye = Load(view.pos);
  const auto depth_of = [&](const float* p) { return Dot(forward, Load(p) - eye); };
  std::vector<float> vertices;
  for (const DrawSegment& segment : list.segments) {
    if (list.segment && segment.segid < 0) continue;
    double ends[2][4];
    project(segment.from, ends[0]);
    project(segment.to, ends[1]);
    const double near = double(view.near), depths[2] = {depth_of(segment.from), depth_of(segment.to)};
    // What is behind the near plane would be turned over by the division: a line is cut there, one behind it is left
    // out.
    if (depths[0] < near && depths[1] < near) continue;
    for (int k = 0; k < 2; ++k) {
      if (depths[k] >= near) continue;
      const double share = (near - depths[k]) / (depths[1 - k] - depths[k]);
      for (int r = 0; r < 4; ++r) ends[k][r] += share * (ends[1 - k][r] - ends[k][r]);
    }
    const double half_w = 0.5 * view.viewport.width, half_h = 0.5 * view.viewport.height;
    const double dx = (ends[1][0] / ends[1][3] - ends[0][0] / ends[0][3]) * half_w,
                 dy = (ends[1][1] / ends[1][3] - ends[0][1] / ends[0][3]) * half_h;
    const double length = std::max(std::hypot(dx, dy), 1e-9), half = 0.5 * std::max(double(segment.width), 1.0);
    const double across_x = -dy / length * half / half_w, across_y = dx / length * half / half_h;
    const float* rgb = list.segment ? segment.segment_rgb : segment.rgba;
    const float once = std::clamp(segment.rgba[3], 0.0f, 1.0f);
    const float alpha = list.segment ? 1 : 1 - (1 - once) * (1 - once);  // transparent things are drawn twice
    constexpr int kCorners[6][2] = {{0, -1}, {1, -1}, {1, 1}, {0, -1}, {1, 1}, {0, 1}};
    for (const auto& [end, side] : kCorners) {
      const double* p = ends[end];
      for (const double x : {p[0] + side * across_x * p[3], p[1] + side * across_y * p[3], p[2], p[3]}) {
        vertices.push_back(static_cast<float>(x));
      }
      vertices.insert(vertices.end(), {rgb[0], rgb[1], rgb[2], alpha});
    }
  }
  if (!list.segment) {
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  }
  DrawFlat(vertices, true);
  gl_.Disable(GL_BLEND);
}

void GlScene::DrawFlat(const std::vector<float>& vertices, bool depth_test) {
  if (vertices.empty()) return;
  gl_.UseProgram(flat_.name);
  gl_.Disable(GL_CULL_FACE);
  depth_test ? gl_.Enable(GL_DEPTH_TEST) : gl_.Disable(GL_DEPTH_TEST);
  gl_.BindVertexArray(flat_array_);
  gl_.BindBuffer(GL_ARRAY_BUFFER, flat_buffer_);
  gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(float)), vertices.data(),
                 GL_STREAM_DRAW);
  gl_.DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices.size() / 8));
  gl_.BindVertexArray(0);
  gl_.BindBuffer(GL_ARRAY_BUFFER, 0);
  gl_.UseProgram(0);
}

// Draws one view into its rectangle of the target. The scissor keeps glClear from clearing the other views.
void GlScene::ShowView(const DrawList& list, const DrawView& view, const GlTarget& target) {
  const mjrRect& r = view.viewport;
  gl_.BindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  gl_.Viewport(r.left, r.bottom, r.width, r.height);
  gl_.Enable(GL_SCISSOR_TEST);
  gl_.Scissor(r.left, r.bottom, r.width, r.height);
  gl_.ClearColor(0, 0, 0, 0);
  gl_.ClearStencil(0);
  gl_.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | (target.stencil ? GL_STENCIL_BUFFER_BIT : 0));
  gl_.Enable(GL_DEPTH_TEST);
  gl_.ActiveTexture(GL_TEXTURE0 + kShadowUnit);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, shadow_map_);

  const bool flat = list.segment || list.depth_picture;
  const bool lines = list.wireframe && !flat;
  // Averages of two objects' numbers, or of two depths, would be the number of a third.
  if (flat) gl_.Disable(GL_MULTISAMPLE);
  if (lines) gl_.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  float clip[16];
  ClipMatrix(view, gl_.ClipControl != nullptr, clip);
  const float no_mirror[4] = {};
  SetFrame(list, view, no_mirror, clip);
  if (list.reflector >= 0 && !flat && !lines && target.stencil) DrawMirrorImage(list, view);
  SetFrame(list, view, no_mirror, clip);
  if (flat) {
    for (const DrawInstance& instance : list.instances) {
      if (!list.segment || instance.segid >= 0) Show(list, instance, Pass::kFlat);
    }
  } else {
    DrawOpaque(list);
    gl_.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    // The sky is filled even where shapes are wires.
    if (list.skybox >= 0) DrawSky(list);
    if (lines) gl_.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    DrawTransparent(list);
    gl_.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  }
  DrawSegments(list, view);
  gl_.Enable(GL_MULTISAMPLE);
}

// That of a new context: programs may draw by themselves between our pictures.
void GlScene::ResetState() {
  for (const GLenum test : {GL_DEPTH_TEST, GL_CULL_FACE, GL_BLEND, GL_STENCIL_TEST, GL_SCISSOR_TEST}) gl_.Disable(test);
  gl_.DepthFunc(GL_LESS);
  gl_.ClearDepth(1);
  if (gl_.ClipControl) gl_.ClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  gl_.BindVertexArray(0);
  gl_.BindBuffer(GL_UNIFORM_BUFFER, 0);
  gl_.UseProgram(0);
  gl_.ActiveTexture(GL_TEXTURE0 + kShadowUnit);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, 0);
  gl_.ActiveTexture(GL_TEXTURE0 + kCubeUnit);
  gl_.BindTexture(GL_TEXTURE_CUBE_MAP, 0);
  gl_.ActiveTexture(GL_TEXTURE0);
  gl_.BindTexture(GL_TEXTURE_2D, 0);
}

// The order matters: shadow maps use the block Frame for their own views, lights need the maps' matrices, and views
// need both.
void GlScene::Draw(const DrawList& list, const GlTarget& target) {
  if (gl_.ClipControl) gl_.ClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  // Depth is one at the near plane here, the reverse of what a new context has.
  gl_.DepthFunc(GL_GEQUAL);
  gl_.DepthMask(GL_TRUE);
  gl_.ClearDepth(0);
  gl_.Disable(GL_SCISSOR_TEST);
  if (list.triangles.size() > 0) FillMesh(gl_, list.triangles, own_triangles_);
  if (!list.segment && !list.depth_picture) FillShadowMaps(list);
  SetLights(list);
  for (const DrawView& view : list.views) ShowView(list, view, target);
  ResetState();
}

}  // namespace sinew
