// The functions of a renderer behind mjr_*. Texts, overlays and figures are laid out once (overlay.h) and reach a
// backend as rectangles and lines.
//
//   mjr_makeContext --OpenBackend--> rays/ray_backend.cc  (no graphics driver)
//                                    gl/gl_backend.cc     (OpenGL of the current context)
//
// A context holds the number of its backend in mjrContext::baseBuiltin (backends.h). Pixels count from the lower left.
#ifndef SINEW_RENDER_BACKEND_H_
#define SINEW_RENDER_BACKEND_H_

#include <mujoco/mujoco.h>

namespace sinew::inline render {

// A colour with opacity.
struct Rgba {
  float r, g, b, a;
};

class RenderBackend {
 public:
  virtual ~RenderBackend() = default;

  virtual const char* name() const = 0;  // "cpu" or "gl"

  // ---- assets that a model has changed
  virtual void UploadTexture(const mjModel& m, int texture) = 0;
  virtual void UploadMesh(const mjModel& m, int mesh) = 0;
  virtual void UploadField(const mjModel& m, int hfield) = 0;

  // ---- buffers. Numbers of auxiliary buffers are in range; sizes are checked.
  virtual void ResizeOffscreen(int width, int height, mjrContext& con) = 0;
  virtual void AddAux(int index, int width, int height, int samples, mjrContext& con) = 0;
  virtual void SetAux(int index, const mjrContext& con) = 0;
  // Window or offscreen, as con.currentBuffer says.
  virtual void SetBuffer(const mjrContext& con) = 0;
  virtual mjrRect MaxViewport(const mjrContext& con) const = 0;
  // That of the last picture, to which places of texts refer; the whole buffer before one.
  virtual mjrRect CurrentViewport(const mjrContext& con) const = 0;
  virtual void BlitBuffer(mjrRect from, mjrRect to, bool color, bool depth, const mjrContext& con) = 0;
  virtual void BlitAux(int index, mjrRect from, int left, int bottom, const mjrContext& con) = 0;

  // ---- pixels. Either pointer may be null.
  virtual void ReadPixels(unsigned char* rgb, float* depth, mjrRect viewport, const mjrContext& con) = 0;
  virtual void DrawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport, const mjrContext& con) = 0;

  // ---- drawing
  virtual void Render(mjrRect viewport, mjvScene& scene, const mjrContext& con) = 0;
  virtual void FillRectangle(float left, float bottom, float width, float height, Rgba color) = 0;
  // Points x, y one after the other; a strip, or pairs.
  virtual void DrawLines(const float* points, int count, bool strip, float width, Rgba color) = 0;
  // Pixels outside are left alone until the next call; an empty rectangle ends it.
  virtual void Clip(mjrRect viewport) = 0;

  // Draws what was only remembered: at the end of each function of the interface.
  virtual void Flush() {}
  virtual void Finish() {}
  virtual int GetError() { return 0; }
};

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_BACKEND_H_
