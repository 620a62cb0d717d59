// Implements mjr_* where an OpenGL context is current: keeps the buffers and moves pixels between them and memory;
// GlScene draws the contents of a scene. All rectangles are in pixels with the origin at the lower left corner, as
// OpenGL and mjrRect have it. Calls come from the thread in which the context is current.
#include "render/gl/gl_backend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "render/gl/gl_framebuffer.h"
#include "render/gl/gl_scene.h"
#include "render/light_choice.h"
#include "render/overlay.h"
#include "render/shaders.h"

namespace sinew::inline render {
namespace {

// Half the width of the viewport for texts and lines: powers of two keep places of pixels exact.
constexpr int kCanvas = 8192;

// GlBackend is the backend of one mjrContext. It owns every object that it makes in OpenGL, and mirrors names and sizes
// of buffers into the fields of mjrContext, which programs read directly.
class GlBackend final : public RenderBackend {
 public:
  GlBackend(const GlFunctions& gl, const mjModel* m, mjrContext& con)
      : gl_(gl), scene_(gl_, m ? MakeDrawAssets(*m) : DrawAssets()) {
    pixels_ = MakeProgram(gl_, kPixelVertex, kPixelFragment);
    gl_.GenVertexArrays(1, &empty_array_);
    offscreen_.Make(gl_, con.offWidth, con.offHeight, con.offSamples);
    // The driver may give fewer samples than the model asks for, and programs read from the context how many there
    // are.
    con.offSamples = offscreen_.samples();
    con.offFBO = offscreen_.drawn();
    con.glInitialized = 1;
    DescribeWindow(con);
    if (con.windowAvailable) con.currentBuffer = mjFB_WINDOW;
    SetBuffer(con);
    ClearBuffer();
  }

  // Whoever destroyed the OpenGL context destroyed our objects with it.
  ~GlBackend() override {
    if (!gl_.IsCurrent()) return;
    scene_.Free();
    offscreen_.Free(gl_);
    for (GlFramebuffer& aux : aux_) aux.Free(gl_);
    gl_.DeleteProgram(pixels_.name);
    gl_.DeleteVertexArrays(1, &empty_array_);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
  }

  const char* name() const override { return "gl"; }

  // ---- assets

  // Assets are copied, so that the model may be freed or changed after each of these calls.
  void UploadTexture(const mjModel& m, int texture) override {
    scene_.ReplaceTexture(texture, CopyTexture(m, texture));
  }
  void UploadMesh(const mjModel& m, int mesh) override {
    scene_.ReplaceMesh(mesh, MeshTriangles(m, mesh), HullTriangles(m, mesh));
  }
  void UploadField(const mjModel& m, int hfield) override {
    scene_.ReplaceField(hfield, HeightFieldTriangles(m, hfield));
  }

  // ---- buffers

  // Contents are lost. The viewport of the last picture does not fit the new size and is reset.
  void ResizeOffscreen(int width, int height, mjrContext& con) override {
    offscreen_.Make(gl_, width, height, con.offSamples);
    con.offWidth = width;
    con.offHeight = height;
    con.offFBO = offscreen_.drawn();
    viewport_ = {0, 0, 0, 0};
    SetBuffer(con);
  }
  void AddAux(int index, int width, int height, int samples, mjrContext& con) override {
    GlFramebuffer& aux = aux_[static_cast<size_t>(index)];
    // The old buffer goes away; SetBuffer below chooses the one that the context names.
    if (target_ == &aux) target_ = nullptr;
    aux.Make(gl_, width, height, samples);
    con.auxWidth[index] = aux.width();
    con.auxHeight[index] = aux.height();
    con.auxSamples[index] = aux.samples();
    con.auxFBO[index] = aux.drawn();
    SetBuffer(con);
  }
  void SetAux(int index, const mjrContext&) override {
    GlFramebuffer& aux = aux_[static_cast<size_t>(index)];
    if (!aux.exists()) {
      throw Error("auxiliary buffer " + std::to_string(index) + " does not exist", "make it with mjr_addAux");
    }
    target_ = &aux;
    BindTarget();
  }
  void SetBuffer(const mjrContext& con) override {
    target_ = con.currentBuffer == mjFB_WINDOW ? nullptr : &offscreen_;
    BindTarget();
  }
  // Windows change their size without telling us, so they are asked each time.
  mjrRect MaxViewport(const mjrContext& con) const override {
    mjrRect all = {0, 0, offscreen_.width(), offscreen_.height()};
    if (con.currentBuffer == mjFB_WINDOW) gl_.window_size(&all.width, &all.height);
    return all;
  }
  mjrRect CurrentViewport(const mjrContext& con) const override {
    return viewport_.width > 0 ? viewport_ : MaxViewport(con);
  }

  // From the current buffer to the other one.
  void BlitBuffer(mjrRect from, mjrRect to, bool color, bool depth, const mjrContext& con) override {
    const bool from_window = con.currentBuffer == mjFB_WINDOW;
    const GLbitfield mask = (color ? GL_COLOR_BUFFER_BIT : 0u) | (depth ? GL_DEPTH_BUFFER_BIT : 0u);
    const GLuint source = from_window ? 0 : offscreen_.Resolved(gl_, mask);
    const GLuint destination = from_window ? offscreen_.drawn() : 0;
    // Depths cannot be averaged: OpenGL allows a smooth copy of colours alone, and so one with depth takes the
    // nearest pixels.
    const bool resized = from.width != to.width || from.height != to.height;
    if (con.windowAvailable && mask) Blit(source, from, destination, to, mask, resized && !depth);
    BindTarget();
  }
  void BlitAux(int index, mjrRect from, int left, int bottom, const mjrContext& con) override {
    const GlFramebuffer& aux = aux_[static_cast<size_t>(index)];
    if (!aux.exists()) return;
    const GLuint destination = con.currentBuffer == mjFB_WINDOW ? 0 : offscreen_.drawn();
    Blit(aux.Resolved(gl_, GL_COLOR_BUFFER_BIT), from, destination, {left, bottom, from.width, from.height},
         GL_COLOR_BUFFER_BIT, false);
    BindTarget();
  }

  // ---- pixels

  // Writes r.height rows of r.width pixels from the bottom up: three bytes of colour each, 0..255, and one float of
  // depth, 0..1. Either pointer may be null. Depth lies in the buffer as one at the near plane, which is what
  // mjDEPTH_ZEROFAR asks for; else it is turned round.
  void ReadPixels(unsigned char* rgb, float* depth, mjrRect r, const mjrContext& con) override {
    if (r.width <= 0 || r.height <= 0) return;
    const GLbitfield parts = (rgb ? GL_COLOR_BUFFER_BIT : 0u) | (depth ? GL_DEPTH_BUFFER_BIT : 0u);
    gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, target_ ? target_->Resolved(gl_, parts) : 0);
    // Rows follow one another without padding, whatever their length; four is OpenGL's default and is set again
    // below.
    gl_.PixelStorei(GL_PACK_ALIGNMENT, 1);
    const auto format = static_cast<GLenum>(target_ ? con.readPixelFormat : GL_RGB);
    if (rgb) gl_.ReadPixels(r.left, r.bottom, r.width, r.height, format, GL_UNSIGNED_BYTE, rgb);
    if (depth) {
      gl_.ReadPixels(r.left, r.bottom, r.width, r.height, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
      const size_t count = static_cast<size_t>(r.width) * static_cast<size_t>(r.height);
      if (con.readDepthMap != mjDEPTH_ZEROFAR)
        std::transform(depth, depth + count, depth, [](float z) { return 1 - z; });
    }
    gl_.PixelStorei(GL_PACK_ALIGNMENT, 4);
    BindTarget();
  }

  // DrawPixels is the way back: core profiles have no glDrawPixels, so colours and depths become two textures, and a
  // triangle that covers the rectangle writes them. The depth test is on but always passes, because OpenGL writes no
  // depth without it.
  void DrawPixels(const unsigned char* rgb, const float* depth, mjrRect r, const mjrContext& con) override {
    if (r.width <= 0 || r.height <= 0 || (!rgb && !depth)) return;
    std::vector<float> depths;
    if (depth) depths.assign(depth, depth + static_cast<size_t>(r.width) * static_cast<size_t>(r.height));
    if (con.readDepthMap != mjDEPTH_ZEROFAR)
      std::transform(depths.begin(), depths.end(), depths.begin(), [](float z) { return 1 - z; });
    const GLuint images[2] = {PixelTexture(kImageUnit, GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, r, rgb),
                              PixelTexture(kDepthUnit, GL_R32F, GL_RED, GL_FLOAT, r, depth ? depths.data() : nullptr)};
    gl_.UseProgram(pixels_.name);
    const GLint corner[4] = {r.left, r.bottom, 0, 0};
    gl_.Uniform4iv(pixels_.counts, 1, corner);
    const GLboolean color = rgb ? GL_TRUE : GL_FALSE;
    gl_.ColorMask(color, color, color, color);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.DepthFunc(GL_ALWAYS);
    gl_.DepthMask(depth ? GL_TRUE : GL_FALSE);
    gl_.Viewport(r.left, r.bottom, r.width, r.height);
    gl_.Enable(GL_SCISSOR_TEST);
    gl_.Scissor(r.left, r.bottom, r.width, r.height);
    gl_.BindVertexArray(empty_array_);
    // The corners are in the program; a core profile still wants an array to be bound.
    gl_.DrawArrays(GL_TRIANGLES, 0, 3);
    gl_.BindVertexArray(0);
    gl_.UseProgram(0);
    gl_.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl_.DepthMask(GL_TRUE);
    gl_.DepthFunc(GL_LESS);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.Disable(GL_SCISSOR_TEST);
    gl_.DeleteTextures(2, images);
    gl_.ActiveTexture(GL_TEXTURE0);
  }

  // ---- drawing

  // The draw list is kept as a member so that its memory serves the next picture too.
  void Render(mjrRect viewport, mjvScene& scene, const mjrContext& con) override {
    if (viewport.width <= 0 || viewport.height <= 0) return;
    viewport_ = viewport;
    DrawSettings settings = DrawSettings::Of(con);
    settings.vertex_light = vertex_light_;
    BuildDrawList(scene_.assets(), settings, viewport, scene, list_);
    const GlTarget target = {target_ ? target_->drawn() : 0, target_ || window_stencil_};
    const bool two_buffers = !target_ && con.windowStereo && scene.stereo == mjSTEREO_QUADBUFFERED;
    if (two_buffers) {
      DrawEyes(viewport, target, con);
    } else {
      scene_.Draw(list_, target);
      DrawNotes(con);
    }
    BindTarget();
  }

  // Rectangles and lines are collected as vertices and drawn together by Flush: a figure has thousands of them, and
  // each call of OpenGL costs more than the vertices do. Places are in pixels of the target.
  void FillRectangle(float left, float bottom, float width, float height, Rgba color) override {
    const float l = ToClip(left), b = ToClip(bottom), r = ToClip(left + width), t = ToClip(bottom + height);
    const float places[6][2] = {{l, b}, {r, b}, {r, t}, {l, b}, {r, t}, {l, t}};
    for (const auto& [x, y] : places) AddVertex(x, y, color);
  }

  // `points` holds `count` pairs (x, y) in pixels: a strip through all of them, or one line for each two. Each line
  // becomes a bar of `width` pixels, two triangles, since core profiles know no wide lines.
  void DrawLines(const float* points, int count, bool strip, float width, Rgba color) override {
    const float half = std::max(width, 1.0f) / 2;
    for (int i = 0; i + 1 < count; i += strip ? 1 : 2) {
      const float *a = points + 2 * i, *b = a + 2;
      const float dx = b[0] - a[0], dy = b[1] - a[1], length = std::hypot(dx, dy);
      // Data of figures may be infinite or not a number, and a bar with such corners would cover the picture.
      if (!std::isfinite(length)) continue;
      // half a pixel longer at either end, so that strips have no gaps
      const float ux = length > 0 ? dx / length * half : half, uy = length > 0 ? dy / length * half : 0;
      const float e = std::min(0.5f / half, 1.0f);
      const float ax = a[0] - e * ux, ay = a[1] - e * uy, bx = b[0] + e * ux, by = b[1] + e * uy;
      const float places[6][2] = {{ax + uy, ay - ux}, {bx + uy, by - ux}, {bx - uy, by + ux},
                                  {ax + uy, ay - ux}, {bx - uy, by + ux}, {ax - uy, ay + ux}};
      for (const auto& [x, y] : places) AddVertex(ToClip(x), ToClip(y), color);
    }
  }

  // Primitives that are buffered belong to the old rectangle, so that they are drawn first.
  void Clip(mjrRect viewport) override {
    Flush();
    clip_ = viewport;
  }

  // The viewport is that of ToClip, larger than any buffer, and its lower left corner is that of the buffer.
  void Flush() override {
    if (flat_.empty()) return;
    gl_.Viewport(0, 0, 2 * kCanvas, 2 * kCanvas);
    if (clip_.width > 0 && clip_.height > 0) {
      gl_.Enable(GL_SCISSOR_TEST);
      gl_.Scissor(clip_.left, clip_.bottom, clip_.width, clip_.height);
    }
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    scene_.DrawFlat(flat_, false);
    gl_.Disable(GL_BLEND);
    gl_.Disable(GL_SCISSOR_TEST);
    flat_.clear();
  }

  void Finish() override { gl_.Finish(); }
  int GetError() override { return static_cast<int>(gl_.GetError()); }

 private:
  // Tells the context whether there is a window, and how many samples and buffers it has. Without a window
  // framebuffer 0 is undefined, and all of these fields stay zero.
  void DescribeWindow(mjrContext& con) {
    con.windowAvailable = 0;
    if (!gl_.window) return;
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    if (gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return;
    con.windowAvailable = 1;
    GLboolean stereo = GL_FALSE, two = GL_FALSE;
    gl_.GetIntegerv(GL_SAMPLES, &con.windowSamples);
    gl_.GetBooleanv(GL_STEREO, &stereo);
    gl_.GetBooleanv(GL_DOUBLEBUFFER, &two);
    con.windowStereo = stereo;
    con.windowDoublebuffer = window_double_ = two;
    GLint bits = 0;
    gl_.GetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_STENCIL, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE, &bits);
    window_stencil_ = bits > 0;
  }

  // Leaves the buffer that mjr_* draws to bound for both drawing and reading; each public call ends so. Contexts
  // without a surface have no framebuffer 0 whose buffers could be chosen.
  void BindTarget() {
    gl_.BindFramebuffer(GL_FRAMEBUFFER, target_ ? target_->drawn() : 0);
    // In a window with one buffer the back one does not exist.
    const GLenum own = window_double_ ? GL_BACK : GL_FRONT;
    if (!target_ && !gl_.window) return;
    gl_.DrawBuffer(target_ ? GL_COLOR_ATTACHMENT0 : own);
    gl_.ReadBuffer(target_ ? GL_COLOR_ATTACHMENT0 : own);
  }

  // A new buffer holds whatever was in its memory; programs read it before the first picture, too.
  void ClearBuffer() {
    gl_.ClearColor(0, 0, 0, 0);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, offscreen_.drawn());
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    BindTarget();
  }

  // Copies between two framebuffers by their OpenGL names, 0 for the window. Rectangles may differ in size.
  void Blit(GLuint source, mjrRect from, GLuint destination, mjrRect to, GLbitfield mask, bool smooth) {
    gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, source);
    gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, destination);
    gl_.BlitFramebuffer(from.left, from.bottom, from.left + from.width, from.bottom + from.height, to.left, to.bottom,
                        to.left + to.width, to.bottom + to.height, mask, smooth ? GL_LINEAR : GL_NEAREST);
  }

  // Without data, a texel that is not looked at.
  // Makes a texture for one call of DrawPixels; the caller deletes it. It is bound to the unit at which the program
  // looks for it.
  GLuint PixelTexture(GpuUnit unit, GLint stored, GLenum format, GLenum type, const mjrRect& r, const void* data) {
    GLuint name = 0;
    gl_.GenTextures(1, &name);
    gl_.ActiveTexture(GL_TEXTURE0 + unit);
    gl_.BindTexture(GL_TEXTURE_2D, name);
    gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_.TexImage2D(GL_TEXTURE_2D, 0, stored, data ? r.width : 1, data ? r.height : 1, 0, format, type, data);
    gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    return name;
  }

  // An eye in each of the window's buffers.
  void DrawEyes(const mjrRect& viewport, const GlTarget& target, const mjrContext& con) {
    // GlScene draws all views of a list, so each eye gets the list with its view alone, over the whole viewport.
    const std::vector<DrawView> eyes = list_.views;
    for (size_t i = 0; i < eyes.size(); ++i) {
      list_.views = {eyes[i]};
      list_.views[0].viewport = viewport;
      gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
      gl_.DrawBuffer(i == 0 ? GL_BACK_LEFT : GL_BACK_RIGHT);
      scene_.Draw(list_, target);
      DrawNotes(con);
      Flush();
    }
  }

  // Labels and frames of views are colours, which would be read as numbers of objects in a segmented picture.
  void DrawNotes(const mjrContext& con) {
    if (list_.segment) return;
    WriteLabels(*this, list_, con);
    WriteFrames(*this, list_);
  }

  // Turns pixels into clip coordinates of a viewport of 2 kCanvas pixels. Far away places are brought nearer, since
  // drivers clip huge triangles without precision.
  static float ToClip(float pixel) { return std::clamp(pixel, -4.0f * kCanvas, 4.0f * kCanvas) / kCanvas - 1; }
  // Four clip coordinates and four colours 0..1, as GlScene::DrawFlat takes them.
  void AddVertex(float x, float y, const Rgba& c) { flat_.insert(flat_.end(), {x, y, 0, 1, c.r, c.g, c.b, c.a}); }

  const GlFunctions gl_;
  GlScene scene_;
  const bool vertex_light_ = LightsVertices();
  DrawList list_;
  GpuProgram pixels_;
  GLuint empty_array_ = 0;
  GlFramebuffer offscreen_;
  std::array<GlFramebuffer, mjNAUX> aux_;
  GlFramebuffer* target_ = &offscreen_;  // null: the window
  bool window_stencil_ = false, window_double_ = true;
  mjrRect viewport_ = {0, 0, 0, 0}, clip_ = {0, 0, 0, 0};
  std::vector<float> flat_;  // rectangles and lines that are not drawn yet
};

}  // namespace

std::unique_ptr<RenderBackend> MakeGlBackend(const GlFunctions& gl, const mjModel* m, mjrContext& con) {
  return std::make_unique<GlBackend>(gl, m, con);
}

}  // namespace sinew::inline render
