// Surfaces where packs of rays hit them: normals, colours, textures.
#ifndef SINEW_RENDER_RAYS_SURFACE_KERNEL_H_
#define SINEW_RENDER_RAYS_SURFACE_KERNEL_H_

#include "render/draw_list.h"
#include "render/rays/facet_kernel.h"
#include "render/rays/ray_ops.h"
#include "render/rays/texture_kernel.h"
#include "render/rays/trace_kernel.h"

namespace sinew::inline render::rays {
inline namespace SINEW_ISA {

// A surface where rays hit it.
template <int W>
struct SurfacePack {
  using F = Floats<W>;
  Vec3<F> point, normal, color, texture;
  F alpha, emission, specular, exponent, reflectance;
};

// Data that are constant for all rays of a picture.
struct ShadeContext {
  const RaySceneView& scene;
  const DrawView& view;
};

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

// Brings the facets of the lanes `here` into the world.
template <int W>
void PlaceFacets(const RayShape& shape, const FacetPack<W>& local, Mask<float, W> here, FacetPack<W>& facet) {
  for (int k = 0; k < 3; ++k) {
    const Vec3<Floats<W>> point = ToWorld<W>(shape.mat, local.point[k]) + Broadcast<W>(shape.pos);
    facet.point[k] = Select<Floats<W>>(here, point, facet.point[k]);
    facet.normal[k] = Select<Floats<W>>(here, ToWorld<W>(shape.mat, local.normal[k]), facet.normal[k]);
    facet.weight[k] = Select(here, local.weight[k], facet.weight[k]);
  }
}

// Fills in the lanes `here`, whose rays hit this shape; others keep what they have. Points are in the world, textures
// are looked up in the frame of the shape. Without light at vertices `facet` stays as it is.
template <int W>
void DescribeShape(const RaySceneView& scene, const RayShape& shape, const Beam<W>& beam, const HitPack<W>& hit,
                   Mask<float, W> here, SurfacePack<W>& surface, FacetPack<W>& facet) {
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
  if (scene.vertex_light) {
    PlaceFacets<W>(shape, FacetOf<W>(shape, scene.facets, hit, triangle, p, normal), here, facet);
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
                            const HitPack<W>& hit, Mask<float, W> active, FacetPack<W>& facet) {
  using F = Floats<W>;
  const F one(1.0f), zero(0.0f);
  if (context.scene.vertex_light) facet = {};
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
    DescribeShape<W>(context.scene, context.scene.shapes[number], beam, hit, here, surface, facet);
    left &= ~LaneBits(here);
  }
  return surface;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_SURFACE_KERNEL_H_
