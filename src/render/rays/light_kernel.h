// Light on surfaces, and shadows.
//
// A light adds ambient + (n.l) diffuse + (n.h)^e specular, times attenuation and the spot's cone, where h is half way
// between the light and the eye (J. Blinn, 1977). As in the reference, lights without shadows end together at one, each
// one with shadows by itself, and a texture multiplies all of it.
#ifndef SINEW_RENDER_RAYS_LIGHT_KERNEL_H_
#define SINEW_RENDER_RAYS_LIGHT_KERNEL_H_

#include "render/rays/surface_kernel.h"

namespace sinew::inline render::rays {
inline namespace SINEW_ISA {

inline constexpr float kShadowShift = 1e-4f;  // start of a ray off its surface, in distances from the eye

// LitPack is a light as a surface sees it: unit direction, distance [m], and strength after attenuation and cone, 0
// where it does not reach.
template <int W>
struct LitPack {
  Vec3<Floats<W>> to_light;
  Floats<W> distance, strength;
};

// A spot weakens with distance by a polynomial and toward the border of its cone by a power of the cosine (OpenGL
// 2.1, section 2.14.1).
template <int W>
LitPack<W> LightAt(const RayLight& light, const Vec3<Floats<W>>& point) {
  using F = Floats<W>;
  const DrawLight& l = light.light;
  if (l.directional) return {-Broadcast<W>(l.dir), F(kNoHit), F(1.0f)};
  const Vec3<F> v = Broadcast<W>(l.pos) - point;
  const F distance = Sqrt(Most(Dot(v, v), F(1e-20f)));
  const Vec3<F> to_light = v * (F(1.0f) / distance);
  const F along = -Dot(to_light, Broadcast<W>(l.dir));
  const F fall = F(l.attenuation[0]) + distance * (F(l.attenuation[1]) + distance * F(l.attenuation[2]));
  F strength = F(1.0f) / Most(fall, F(1e-6f));
  if (l.exponent > 0) strength *= Power(Most(along, F(0.0f)), F(l.exponent));
  return {to_light, distance, Select(along >= F(light.cos_cutoff), strength, F(0.0f))};
}

// Diffuse and specular light of a source that is seen.
template <int W>
Vec3<Floats<W>> Illuminate(const DrawLight& light, const LitPack<W>& lit, const SurfacePack<W>& surface,
                           const Vec3<Floats<W>>& to_eye) {
  using F = Floats<W>;
  const F slope = Dot(surface.normal, lit.to_light);
  const auto front = (slope > F(0.0f)) & (surface.specular > F(0.0f));
  Vec3<F> sum = Times(surface.color, Broadcast<W>(light.diffuse)) * Most(slope, F(0.0f));
  if (light.specular[0] + light.specular[1] + light.specular[2] > 0 && Any(front)) {
    const F toward = Most(Dot(surface.normal, Unit(lit.to_light + to_eye)), F(0.0f));
    const F shine = Select(front, Power(toward, surface.exponent) * surface.specular, F(0.0f));
    sum += Broadcast<W>(light.specular) * shine;
  }
  return sum * lit.strength;
}

// Returns the lanes in which something stands between surface and light. Surfaces that look away are dark anyway and
// need no ray. The ray starts a little off the surface, which would else shade itself by rounding.
template <int W>
Mask<float, W> Shadowed(const RaySceneView& scene, const RayPack<W>& rays, const HitPack<W>& hit,
                        const SurfacePack<W>& surface, const LitPack<W>& lit, Mask<float, W> active) {
  using F = Floats<W>;
  const auto reached = active & (lit.strength > F(0.0f)) & (Dot(surface.normal, lit.to_light) > F(0.0f));
  if (!Any(reached)) return reached;
  const F shift = hit.t * F(kShadowShift);
  const RayPack<W> shadow = {surface.point + surface.normal * shift - rays.d * shift, lit.to_light, F(0.0f), reached};
  return FindShadowed<W>(scene, shadow, lit.distance);
}

// Limits a light to its map of shadows: to the distance of its near plane along the way to it [m]. Returns the lanes
// that lie on the map.
template <int W>
Mask<float, W> LimitToMap(const RayLight& light, const Vec3<Floats<W>>& point, LitPack<W>& lit) {
  using F = Floats<W>;
  const DrawView& map = light.map;
  const Vec3<F> way = point - Broadcast<W>(map.pos);
  const F depth = Dot(way, Broadcast<W>(map.forward)), near(map.near);
  const F reach = map.orthographic ? F(map.top) : F(map.top / map.near) * depth;
  const auto on_map = (depth > near) & (depth < F(map.far)) & (Abs(Dot(way, Broadcast<W>(map.right))) < reach) &
                      (Abs(Dot(way, Broadcast<W>(map.up))) < reach);
  const F beyond = depth - near;
  lit.distance = map.orthographic ? beyond : lit.distance * beyond / Most(depth, F(1e-30f));
  return on_map;
}

// The corners at which light is worked out: those of each lane's own facet; or, where all rays of a pack meet one
// facet, its three corners in the first lanes of one pack, which is a third of the work.
template <int W>
struct LitCorners {
  using F = Floats<W>;
  bool shared;
  int count;  // 1 or 3
  SurfacePack<W> surface[3];
  F weight[3];

  LitCorners(const HitPack<W>& hit, const SurfacePack<W>& seen, const FacetPack<W>& facet, Mask<float, W> active) {
    for (int k = 0; k < 3; ++k) weight[k] = facet.weight[k];
    const int lane = __builtin_ctz(LaneBits(active) | 1u << (W - 1));
    shared = IsOne(hit, facet, active, lane);
    count = shared ? 1 : 3;
    for (int k = 0; k < count; ++k) surface[k] = seen;
    if (shared) {
      for (int i = 0; i < 3; ++i) surface[0].color[i] = F(seen.color[i][lane]);
      surface[0].emission = F(seen.emission[lane]);
      surface[0].specular = F(seen.specular[lane]);
      surface[0].exponent = F(seen.exponent[lane]);
    }
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) {
        if (shared) {
          surface[0].point[i].Set(k, facet.point[k][i][lane]);
          surface[0].normal[i].Set(k, facet.normal[k][i][lane]);
        } else {
          surface[k].point[i] = facet.point[k][i];
          surface[k].normal[i] = facet.normal[k][i];
        }
      }
    }
  }

  // Interpolates colours of the corners over the facet.
  Vec3<F> Mix(const Vec3<F> colors[3]) const {
    Vec3<F> sum;
    for (int i = 0; i < 3; ++i) {
      const auto at = [&](int k) { return shared ? F(colors[0][i][k]) : colors[k][i]; };
      sum[i] = at(0) * weight[0] + at(1) * weight[1] + at(2) * weight[2];
    }
    return sum;
  }

 private:
  static bool IsOne(const HitPack<W>& hit, const FacetPack<W>& facet, Mask<float, W> active, int lane) {
    auto same = EqualInts<W>(hit.shape, hit.shape[lane]);
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) same = same & (facet.point[k][i] == F(facet.point[k][i][lane]));
    }
    return !Any(active & !same);
  }
};

// The same with light at the corners of facets, where sums end at one; pixels lie between them. Shadows are those of
// pixels, and what looks away from a light is in its own.
template <int W>
Vec3<Floats<W>> LightOfFacets(const ShadeContext& context, const RayPack<W>& rays, const HitPack<W>& hit,
                              const SurfacePack<W>& surface, const FacetPack<W>& facet, const Vec3<Floats<W>>& eye,
                              Mask<float, W> active, bool shadows) {
  using F = Floats<W>;
  const RaySceneView& scene = context.scene;
  const F zero(0.0f);
  const LitCorners<W> corners(hit, surface, facet, active);
  Vec3<F> base[3], own[3], to_eye[3], added = {zero, zero, zero};
  for (int k = 0; k < corners.count; ++k) {
    const SurfacePack<W>& corner = corners.surface[k];
    base[k] = corner.color * (corner.emission + F(scene.ambient));
    to_eye[k] = Unit(eye - corner.point);
  }
  for (int i = 0; i < scene.light_count; ++i) {
    const DrawLight& light = scene.lights[i].light;
    for (int k = 0; k < corners.count; ++k) {
      const SurfacePack<W>& corner = corners.surface[k];
      const LitPack<W> lit = LightAt<W>(scene.lights[i], corner.point);
      base[k] += Times(corner.color, Broadcast<W>(light.ambient)) * lit.strength;
      const Vec3<F> color = Illuminate<W>(light, lit, corner, to_eye[k]);
      if (light.shadow && shadows) {
        own[k] = Saturate(color);
      } else {
        base[k] += color;
      }
    }
    if (!light.shadow || !shadows) continue;
    LitPack<W> lit = LightAt<W>(scene.lights[i], surface.point);
    lit.strength = F(1.0f);
    const auto on_map = active & LimitToMap<W>(scene.lights[i], surface.point, lit);
    const auto away = on_map & (Dot(surface.normal, lit.to_light) <= zero);
    const auto dark = away | Shadowed<W>(scene, rays, hit, surface, lit, on_map);
    added += Select<F>(dark, Vec3<F>{zero, zero, zero}, corners.Mix(own));
  }
  for (int k = 0; k < corners.count; ++k) base[k] = Saturate(base[k]);
  return Saturate(Times(corners.Mix(base) + added, surface.texture));
}

// The colour of surfaces that are lit. Transparent ones are not in shadow.
template <int W>
Vec3<Floats<W>> Light(const ShadeContext& context, const RayPack<W>& rays, const HitPack<W>& hit,
                      const SurfacePack<W>& surface, const FacetPack<W>& facet, const Vec3<Floats<W>>& eye,
                      Mask<float, W> active, bool shadows) {
  using F = Floats<W>;
  const RaySceneView& scene = context.scene;
  if (scene.vertex_light) return LightOfFacets<W>(context, rays, hit, surface, facet, eye, active, shadows);
  const Vec3<F> to_eye = -rays.d;
  Vec3<F> base = surface.color * (surface.emission + F(scene.ambient));
  Vec3<F> added = {F(0.0f), F(0.0f), F(0.0f)};
  for (int i = 0; i < scene.light_count; ++i) {
    const DrawLight& light = scene.lights[i].light;
    const LitPack<W> lit = LightAt<W>(scene.lights[i], surface.point);
    base += Times(surface.color, Broadcast<W>(light.ambient)) * lit.strength;
    const Vec3<F> color = Illuminate<W>(light, lit, surface, to_eye);
    if (!light.shadow || !shadows) {
      base += color;
      continue;
    }
    const auto dark = Shadowed<W>(scene, rays, hit, surface, lit, active);
    const F zero(0.0f);
    added += Select<F>(dark, Vec3<F>{zero, zero, zero}, Saturate(color));
  }
  return Saturate(Times(Saturate(base) + added, surface.texture));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_LIGHT_KERNEL_H_
