// Which renderer a context has.
//
// mjrContext is a struct of the interface that clients copy as they like, so it holds a number, in baseBuiltin, and the
// renderers are kept here.
#ifndef SINEW_RENDER_BACKENDS_H_
#define SINEW_RENDER_BACKENDS_H_

#include <mujoco/mujoco.h>

#include <memory>

#include "render/backend.h"

namespace sinew::inline render {

enum class RendererChoice { kAuto, kGl, kCpu };

// From the environment variable SINEW_RENDER; throws Error for another value than auto, gl and cpu.
RendererChoice ChosenRenderer();

// Makes the renderer of a context whose settings are filled in. `auto` takes OpenGL where the thread has a context of
// it with a window, or one that is not drawn by a software rasterizer, else the processor.
void OpenBackend(const mjModel* m, mjrContext& con);

// Ends a renderer; nothing where there is none.
void CloseBackend(mjrContext& con);

// The renderer of a context, null for one that was not made or was freed. It also becomes the current one of the
// thread, on which functions without a context act.
RenderBackend* BackendOf(const mjrContext& con);
RenderBackend* CurrentBackend();

// The same for a context that must be able to draw: throws Error for one that was only set to its defaults.
RenderBackend& RequireBackend(const mjrContext& con);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_BACKENDS_H_
