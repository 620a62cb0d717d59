// mjr_* without a graphics driver: buffers in memory, pictures by rays.
#ifndef SINEW_RENDER_RAYS_RAY_BACKEND_H_
#define SINEW_RENDER_RAYS_RAY_BACKEND_H_

#include <memory>

#include "render/backend.h"

namespace sinew::inline render::rays {

// Without a model there are buffers and texts, and scenes without assets.
std::unique_ptr<RenderBackend> MakeRayBackend(const mjModel* m, const mjrContext& con);

}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_RAY_BACKEND_H_
