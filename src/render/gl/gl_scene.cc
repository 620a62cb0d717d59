// Executes plans (gpu_plan.h) with OpenGL: the state of each kind of pass, programs, textures and triangles.
#include "render/gl/gl_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/gpu_views.h"
#include "render/shaders.h"

namespace sinew::inline render {

GlScene::GlScene(const GlFunctions& gl, DrawAssets assets) : gl_(gl), assets_(std::move(assets)) {
  depth_ = MakeProgram(gl, VertexSource(kVersion, {}), std::string(kVersion) + kDepthFragment);
  flat_ = MakeProgram(gl, std::string(kVersion) + kFlatVertex, std::string(kVersion) + kFlatFragment);
  gl.GenBuffers(1, &frame_block_);
  gl.GenBuffers(1, &light_block_);
  for (const TriangleList& shape : UnitShapes(assets_.divisions)) meshes_.push_back(MakeMesh(gl, shape));
  meshes_.emplace_back();  // the list's own
  for (const TriangleList& mesh : assets_.meshes) meshes_.push_back(MakeMesh(gl, mesh));
  for (const TriangleList& field : assets_.height_fields) meshes_.push_back(MakeMesh(gl, field));
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
  for (const GpuProgram* program : {&depth_, &flat_}) gl_.DeleteProgram(program->name);
  for (const GpuProgram& program : surfaces_) gl_.DeleteProgram(program.name);
  for (GpuMesh& mesh : meshes_) FreeMesh(gl_, mesh);
  FreeMesh(gl_, grid_);
  gl_.DeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
  gl_.DeleteTextures(1, &shadow_map_);
  gl_.DeleteFramebuffers(1, &shadow_framebuffer_);
  for (const GLuint* array : {&empty_array_, &flat_array_}) gl_.DeleteVertexArrays(1, array);
  for (const GLuint* buffer : {&flat_buffer_, &frame_block_, &light_block_}) gl_.DeleteBuffers(1, buffer);
}

// ---- assets

// The new texture takes the number of the old one, so that lists stay valid. A number out of range throws.
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
  FillMesh(gl_, assets_.meshes[i], meshes_[kFirstAssetMesh + i]);
  FillMesh(gl_, assets_.meshes[i + 1], meshes_[kFirstAssetMesh + i + 1]);
}

void GlScene::ReplaceField(int field, TriangleList triangles) {
  const auto i = static_cast<size_t>(field);
  assets_.height_fields.at(i) = std::move(triangles);
  FillMesh(gl_, assets_.height_fields[i], meshes_[kFirstAssetMesh + assets_.meshes.size() + i]);
}

// ---- shadows

// The maps are kept from picture to picture unless their size or number changes.
void GlScene::ResizeShadowMap() {
  if (plan_.shadow_size == shadow_size_ && plan_.shadow_layers == shadow_layers_) return;
  if (!shadow_map_) {
    gl_.GenTextures(1, &shadow_map_);
    gl_.GenFramebuffers(1, &shadow_framebuffer_);
  }
  shadow_size_ = plan_.shadow_size;
  shadow_layers_ = plan_.shadow_layers;
  gl_.ActiveTexture(GL_TEXTURE0 + kShadowUnit);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, shadow_map_);
  gl_.TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT32F, shadow_size_, shadow_size_, shadow_layers_, 0,
                 GL_DEPTH_COMPONENT, GL_FLOAT, nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    // smoother borders cost processors much
    gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, filter, gl_.software ? GL_NEAREST : GL_LINEAR);
  }
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, wrap, GL_CLAMP_TO_BORDER);  // whose depth is zero, the farthest
  }
  gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  // Depth grows toward the light, so that what is at least as near as the map's texel is lit.
  gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_GEQUAL);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, 0);
}

// Depth alone, of what casts shadows, into a layer of the array of maps.
void GlScene::DrawShadows(const GpuPass& pass) {
  gl_.BindFramebuffer(GL_FRAMEBUFFER, shadow_framebuffer_);
  gl_.DrawBuffer(GL_NONE);
  gl_.ReadBuffer(GL_NONE);
  gl_.Viewport(0, 0, shadow_size_, shadow_size_);
  gl_.Enable(GL_DEPTH_TEST);
  gl_.Enable(GL_POLYGON_OFFSET_FILL);
  // Surfaces are moved away from the light, by two units of depth and twice their slope, or they would shade
  // themselves where texels are coarse.
  gl_.PolygonOffset(-2, -2);
  gl_.FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, shadow_map_, 0, pass.index);
  gl_.Clear(GL_DEPTH_BUFFER_BIT);
  DrawAll(pass);
  gl_.Disable(GL_POLYGON_OFFSET_FILL);
}

// ---- draws

void GlScene::FillBlock(GLuint block, GLuint binding, const void* data, size_t bytes) {
  gl_.BindBuffer(GL_UNIFORM_BUFFER, block);
  gl_.BufferData(GL_UNIFORM_BUFFER, static_cast<GLsizeiptr>(bytes), data, GL_DYNAMIC_DRAW);
  gl_.BindBufferBase(GL_UNIFORM_BUFFER, binding, block);
}

void GlScene::BindTexture(int texture) {
  if (texture < 0) return;
  const bool cube = assets_.textures[static_cast<size_t>(texture)].type != mjTEXTURE_2D;
  gl_.ActiveTexture(GL_TEXTURE0 + (cube ? kCubeUnit : kImageUnit));
  gl_.BindTexture(cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, textures_[static_cast<size_t>(texture)]);
}

// Compiled at its first use and kept.
const GpuProgram& GlScene::ProgramOf(const GpuDraw& draw) {
  if (draw.program < 0) return depth_;
  const auto number = static_cast<size_t>(draw.program);
  if (surfaces_.size() <= number) surfaces_.resize(number + 1);
  GpuProgram& program = surfaces_[number];
  if (program.name) return program;
  const GpuProgramKind& kind = plan_.programs[number];
  program = MakeProgram(gl_, VertexSource(kVersion, kind), FragmentSource(kVersion, kind));
  return program;
}

// Null for programs that have vertices of their own.
const GpuMesh* GlScene::MeshOf(const GpuDraw& draw) {
  if (draw.mesh == kNoMesh) return nullptr;
  if (draw.mesh != kGridMesh) return &meshes_[static_cast<size_t>(draw.mesh)];
  if (!grid_.array) grid_ = MakeMesh(gl_, PlaneGrid());
  return &grid_;
}

void GlScene::DrawAll(const GpuPass& pass) {
  for (int i = 0; i < pass.draws; ++i) {
    const GpuDraw& draw = plan_.draws[static_cast<size_t>(pass.first_draw + i)];
    const GpuMesh* mesh = MeshOf(draw);
    const int count = draw.count < 0 ? mesh->count : draw.count;
    if (count == 0) continue;
    const GpuProgram& program = ProgramOf(draw);
    gl_.UseProgram(program.name);
    BindTexture(draw.texture);
    draw.both_sides ? gl_.Disable(GL_CULL_FACE) : gl_.Enable(GL_CULL_FACE);
    gl_.Uniform4fv(program.part, 10, &draw.part.rows[0][0]);
    gl_.BindVertexArray(mesh ? mesh->array : empty_array_);
    gl_.DrawArrays(GL_TRIANGLES, draw.first, count);
  }
}

// Over what is there, by alpha, without depth.
void GlScene::DrawBlended(const DrawList& list, const GpuPass& pass) {
  gl_.Enable(GL_BLEND);
  gl_.BlendFunc(GL_SRC_ALPHA, list.additive ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
  gl_.DepthMask(GL_FALSE);
  DrawAll(pass);
  gl_.DepthMask(GL_TRUE);
  gl_.Disable(GL_BLEND);
}

// ---- passes

// Sets the state that a kind of pass names, draws, and sets it back.
void GlScene::DrawPass(const DrawList& list, const GpuPass& pass) {
  FillBlock(frame_block_, 0, &plan_.frames[static_cast<size_t>(pass.frame)], sizeof(GpuFrame));
  switch (pass.kind) {
    case GpuPassKind::kShadow:
      return DrawShadows(pass);
    case GpuPassKind::kMirrorMark:
      gl_.Enable(GL_STENCIL_TEST);
      gl_.StencilFunc(GL_ALWAYS, 1, 1);
      gl_.StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
      gl_.ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
      gl_.DepthMask(GL_FALSE);
      DrawAll(pass);
      gl_.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
      gl_.DepthMask(GL_TRUE);
      return gl_.Disable(GL_STENCIL_TEST);
    case GpuPassKind::kMirrorImage:
    case GpuPassKind::kMirrorVeils:
      gl_.Enable(GL_STENCIL_TEST);
      gl_.StencilFunc(GL_EQUAL, 1, 1);
      gl_.StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
      gl_.Enable(GL_CLIP_DISTANCE0);
      gl_.FrontFace(GL_CW);
      pass.kind == GpuPassKind::kMirrorVeils ? DrawBlended(list, pass) : DrawAll(pass);
      gl_.FrontFace(GL_CCW);
      gl_.Disable(GL_CLIP_DISTANCE0);
      return gl_.Disable(GL_STENCIL_TEST);
    case GpuPassKind::kMirrorFace:
      gl_.Enable(GL_BLEND);
      gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
      DrawAll(pass);
      return gl_.Disable(GL_BLEND);
    case GpuPassKind::kSky:
      // The sky is filled even where shapes are wires.
      gl_.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
      gl_.DepthMask(GL_FALSE);
      DrawAll(pass);
      gl_.DepthMask(GL_TRUE);
      return gl_.PolygonMode(GL_FRONT_AND_BACK, list.wireframe ? GL_LINE : GL_FILL);
    case GpuPassKind::kTransparent:
      return DrawBlended(list, pass);
    case GpuPassKind::kOpaque:
    case GpuPassKind::kFlat:
      return DrawAll(pass);
  }
}

// Whole pixels about the part of the viewport.
void GlScene::SetScissor(const mjrRect& viewport, const float bounds[4]) {
  int edges[4];
  for (int i = 0; i < 4; ++i) {
    const float at = bounds[i] * static_cast<float>(i % 2 ? viewport.height : viewport.width);
    edges[i] = static_cast<int>(i < 2 ? std::floor(at) : std::ceil(at));
  }
  gl_.Scissor(viewport.left + edges[0], viewport.bottom + edges[1], edges[2] - edges[0], edges[3] - edges[1]);
}

// The scissor keeps glClear from clearing the other views.
void GlScene::BeginView(const DrawList& list, const DrawView& view, const GlTarget& target) {
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
  // Averages of two objects' numbers, or of two depths, would be the number of a third.
  if (flat) gl_.Disable(GL_MULTISAMPLE);
  if (list.wireframe && !flat) gl_.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
}

void GlScene::EndView(const DrawList& list, const DrawView& view) {
  constexpr float kAll[4] = {0, 0, 1, 1};
  SetScissor(view.viewport, kAll);
  gl_.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  const size_t opaque = BarsOfSegments(list, view, gl_.ClipControl != nullptr, bars_);
  if (!list.segment) {
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  }
  DrawFlat(bars_, true, list.segment ? kAllVertices : opaque);
  gl_.Disable(GL_BLEND);
  gl_.Enable(GL_MULTISAMPLE);
}

void GlScene::DrawFlat(const std::vector<float>& vertices, bool depth_test, size_t opaque) {
  if (vertices.empty()) return;
  gl_.UseProgram(flat_.name);
  gl_.Disable(GL_CULL_FACE);
  depth_test ? gl_.Enable(GL_DEPTH_TEST) : gl_.Disable(GL_DEPTH_TEST);
  gl_.BindVertexArray(flat_array_);
  gl_.BindBuffer(GL_ARRAY_BUFFER, flat_buffer_);
  gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(float)), vertices.data(),
                 GL_STREAM_DRAW);
  const auto count = static_cast<GLsizei>(vertices.size() / 8),
             solid = static_cast<GLsizei>(std::min(opaque, vertices.size() / 8));
  gl_.DrawArrays(GL_TRIANGLES, 0, solid);
  gl_.DepthMask(GL_FALSE);
  gl_.DrawArrays(GL_TRIANGLES, solid, count - solid);
  gl_.DepthMask(GL_TRUE);
  gl_.BindVertexArray(0);
  gl_.BindBuffer(GL_ARRAY_BUFFER, 0);
  gl_.UseProgram(0);
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

// Passes come in the order in which they are drawn: shadows, then view after view.
void GlScene::Draw(const DrawList& list, const GlTarget& target) {
  GLint most = 0;
  gl_.GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  MakeGpuPlan(assets_, list, {gl_.ClipControl != nullptr, most, target.stencil}, plan_);
  if (gl_.ClipControl) gl_.ClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  // Depth is one at the near plane here, the reverse of what a new context has.
  gl_.DepthFunc(GL_GEQUAL);
  gl_.DepthMask(GL_TRUE);
  gl_.ClearDepth(0);
  gl_.Disable(GL_SCISSOR_TEST);
  if (list.triangles.size() > 0) FillMesh(gl_, list.triangles, meshes_[kListMesh]);
  if (plan_.shadow_layers > 0) ResizeShadowMap();
  FillBlock(light_block_, 1, plan_.lights.data(), plan_.lights.size() * sizeof(GpuLight));
  int view = -1;
  for (const GpuPass& pass : plan_.passes) {
    if (pass.kind != GpuPassKind::kShadow && pass.index != view) {
      if (view >= 0) EndView(list, list.views[static_cast<size_t>(view)]);
      view = pass.index;
      BeginView(list, list.views[static_cast<size_t>(view)], target);
    }
    if (view >= 0) SetScissor(list.views[static_cast<size_t>(view)].viewport, pass.bounds);
    DrawPass(list, pass);
  }
  if (view >= 0) EndView(list, list.views[static_cast<size_t>(view)]);
  ResetState();
}

}  // namespace sinew::inline render
