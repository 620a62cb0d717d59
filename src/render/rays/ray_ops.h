// The functions of a pack of rays, as a table of plain functions: one for each instruction set (the reason is in
// batch/plan/lane_ops.h).
#ifndef SINEW_RENDER_RAYS_RAY_OPS_H_
#define SINEW_RENDER_RAYS_RAY_OPS_H_

#include "render/draw_list.h"
#include "render/rays/ray_scene.h"
#include "simd/dispatch.h"

namespace sinew::inline render::rays {

inline constexpr int kMostRays = 256;  // of a call

// Places in the viewport [pixel], from its lower left corner, and what rays through them find. Rows are as long as a
// multiple of the widest pack; what lies behind `count` is not defined.
struct RaySamples {
  int count;
  alignas(64) float x[kMostRays], y[kMostRays];
  alignas(64) float r[kMostRays], g[kMostRays], b[kMostRays];
  alignas(64) float depth[kMostRays];    // along the camera's axis [m], the far plane's for nothing
  alignas(64) int32_t shape[kMostRays];  // number of the nearest opaque shape, -1 for none
};

// RayOps is one instruction set's way to trace; `width` is how many rays are in a pack.
struct RayOps {
  const char* name;
  InstructionSet isa;
  int width;
  void (*trace)(const RaySceneView& scene, const DrawView& view, RaySamples& samples);
};

extern const RayOps kBaselineRays;
#if defined(__x86_64__)
extern const RayOps kAvx2Rays, kAvx512Rays;
#endif

// The widest that this machine runs.
const RayOps& BestRayOps();

}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_RAY_OPS_H_
