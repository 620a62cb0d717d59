// Views, lights and lines as graphics processors are told them. Places are in the frame of the model, world coordinates
// in metres; matrices turn them into clip coordinates (OpenGL 4.5, section 13.5).
#ifndef SINEW_RENDER_GPU_VIEWS_H_
#define SINEW_RENDER_GPU_VIEWS_H_

#include <vector>

#include "math/vec3.h"
#include "render/gpu_plan.h"

namespace sinew::inline render {

inline constexpr float kSkyRadius = 0.7f;  // of the cylinder about the eye that the sky is on, in far planes

// How a light sees the scene, for its shadows.
// A directional light sees a square of half width shadow_clip [m] about its place; a spot sees a cone as wide as its
// cutoff times shadow_scale, at most 160 degrees, since the texels of wider maps cover too much. Which way is up in
// a map does not matter.
DrawView ViewOfLight(const DrawLight& light, const DrawSettings& settings, const DrawView& eye);

// The view of an eye behind a mirror: the plane through `at` with this normal. The reflection is x' =
// x - 2 n (n . (x - p)). Right and up become a left-handed pair, so front faces go the other way
// round.
DrawView MirrorView(DrawView view, const Vec3<double>& at, const Vec3<double>& normal);

// Returns the third column of the rotation: the normal of planes and of the mirror's face, in the world.
Vec3<double> AxisZ(const DrawInstance& instance);

// The numbers of one view; `mirror` is the plane of a mirror image or zeros. Lights' views pass here, too, as their
// depth is drawn by the same vertex program.
GpuFrame FrameOf(const DrawAssets& assets, const DrawList& list, const DrawView& view, const float mirror[4],
                 bool depth_from_zero);

// Fills the lights; those with shadows have a layer of the map each, in which `to_clip` puts the scene.
void FillLights(const DrawList& list, const GpuLimits& limits, GpuPlan& plan);

// Lines of a view as bars in the plane of the picture, since graphics processors know no wide ones: triangles of four
// clip coordinates and four colours a vertex. Opaque ones come first; returns how many vertices these have.
size_t BarsOfSegments(const DrawList& list, const DrawView& view, bool depth_from_zero, std::vector<float>& vertices);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_GPU_VIEWS_H_
