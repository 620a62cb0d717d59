// The colours that packs of rays return: surfaces with their light, mirror images, what shines through, fog and sky.
#ifndef SINEW_RENDER_RAYS_SHADE_KERNEL_H_
#define SINEW_RENDER_RAYS_SHADE_KERNEL_H_

#include "render/draw_list.h"
#include "render/rays/light_kernel.h"
#include "render/rays/sky_kernel.h"

namespace sinew::inline render::rays {
inline namespace SINEW_ISA {

inline constexpr int kMostLayers = 16;  // of transparent surfaces, one behind the other

// The place of the eye's mirror image, the same for all rays.
template <int W>
Vec3<Floats<W>> MirroredEye(const RayShape& mirror, const DrawView& view) {
  const float height = mirror.kind == DrawShape::kBox ? mirror.size[2] : 0;
  float away = -height;  // of the eye from the mirror's face
  for (int i = 0; i < 3; ++i) away += mirror.mat[3 * i + 2] * (view.pos[i] - mirror.pos[i]);
  float eye[3];
  for (int i = 0; i < 3; ++i) eye[i] = view.pos[i] - 2 * away * mirror.mat[3 * i + 2];
  return Broadcast<W>(eye);
}

// Transparent surfaces before `limit`. As in the reference, each is laid over what is there twice: first from the
// nearest to the farthest, then back to the nearest; added ones once. `eye`: where highlights are seen from; `dim`: a
// factor of the colours before they are lit; `depth_of(t)`: how far the fog reaches.
template <int W, class Depth>
void AddTransparent(const ShadeContext& context, const Beam<W>& beam, RayPack<W> rays, Floats<W> limit,
                    const Vec3<Floats<W>>& eye, Floats<W> dim, const Depth& depth_of, Vec3<Floats<W>>& color) {
  using F = Floats<W>;
  const RaySceneView& scene = context.scene;
  if (scene.transparent.node_count == 0 && scene.transparent.plane_count == 0) return;
  Vec3<F> seen[kMostLayers];
  F alpha[kMostLayers];
  int layers = 0;
  for (; layers < kMostLayers; ++layers) {
    HitPack<W> hit = NoHit<W>(limit);
    FindNearest<W>(scene, scene.transparent, rays, hit);
    const auto met = rays.active & (hit.t < limit);
    if (!Any(met)) break;
    FacetPack<W> facet;
    SurfacePack<W> surface = DescribeHits<W>(context, beam, rays, hit, met, facet);
    surface.color = surface.color * dim;
    const Vec3<F> lit = Light<W>(context, rays, hit, surface, facet, eye, met, false);
    seen[layers] = Fogged<W>(context, lit, depth_of(hit.t));
    alpha[layers] = Select(met, surface.alpha, F(0.0f));
    rays.active = met;
    // The next layer lies behind this one, by more than rounding.
    rays.least = Select(met, hit.t * F(1 + 1e-5f), rays.least);
  }
  const auto lay = [&](int k) {
    const F below = scene.additive ? F(1.0f) : F(1.0f) - alpha[k];
    color = Select<F>(alpha[k] > F(0.0f), Saturate(seen[k] * alpha[k] + color * below), color);
  };
  for (int k = 0; k < layers; ++k) lay(k);
  for (int k = layers - 1; k >= 0 && !scene.additive; --k) lay(k);
}

// The mirror image in the reflector, without the sky: of opaque things, and over them of transparent ones.
template <int W>
Vec3<Floats<W>> Mirrored(const ShadeContext& context, const Beam<W>& beam, const RayPack<W>& rays,
                         const HitPack<W>& hit, const SurfacePack<W>& surface, Mask<float, W> mirror) {
  using F = Floats<W>;
  const RaySceneView& scene = context.scene;
  const RayShape& shape = scene.shapes[scene.reflector];
  const Vec3<F> normal = {F(shape.mat[2]), F(shape.mat[5]), F(shape.mat[8])};
  const F zero(0.0f);
  const auto turned = [&](const Vec3<F>& v) { return v - normal * (F(2.0f) * Dot(v, normal)); };
  Beam<W> behind;  // as seen by the eye's mirror image
  for (int i = 0; i < 3; ++i) {
    behind.start[i] = surface.point + turned(beam.start[i] - surface.point);
    behind.d[i] = turned(beam.d[i]);
  }
  const Vec3<F> d = turned(rays.d);
  const RayPack<W> seen = {surface.point, d, hit.t * F(kShadowShift), mirror};
  HitPack<W> found = NoHit<W>(F(kNoHit));
  FindNearest<W>(scene, scene.opaque, seen, found);
  const auto met = mirror & (found.t < F(kNoHit)) & !EqualInts<W>(found.shape, scene.reflector);
  Vec3<F> color = {zero, zero, zero};
  // Fixed pipelines dim the colours of what is mirrored, and highlights stay as bright as they are.
  const F dim = scene.vertex_light ? surface.reflectance : F(1.0f);
  const Vec3<F> eye = MirroredEye<W>(shape, context.view);
  const auto depth_of = [&](F t) { return DepthOf<W>(context, rays, hit.t) + t; };
  if (Any(met)) {
    FacetPack<W> facet;
    SurfacePack<W> other = DescribeHits<W>(context, behind, seen, found, met, facet);
    other.color = other.color * dim;
    const Vec3<F> lit = Light<W>(context, seen, found, other, facet, eye, met, true);
    color = Select<F>(met, Fogged<W>(context, lit, depth_of(found.t)), color);
  }
  AddTransparent<W>(context, behind, seen, found.t, eye, dim, depth_of, color);
  if (!scene.vertex_light) color = color * surface.reflectance;
  return Select<F>(mirror, color, Vec3<F>{zero, zero, zero});
}

// Lanes whose nearest hit is the mirroring face.
template <int W>
Mask<float, W> MirrorLanes(const RaySceneView& scene, const HitPack<W>& hit, const SurfacePack<W>& surface,
                           Mask<float, W> active) {
  using F = Floats<W>;
  const RayShape& shape = scene.shapes[scene.reflector];
  const Vec3<F> normal = {F(shape.mat[2]), F(shape.mat[5]), F(shape.mat[8])};
  return active & EqualInts<W>(hit.shape, scene.reflector) & (Dot(normal, surface.normal) > F(0.5f));
}

// ---- rays of a picture

// Rays through places (x, y) in pixels of the viewport, from its lower left corner. They start at the eye, or in the
// eye's plane for a parallel projection, and are looked at from the near plane on.
template <int W>
RayPack<W> CameraRays(const DrawView& view, Floats<W> x, Floats<W> y, Mask<float, W> active) {
  using F = Floats<W>;
  const F across = F(view.left) + x * F((view.right_border - view.left) / static_cast<float>(view.viewport.width)),
          upward = F(view.bottom) + y * F((view.top - view.bottom) / static_cast<float>(view.viewport.height));
  const Vec3<F> side = Broadcast<W>(view.right) * across + Broadcast<W>(view.up) * upward;
  const Vec3<F> forward = Broadcast<W>(view.forward), eye = Broadcast<W>(view.pos);
  if (view.orthographic) return {eye + side, forward, F(view.near), active};
  const Vec3<F> at_near = side + forward * F(view.near);
  const F distance = Sqrt(Dot(at_near, at_near));
  return {eye, at_near * (F(1.0f) / distance), distance, active};
}

// Through the pixels that rays go through somewhere.
template <int W>
Beam<W> CameraBeam(const DrawView& view, Floats<W> x, Floats<W> y) {
  using F = Floats<W>;
  const F half(0.5f), one(1.0f);
  const F middle_x = Floor(x) + half, middle_y = Floor(y) + half;
  Beam<W> beam;
  for (int i = 0; i < 3; ++i) {
    const RayPack<W> ray =
        CameraRays<W>(view, i == 1 ? middle_x + one : middle_x, i == 2 ? middle_y + one : middle_y, x == x);
    beam.start[i] = ray.o;
    beam.d[i] = ray.d;
  }
  return beam;
}

// Colours that number the shapes.
template <int W>
Vec3<Floats<W>> SegmentColors(const RaySceneView& scene, const HitPack<W>& hit, Mask<float, W> met) {
  using F = Floats<W>;
  Vec3<F> color = {F(0.0f), F(0.0f), F(0.0f)};
  unsigned left = LaneBits(met);
  while (left) {
    const int number = hit.shape[__builtin_ctz(left)];
    const auto here = met & EqualInts<W>(hit.shape, number);
    color = Select<F>(here, Broadcast<W>(scene.shapes[number].flat_rgb), color);
    left &= ~LaneBits(here);
  }
  return color;
}

// Opaque surfaces in the lanes `shown`, with mirror images and fog.
template <int W>
Vec3<Floats<W>> OpaqueColors(const ShadeContext& context, const Beam<W>& beam, const RayPack<W>& rays,
                             const HitPack<W>& hit, Mask<float, W> shown) {
  const RaySceneView& scene = context.scene;
  FacetPack<W> facet;
  const SurfacePack<W> surface = DescribeHits<W>(context, beam, rays, hit, shown, facet);
  Vec3<Floats<W>> lit = Light<W>(context, rays, hit, surface, facet, Broadcast<W>(context.view.pos), shown, true);
  if (scene.reflector >= 0) {
    const auto mirror = MirrorLanes<W>(scene, hit, surface, shown);
    if (Any(mirror)) lit = Saturate(lit + Mirrored<W>(context, beam, rays, hit, surface, mirror));
  }
  return Fogged<W>(context, lit, DepthOf<W>(context, rays, hit.t));
}

// The order of what lies over what is that of draw_list.h.
template <int W>
Vec3<Floats<W>> ShadedColors(const ShadeContext& context, const Beam<W>& beam, const RayPack<W>& rays,
                             const HitPack<W>& hit, Mask<float, W> met) {
  using F = Floats<W>;
  const RaySceneView& scene = context.scene;
  Vec3<F> color = {F(0.0f), F(0.0f), F(0.0f)};
  auto shown = met;
  if (scene.sky) shown = met & !BehindSky<W>(context, rays.o + rays.d * Select(met, hit.t, F(0.0f)));
  if (LaneBits(shown) != LaneBits(rays.active)) color = SkyAt<W>(context, beam);
  if (Any(shown)) color = Select<F>(shown, OpaqueColors<W>(context, beam, rays, hit, shown), color);
  if (scene.haze_plane >= 0) {
    // Haze lies over the sky and over the plane that it belongs to, not over what stands before them.
    const auto hazy = (!shown) | EqualInts<W>(hit.shape, scene.haze_plane);
    const F opacity = Select(hazy, HazeAt<W>(scene, rays.d), F(0.0f));
    color += (Broadcast<W>(scene.haze_rgba) - color) * opacity;
  }
  if (scene.fog) color = Select<F>(shown, color, FoggedSky<W>(context, rays, color));
  // what lies in an opaque surface is before it
  const auto depth_of = [&](F t) { return DepthOf<W>(context, rays, t); };
  AddTransparent<W>(context, beam, rays, hit.t * F(1 + 4e-6f), Broadcast<W>(context.view.pos), F(1.0f), depth_of,
                    color);
  return color;
}

// Traces one pack, the samples from `first` on: colours, depth and shape are written back to them.
template <int W>
void TraceRow(const ShadeContext& context, RaySamples& samples, int first) {
  using F = Floats<W>;
  const RaySceneView& scene = context.scene;
  const DrawView& view = context.view;
  F lane;
  for (int i = 0; i < W; ++i) lane.Set(i, static_cast<float>(first + i));
  const auto active = lane < F(static_cast<float>(samples.count));
  const F x = LoadLanes<W>(samples.x + first), y = LoadLanes<W>(samples.y + first);
  const RayPack<W> rays = CameraRays<W>(view, x, y, active);
  // The far plane limits the distance along each ray.
  const F limit =
      view.orthographic ? F(view.far) : F(view.far) / Most(Dot(rays.d, Broadcast<W>(view.forward)), F(1e-3f));
  HitPack<W> hit = NoHit<W>(limit);
  FindNearest<W>(scene, scene.opaque, rays, hit);
  const auto met = active & (hit.t < limit);
  const Vec3<F> color = scene.segment ? SegmentColors<W>(scene, hit, met)
                                      : ShadedColors<W>(context, CameraBeam<W>(view, x, y), rays, hit, met);
  StoreLanes<W>(color.x, samples.r + first);
  StoreLanes<W>(color.y, samples.g + first);
  StoreLanes<W>(color.z, samples.b + first);
  StoreLanes<W>(Select(met, DepthOf<W>(context, rays, hit.t), F(view.far)), samples.depth + first);
  StoreLanes<W>(SelectInts<W>(met, hit.shape, Ints<W>{} - 1), samples.shape + first);
}

template <int W>
void TraceSamples(const RaySceneView& scene, const DrawView& view, RaySamples& samples) {
  const ShadeContext context = {scene, view};
  for (int first = 0; first < samples.count; first += W) TraceRow<W>(context, samples, first);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_SHADE_KERNEL_H_
