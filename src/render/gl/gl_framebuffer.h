// A buffer to draw to: colours, depth and stencil, and a copy with one sample a pixel from which pixels are read.
#ifndef SINEW_RENDER_GL_GL_FRAMEBUFFER_H_
#define SINEW_RENDER_GL_GL_FRAMEBUFFER_H_

#include "render/gl/gl_functions.h"

namespace sinew::inline render {

// Names objects of OpenGL, which Free gives back while their context is current. A buffer that exists is not copied,
// as both would name the same objects.
class GlFramebuffer {
 public:
  // Without pixels for a size of zero. More samples than the driver has become as many as it has.
  // Throws Error, with the largest size in it, for buffers that the driver cannot make.
  void Make(const GlFunctions& gl, int width, int height, int samples);
  void Free(const GlFunctions& gl);

  bool exists() const { return drawn_ != 0; }
  int width() const { return width_; }
  int height() const { return height_; }
  int samples() const { return samples_; }
  GLuint drawn() const { return drawn_; }  // the framebuffer to draw to
  // The framebuffer to read from; its colours, or depth, or both (bits of glClear) are brought up to date.
  GLuint Resolved(const GlFunctions& gl, GLbitfield parts) const;

 private:
  GLuint MakeBuffer(const GlFunctions& gl, GLenum format, int samples);
  GLuint MakeFramebuffer(const GlFunctions& gl, GLuint color, GLuint depth);

  int width_ = 0, height_ = 0, samples_ = 0;
  GLuint drawn_ = 0, resolved_ = 0;
  GLuint buffers_[4] = {};  // colour and depth of either
};

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_GL_GL_FRAMEBUFFER_H_
