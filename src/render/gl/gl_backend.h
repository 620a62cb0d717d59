// mjr_* with OpenGL, in the context that is current when a mjrContext is made.
#ifndef SINEW_RENDER_GL_GL_BACKEND_H_
#define SINEW_RENDER_GL_GL_BACKEND_H_

#include <memory>

#include "render/backend.h"
#include "render/gl/gl_functions.h"

namespace sinew::inline render {

// Fills in what the context knows of OpenGL: the window, the current buffer, names of buffers.
std::unique_ptr<RenderBackend> MakeGlBackend(const GlFunctions& gl, const mjModel* m, mjrContext& con);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_GL_GL_BACKEND_H_
