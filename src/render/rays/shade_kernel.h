// What packs of rays see: surfaces, lights, shadows, mirror images, what shines through, fog and sky.
//
// A light adds ambient + (n.l) diffuse + (n.h)^e specular, times attenuation and the spot's cone, where h is half way
// between the light and the eye (J. Blinn, 1977). As in the reference, lights without shadows end together at one, each
// one with shadows by itself, and a texture multiplies all of it.
#ifndef SINEW_RENDER_RAYS_SHADE_KERNEL_H_
#define SINEW_RENDER_RAYS_SHADE_KERNEL_H_

#include "render/draw_list.h"
#include "render/rays/ray_ops.h"
#include "render/rays/texture_kernel.h"
#include "render/rays/trace_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

inline constexpr float kShadowShift = 1e-4f;  // start of a shadow's ray off the surface, in distances from the eye
inline constexpr int kMostLayers = 16;        // of transparent surfaces, one behind the other

// A surface where rays hit it.
template <int W>
struct SurfacePack {
  using F = Floats<W>;
  Vec3<F> point, normal, color, texture;
  F alpha, emission, specular, exponent, reflectance;
};

// What is constant for all rays of a picture.
struct ShadeContext {
  const RaySceneView& scene;
  const DrawView& view;
};

// Bounds a colour to 0..1, as it is after each sum of lights.
template <class F>
F Saturate(F x) {
  return Least(Most(x, F(0.0f)), F(1.0f));
}
template <class F>
Vec3<F> Saturate(const Vec3<F>& c) {
  return {Saturate(c.x), Saturate(c.y), Saturate(c.z)};
}
template <class F>
Vec3<F> Times(const Vec3<F>& a, const Vec3<F>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
// The bound keeps a vector without length at zero.
template <class F>
Vec3<F> Unit(const Vec3<F>& v) {
  return v * (F(1.0f) / Sqrt(Most(Dot(v, v), F(1e-30f))));
}

// ---- surfaces

// Outward normal of a convex shape at a point of its surface, both in its frame.
template <int W>
Vec3<Floats<W>> ConvexNormal(const RayShape& shape, const Vec3<Floats<W>>& p) {
  using F = Floats<W>;
  const F zero(0.0f);
  const float* s = shape.size;
  switch (shape.kind) {
    case DrawShape::kPlane:
      return {zero, zero, F(1.0f)};
    case DrawShape::kEllipsoid:
      return Unit(Vec3<F>{p.x * F(1 / (s[0] * s[0])), p.y * F(1 / (s[1] * s[1])), p.z * F(1 / (s[2] * s[2]))});
    case DrawShape::kCapsule:
      return Unit(Vec3<F>{p.x, p.y, p.z - Least(Most(p.z, F(-s[2])), F(s[2]))});
    case DrawShape::kCylinder: {
      // The point lies on the surface that it is nearer to.
      const auto end = F(s[2]) - Abs(p.z) < F(s[0]) - Sqrt(p.x * p.x + p.y * p.y);
      return Select<F>(end, Vec3<F>{zero, zero, CopySign(F(1.0f), p.z)}, Unit(Vec3<F>{p.x, p.y, zero}));
    }
    case DrawShape::kCone: {
      const float slope = s[0] / s[2];
      const F radius = Sqrt(p.x * p.x + p.y * p.y);
      const auto base = p.z < F(s[2]) * F(1e-4f);
      return Select<F>(base, Vec3<F>{zero, zero, F(-1.0f)}, Unit(Vec3<F>{p.x, p.y, radius * F(slope)}));
    }
    // The face of a box that a point is on is that which it is least inside of.
    default: {
      const F x = Abs(p.x) - F(s[0]), y = Abs(p.y) - F(s[1]), z = Abs(p.z) - F(s[2]);
      const auto is_x = (x >= y) & (x >= z), is_y = (!is_x) & (y >= z);
      return {Select(is_x, CopySign(F(1.0f), p.x), zero), Select(is_y, CopySign(F(1.0f), p.y), zero),
              Select(is_x | is_y, zero, CopySign(F(1.0f), p.z))};
    }
  }
}

// The mean of what the corners of triangles have, `each` numbers a corner.
template <int W>
Floats<W> AtCorners(const float* table, Ints<W> triangle, int each, int part, const HitPack<W>& hit) {
  using F = Floats<W>;
  const Ints<W> first = triangle * (3 * each) + part;
  const F a = LookUp<W>(table, first), b = LookUp<W>(table, first + each), c = LookUp<W>(table, first + 2 * each);
  return a + (b - a) * hit.u + (c - a) * hit.v;
}

// The pixel that rays belong to, as three rays: through its middle and through those of the pixels to the right and
// above. They start in the eye; parallel ones start in places of their own.
template <int W>
struct Beam {
  Vec3<Floats<W>> start[3], d[3];
};

// Where a beam meets the plane through a point: what rasterizers interpolate over, also for rays beside the middle.
template <int W>
void MeetPlane(const Beam<W>& beam, const Vec3<Floats<W>>& point, const Vec3<Floats<W>>& normal,
               Vec3<Floats<W>> at[3]) {
  for (int i = 0; i < 3; ++i) {
    at[i] = beam.start[i] + beam.d[i] * (Dot(normal, point - beam.start[i]) / NotFlat(Dot(normal, beam.d[i])));
  }
}

// Normal of a triangle's plane, not of length one, in the frame of the shape.
template <int W>
struct TriangleFrame {
  Vec3<Floats<W>> corner, e1, e2, normal;
};
template <int W>
TriangleFrame<W> FrameOf(const RayShape& shape, Ints<W> triangle) {
  TriangleFrame<W> frame;
  for (int i = 0; i < 3; ++i) {
    frame.corner[i] = LookUp<W>(shape.positions, triangle * 9 + i);
    frame.e1[i] = LookUp<W>(shape.positions, triangle * 9 + (3 + i)) - frame.corner[i];
    frame.e2[i] = LookUp<W>(shape.positions, triangle * 9 + (6 + i)) - frame.corner[i];
  }
  frame.normal = Cross(frame.e1, frame.e2);
  return frame;
}

// Texture coordinates of points in the plane of a triangle, from its corners'.
template <int W>
void PlacesOnTriangle(const RayShape& shape, Ints<W> triangle, const Vec3<Floats<W>> at[3], TexturePlaces<W>& places) {
  using F = Floats<W>;
  const TriangleFrame<W> frame = FrameOf<W>(shape, triangle);
  const F inverse = F(1.0f) / Most(Dot(frame.normal, frame.normal), F(1e-30f));
  for (int i = 0; i < 3; ++i) {
    const Vec3<F> v = at[i] - frame.corner;
    HitPack<W> hit = {};
    hit.u = Dot(frame.normal, Cross(v, frame.e2)) * inverse;
    hit.v = Dot(frame.normal, Cross(frame.e1, v)) * inverse;
    places.s[i] = AtCorners<W>(shape.texcoords, triangle, 2, 0, hit) * F(shape.scale[0]);
    places.t[i] = AtCorners<W>(shape.texcoords, triangle, 2, 1, hit) * F(shape.scale[1]);
  }
}

// The texture's colour. at: where the pixel's beam meets the surface, in the frame of the shape
template <int W>
Texels<W> TextureAt(const RayShape& shape, Ints<W> triangle, const Vec3<Floats<W>> at[3]) {
  using F = Floats<W>;
  const F a(shape.scale[0]), b(shape.scale[1]), c(shape.scale[2]), half(0.5f);
  if (shape.mapping == DrawMapping::kCube) {
    Vec3<F> d[3];
    for (int i = 0; i < 3; ++i) d[i] = {at[i].x * a, at[i].y * b, at[i].z * c};
    return SampleCube<W>(*shape.texture, shape.texels, d);
  }
  TexturePlaces<W> places;
  if (shape.mapping == DrawMapping::kExplicit && shape.texcoords) {
    PlacesOnTriangle<W>(shape, triangle, at, places);
  } else {
    for (int i = 0; i < 3; ++i) {
      places.s[i] = a * at[i].x - half;
      places.t[i] = -(b * at[i].y) - half;
    }
  }
  return SampleTexture<W>(*shape.texture, shape.texels, places);
}

// The parts of a pack that hit one shape.
// Fills in the lanes `here`, whose rays hit this shape; others keep what they have. Points are in the world, textures
// are looked up in the frame of the shape.
template <int W>
void DescribeShape(const RayShape& shape, const Beam<W>& beam, const HitPack<W>& hit, Mask<float, W> here,
                   SurfacePack<W>& surface) {
  using F = Floats<W>;
  const Vec3<F> p = ToLocal<W>(shape.mat, surface.point - Broadcast<W>(shape.pos));
  Vec3<F> normal;
  const Ints<W> triangle = hit.triangle & here.v;
  if (shape.nodes) {
    for (int i = 0; i < 3; ++i) normal[i] = AtCorners<W>(shape.normals, triangle, 3, i, hit);
    normal = Unit(normal);
  } else {
    normal = ConvexNormal<W>(shape, p);
  }
  normal = ToWorld<W>(shape.mat, normal);
  surface.normal = Select<F>(here, normal, surface.normal);
  surface.color = Select<F>(here, Broadcast<W>(shape.rgba), surface.color);
  F alpha(shape.rgba[3]);
  if (shape.texture) {
    // curved shapes are flat within a pixel
    const Vec3<F> flat = shape.nodes ? ToWorld<W>(shape.mat, FrameOf<W>(shape, triangle).normal) : normal;
    Vec3<F> at[3];
    MeetPlane<W>(beam, surface.point, flat, at);
    for (Vec3<F>& place : at) place = ToLocal<W>(shape.mat, place - Broadcast<W>(shape.pos));
    const Texels<W> texel = TextureAt<W>(shape, triangle, at);
    surface.texture = Select<F>(here, texel.rgb, surface.texture);
    alpha *= texel.alpha;
  }
  surface.alpha = Select(here, alpha, surface.alpha);
  surface.emission = Select(here, F(shape.emission), surface.emission);
  surface.specular = Select(here, F(shape.specular), surface.specular);
  surface.exponent = Select(here, F(shape.exponent), surface.exponent);
  surface.reflectance = Select(here, F(shape.reflectance), surface.reflectance);
}

// Describes the surfaces of all active lanes, one shape after the other: neighbouring pixels mostly see one.
template <int W>
SurfacePack<W> DescribeHits(const ShadeContext& context, const Beam<W>& beam, const RayPack<W>& rays,
                            const HitPack<W>& hit, Mask<float, W> active) {
  using F = Floats<W>;
  const F one(1.0f), zero(0.0f);
  SurfacePack<W> surface = {rays.o + rays.d * Select(active, hit.t, zero),
                            {zero, zero, one},
                            {zero, zero, zero},
                            {one, one, one},
                            one,
                            zero,
                            zero,
                            zero,
                            zero};
  unsigned left = LaneBits(active);
  while (left) {
    const int number = hit.shape[__builtin_ctz(left)];
    const Mask<float, W> here = active & EqualInts<W>(hit.shape, number);
    DescribeShape<W>(context.scene.shapes[number], beam, hit, here, surface);
    left &= ~LaneBits(here);
  }
  return surface;
}

// ---- lights

// This is a light as a surface sees it: unit direction, distance [m], and strength after attenuation and cone, 0
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
  const auto front = slope > F(0.0f);
  Vec3<F> sum = Times(surface.color, Broadcast<W>(light.diffuse)) * Most(slope, F(0.0f));
  if (light.specular[0] + light.specular[1] + light.specular[2] > 0) {
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

// The colour of surfaces that are lit. Transparent ones are not in shadow.
template <int W>
Vec3<Floats<W>> Light(const ShadeContext& context, const RayPack<W>& rays, const HitPack<W>& hit,
                      const SurfacePack<W>& surface, Mask<float, W> active, bool shadows) {
  using F = Floats<W>;
  const RaySceneView& scene = context.scene;
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

// ---- what is far

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

// The mirror image in the reflector: of opaque things, without the sky.
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
  if (Any(met)) {
    const SurfacePack<W> other = DescribeHits<W>(context, behind, seen, found, met);
    const Vec3<F> lit = Light<W>(context, seen, found, other, met, true);
    color = Select<F>(met, Fogged<W>(context, lit, DepthOf<W>(context, rays, hit.t) + found.t), color);
  }
  return Select<F>(mirror, color * surface.reflectance, Vec3<F>{zero, zero, zero});
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

// Transparent surfaces before `limit`. As in the reference, each is laid over what is there twice: first from the
// nearest to the farthest, then back to the nearest; added ones once.
template <int W>
void AddTransparent(const ShadeContext& context, const Beam<W>& beam, RayPack<W> rays, Floats<W> limit,
                    Vec3<Floats<W>>& color) {
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
    const SurfacePack<W> surface = DescribeHits<W>(context, beam, rays, hit, met);
    const Vec3<F> lit = Light<W>(context, rays, hit, surface, met, false);
    seen[layers] = Fogged<W>(context, lit, DepthOf<W>(context, rays, hit.t));
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

// Traces one pack, the samples from `first` on: colours, depth and shape are written back to them. The order of what
// lies over what is that of draw_list.h.
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
  // This is the far plane, as a distance along each ray.
  const F limit =
      view.orthographic ? F(view.far) : F(view.far) / Most(Dot(rays.d, Broadcast<W>(view.forward)), F(1e-3f));
  HitPack<W> hit = NoHit<W>(limit);
  FindNearest<W>(scene, scene.opaque, rays, hit);
  const auto met = active & (hit.t < limit);

  Vec3<F> color = {F(0.0f), F(0.0f), F(0.0f)};
  if (scene.segment) {
    unsigned left = LaneBits(met);
    while (left) {
      const int number = hit.shape[__builtin_ctz(left)];
      const auto here = met & EqualInts<W>(hit.shape, number);
      color = Select<F>(here, Broadcast<W>(scene.shapes[number].flat_rgb), color);
      left &= ~LaneBits(here);
    }
  } else {
    auto shown = met;
    if (scene.sky) shown = met & !BehindSky<W>(context, rays.o + rays.d * Select(met, hit.t, F(0.0f)));
    const Beam<W> beam = CameraBeam<W>(view, x, y);
    if (LaneBits(shown) != LaneBits(active)) color = SkyAt<W>(context, beam);
    if (Any(shown)) {
      const SurfacePack<W> surface = DescribeHits<W>(context, beam, rays, hit, shown);
      Vec3<F> lit = Light<W>(context, rays, hit, surface, shown, true);
      if (scene.reflector >= 0) {
        const auto mirror = MirrorLanes<W>(scene, hit, surface, shown);
        if (Any(mirror)) lit = Saturate(lit + Mirrored<W>(context, beam, rays, hit, surface, mirror));
      }
      color = Select<F>(shown, Fogged<W>(context, lit, DepthOf<W>(context, rays, hit.t)), color);
    }
    if (scene.haze_plane >= 0) {
      // Haze lies over the sky and over the plane that it belongs to, not over what stands before them.
      const auto hazy = (!shown) | EqualInts<W>(hit.shape, scene.haze_plane);
      const F opacity = Select(hazy, HazeAt<W>(scene, rays.d), F(0.0f));
      color += (Broadcast<W>(scene.haze_rgba) - color) * opacity;
    }
    if (scene.fog) color = Select<F>(shown, color, FoggedSky<W>(context, rays, color));
    // what lies in an opaque surface is before it
    AddTransparent<W>(context, beam, rays, hit.t * F(1 + 4e-6f), color);
  }
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
}  // namespace sinew

#endif  // SINEW_RENDER_RAYS_SHADE_KERNEL_H_
