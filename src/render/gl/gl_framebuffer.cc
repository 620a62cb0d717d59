// Colours take 8 bits a channel; depth is a float, so that the reversed range (one at the near plane) keeps its
// precision, and shares its buffer with 8 bits of stencil for mirrors. With more than one sample a pixel there are
// two framebuffers: one to draw to, and one to read from, since OpenGL reads no pixels from several samples.
#include "render/gl/gl_framebuffer.h"

#include <algorithm>

#include "core/error.h"

namespace sinew::inline render {

// Makes storage for width_ x height_ pixels in this format. Zero samples are one sample a pixel without a resolve.
GLuint GlFramebuffer::MakeBuffer(const GlFunctions& gl, GLenum format, int samples) {
  GLuint buffer = 0;
  gl.GenRenderbuffers(1, &buffer);
  gl.BindRenderbuffer(GL_RENDERBUFFER, buffer);
  gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width_, height_);
  gl.BindRenderbuffer(GL_RENDERBUFFER, 0);
  return buffer;
}

GLuint GlFramebuffer::MakeFramebuffer(const GlFunctions& gl, GLuint color, GLuint depth) {
  GLuint framebuffer = 0;
  gl.GenFramebuffers(1, &framebuffer);
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
  return framebuffer;
}

void GlFramebuffer::Make(const GlFunctions& gl, int width, int height, int samples) {
  Free(gl);
  if (width <= 0 || height <= 0) return;
  GLint most_size = 0, most_samples = 0;
  gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most_size);
  gl.GetIntegerv(GL_MAX_SAMPLES, &most_samples);
  if (std::max(width, height) > most_size) {
    throw Error("a buffer of " + std::to_string(width) + " x " + std::to_string(height) + " pixels is too large for " +
                    gl.renderer,
                "ask for at most " + std::to_string(most_size) + " pixels along a side");
  }
  width_ = width;
  height_ = height;
  // Drivers differ in what they can do, and a picture with rougher edges is better than none.
  samples_ = std::clamp(samples, 0, most_samples);
  if (samples_ == 1) samples_ = 0;
  buffers_[0] = MakeBuffer(gl, GL_RGBA8, samples_);
  buffers_[1] = MakeBuffer(gl, GL_DEPTH32F_STENCIL8, samples_);
  drawn_ = resolved_ = MakeFramebuffer(gl, buffers_[0], buffers_[1]);
  if (samples_ > 0) {
    buffers_[2] = MakeBuffer(gl, GL_RGBA8, 0);
    buffers_[3] = MakeBuffer(gl, GL_DEPTH32F_STENCIL8, 0);
    resolved_ = MakeFramebuffer(gl, buffers_[2], buffers_[3]);
  }
  gl.BindFramebuffer(GL_FRAMEBUFFER, drawn_);
  // Memory of the graphics processor runs out here, after the names were made: all of them are freed before the
  // error.
  if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE || gl.GetError() == GL_OUT_OF_MEMORY) {
    Free(gl);
    throw Error("the OpenGL driver " + gl.renderer + " has no room for a buffer of " + std::to_string(width) + " x " +
                    std::to_string(height) + " pixels with " + std::to_string(samples) + " samples",
                "ask for a smaller one, or for fewer samples (visual/quality/offsamples)");
  }
}

void GlFramebuffer::Free(const GlFunctions& gl) {
  if (resolved_ != drawn_) gl.DeleteFramebuffers(1, &resolved_);
  if (drawn_) gl.DeleteFramebuffers(1, &drawn_);
  gl.DeleteRenderbuffers(4, buffers_);
  *this = {};
}

GLuint GlFramebuffer::Resolved(const GlFunctions& gl, GLbitfield parts) const {
  if (resolved_ == drawn_) return drawn_;
  // Both framebuffers have one size, so that nothing is filtered but the samples of each pixel. The caller binds its
  // target again.
  gl.BindFramebuffer(GL_READ_FRAMEBUFFER, drawn_);
  gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_);
  gl.BlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, parts, GL_NEAREST);
  return resolved_;
}

}  // namespace sinew::inline render
