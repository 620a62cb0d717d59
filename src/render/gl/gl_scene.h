// Draws lists with OpenGL, by the plan of their passes (gpu_plan.h): depth of each light with shadows into a layer of a
// map (L. Williams, Casting curved shadows on curved surfaces, 1978), then each view, then its segments.
#ifndef SINEW_RENDER_GL_GL_SCENE_H_
#define SINEW_RENDER_GL_GL_SCENE_H_

#include <vector>

#include "render/gl/gl_program.h"
#include "render/gpu_plan.h"

namespace sinew::inline render {

// The buffer that a picture goes to.
struct GlTarget {
  GLuint framebuffer = 0;
  bool stencil = true;  // without one, there are no mirror images
};

// Owns the model's shapes and textures in the memory of the graphics processor, and draws lists that refer to them by
// number. Not copied: objects of OpenGL have one owner. All calls need the context to be current.
class GlScene {
 public:
  // `gl` must outlive the scene. Free gives the objects back; where the context is gone, the driver has already done
  // so.
  GlScene(const GlFunctions& gl, DrawAssets assets);
  void Free();

  const DrawAssets& assets() const { return assets_; }
  // Assets that changed in the model after mjr_makeContext, by their number there.
  void ReplaceTexture(int texture, DrawTexture changed);
  void ReplaceMesh(int mesh, TriangleList triangles, TriangleList hull);
  void ReplaceField(int field, TriangleList triangles);

  // Draws all views; the target is bound afterwards, and OpenGL's state is that of a new context.
  void Draw(const DrawList& list, const GlTarget& target);

  // Triangles in clip coordinates: four coordinates and four colours a vertex. Those behind the opaque ones write no
  // depth.
  static constexpr size_t kAllVertices = SIZE_MAX;
  void DrawFlat(const std::vector<float>& vertices, bool depth_test, size_t opaque = kAllVertices);

 private:
  void ResizeShadowMap();
  void DrawShadows(const GpuPass& pass);
  void FillBlock(GLuint block, GLuint binding, const void* data, size_t bytes);
  void BindTexture(int texture);
  const GpuProgram& ProgramOf(const GpuDraw& draw);
  const GpuMesh* MeshOf(const GpuDraw& draw);
  void DrawAll(const GpuPass& pass);
  void DrawBlended(const DrawList& list, const GpuPass& pass);
  void DrawPass(const DrawList& list, const GpuPass& pass);
  void SetScissor(const mjrRect& viewport, const float bounds[4]);
  void BeginView(const DrawList& list, const DrawView& view, const GlTarget& target);
  void EndView(const DrawList& list, const DrawView& view);
  void ResetState();

  const GlFunctions& gl_;
  DrawAssets assets_;
  GpuPlan plan_;  // of the list that is drawn
  // By the plan's numbers; programs are made when they are needed.
  std::vector<GpuProgram> surfaces_;
  std::vector<GpuMesh> meshes_;
  GpuMesh grid_;  // of planes, made when it is needed
  std::vector<GLuint> textures_;
  GpuProgram depth_, flat_;
  // Uniform block 0 holds the view, block 1 all lights.
  GLuint frame_block_ = 0, light_block_ = 0;
  std::vector<float> bars_;  // of segments
  GLuint flat_array_ = 0, flat_buffer_ = 0, empty_array_ = 0;

  GLuint shadow_map_ = 0, shadow_framebuffer_ = 0;
  int shadow_size_ = 0, shadow_layers_ = 0;  // as the map is
};

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_GL_GL_SCENE_H_
