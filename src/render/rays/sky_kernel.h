// The background: sky, fog and haze.
#ifndef SINEW_RENDER_RAYS_SKY_KERNEL_H_
#define SINEW_RENDER_RAYS_SKY_KERNEL_H_

#include "render/rays/surface_kernel.h"

namespace sinew::inline render::rays {
inline namespace SINEW_ISA {

// Returns the colour of the sky in the direction of a pixel; black without a sky.
template <int W>
Vec3<Floats<W>> SkyAt(const ShadeContext& context, const Beam<W>& beam) {
  using F = Floats<W>;
  const F zero(0.0f);
  if (!context.scene.sky) return {zero, zero, zero};
  Vec3<F> d[3];
  for (int i = 0; i < 3; ++i) d[i] = {beam.d[i].x, beam.d[i].z, -beam.d[i].y};  // the image's up is y, the model's is z
  return SampleCube<W>(*context.scene.sky, context.scene.sky_texels, d).rgb;
}

// Fog thickens linearly from fog_start to fog_end, distances along the camera's axis [m].
template <int W>
Vec3<Floats<W>> Fogged(const ShadeContext& context, const Vec3<Floats<W>>& color, Floats<W> depth) {
  using F = Floats<W>;
  const RaySceneView& scene = context.scene;
  if (!scene.fog) return color;
  const float range = scene.fog_end - scene.fog_start;
  const F clear = Saturate((F(scene.fog_end) - depth) * F(range != 0 ? 1 / range : 0));
  return color * clear + Broadcast<W>(scene.fog_rgb) * (F(1.0f) - clear);
}

// Distance along the camera's axis [m], which is what depth buffers hold, of points at t.
template <int W>
Floats<W> DepthOf(const ShadeContext& context, const RayPack<W>& rays, Floats<W> t) {
  return Dot(rays.o + rays.d * t - Broadcast<W>(context.view.pos), Broadcast<W>(context.view.forward));
}

// The sky is a cylinder about the camera, upright as the model; what lies outside is behind it.
template <int W>
Mask<float, W> BehindSky(const ShadeContext& context, const Vec3<Floats<W>>& point) {
  using F = Floats<W>;
  const F x = point.x - F(context.view.pos[0]), y = point.y - F(context.view.pos[1]);
  const float radius = context.scene.sky_radius;
  return x * x + y * y > F(radius * radius);
}

// Fog before the sky: as thick as at the cylinder that it is on.
template <int W>
Vec3<Floats<W>> FoggedSky(const ShadeContext& context, const RayPack<W>& rays, const Vec3<Floats<W>>& color) {
  using F = Floats<W>;
  if (!context.scene.sky) return color;
  const F level = Sqrt(Most(rays.d.x * rays.d.x + rays.d.y * rays.d.y, F(1e-12f)));
  const F distance = F(context.scene.sky_radius) / level;
  return Fogged<W>(context, color, Most(distance * Dot(rays.d, Broadcast<W>(context.view.forward)), F(0.0f)));
}

// The haze, a ring with three borders: clear ones on the ground nearer than the sky and on the sky at the height of the
// camera, and an opaque one where the ground meets the sky. The reference draws the clear borders (1 + share) times as
// far away as they appear, so that opacity, linear along the ring, is a ratio of distances on the ground.
template <int W>
Floats<W> HazeAt(const RaySceneView& scene, const Vec3<Floats<W>>& d) {
  using F = Floats<W>;
  const RayShape& plane = scene.shapes[scene.haze_plane];
  const F down = -(d.x * F(plane.mat[2]) + d.y * F(plane.mat[5]) + d.z * F(plane.mat[8]));
  const F level = Sqrt(Most(F(1.0f) - down * down, F(0.0f)));
  const F distance = level * F(scene.haze_height) / Most(down, F(1e-6f)), edge(scene.sky_radius);
  const F share(scene.haze_share);
  const F on_ground = F(1.0f) - (edge - distance) / (share * (distance + edge * share));
  const F on_sky = edge * (F(1.0f) + share) / (distance + edge * share);
  const F opacity = Saturate(Select(distance < edge, on_ground, on_sky)) * F(scene.haze_rgba[3]);
  return Select(down > F(0.0f), opacity, F(0.0f));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_SKY_KERNEL_H_
