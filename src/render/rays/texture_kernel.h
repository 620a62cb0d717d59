// Colours of textures, lane by lane: between the four nearest texels on a level of detail, and between two levels.
//
// The level is that of OpenGL 4.5, section 8.14, without anisotropy: lambda = log2 rho, where rho is the longer of the
// ways, in texels of the finest level, to the places of the pixels to the right and above.
#ifndef SINEW_RENDER_RAYS_TEXTURE_KERNEL_H_
#define SINEW_RENDER_RAYS_TEXTURE_KERNEL_H_

#include "math/vec3.h"
#include "render/rays/ray_scene.h"
#include "simd/float_lanes.h"

namespace sinew::inline render::rays {
inline namespace SINEW_ISA {

// Texels holds the colours of a pack's lanes, 0..1.
template <int W>
struct Texels {
  Vec3<Floats<W>> rgb;
  Floats<W> alpha;
};

// Unpacks colours from bytes, red in the lowest, times a weight of each lane.
template <int W>
Texels<W> Unpack(Ints<W> texel, Floats<W> weight) {
  using F = Floats<W>;
  const F scale = weight * F(1.0f / 255);
  const auto channel = [&](int shift) { return ToFloats<W>((texel >> shift) & 255) * scale; };
  return {{channel(0), channel(8), channel(16)}, channel(24)};
}

// The remainder of i divided by n, from 0 to n - 1: both are small enough for floats to be exact.
template <int W>
Ints<W> Wrap(Ints<W> i, Ints<W> n) {
  using F = Floats<W>;
  const F x = ToFloats<W>(i), size = ToFloats<W>(n);
  const Ints<W> rest = i - Truncate(Floor((x + F(0.5f)) / size)) * n;
  return rest;
}

// Returns the nearest number from 0 to n - 1.
template <int W>
Ints<W> ClampInts(Ints<W> i, Ints<W> n) {
  const Ints<W> zero = {};
  const Ints<W> low = SelectInts<W>(Mask<float, W>{i < zero}, zero, i);
  return SelectInts<W>(Mask<float, W>{low >= n}, n - 1, low);
}

// One level: s and t from 0 to 1 over the image, or over a face.
template <int W>
Texels<W> SampleLevel(const RayTexture& texture, const int32_t* texels, Ints<W> level, Floats<W> s, Floats<W> t,
                      Ints<W> face) {
  using F = Floats<W>;
  const Ints<W> one = Ints<W>{} + 1;
  Ints<W> width = (Ints<W>{} + texture.width) >> level, height = (Ints<W>{} + texture.height) >> level;
  width = SelectInts<W>(Mask<float, W>{width < one}, one, width);
  height = SelectInts<W>(Mask<float, W>{height < one}, one, height);
  const F x = s * ToFloats<W>(width) - F(0.5f), y = t * ToFloats<W>(height) - F(0.5f);
  const F left = Floor(x), low = Floor(y), fx = x - left, fy = y - low;
  Ints<W> x0 = Truncate(left), y0 = Truncate(low), x1 = x0 + 1, y1 = y0 + 1;
  // Faces end at their borders, images repeat.
  if (texture.cube) {
    x0 = ClampInts<W>(x0, width);
    x1 = ClampInts<W>(x1, width);
    y0 = ClampInts<W>(y0, height);
    y1 = ClampInts<W>(y1, height);
  } else {
    x0 = Wrap<W>(x0, width);
    x1 = Wrap<W>(x1, width);
    y0 = Wrap<W>(y0, height);
    y1 = Wrap<W>(y1, height);
  }
  const Ints<W> start = LookUp<W>(texture.level_start, level) + face * width * height;
  Texels<W> sum = Unpack<W>(LookUp<W>(texels, start + y0 * width + x0), (F(1.0f) - fx) * (F(1.0f) - fy));
  const auto add = [&](Ints<W> index, F weight) {
    const Texels<W> more = Unpack<W>(LookUp<W>(texels, index), weight);
    sum.rgb += more.rgb;
    sum.alpha += more.alpha;
  };
  add(start + y0 * width + x1, fx * (F(1.0f) - fy));
  add(start + y1 * width + x0, (F(1.0f) - fx) * fy);
  add(start + y1 * width + x1, fx * fy);
  return sum;
}

// Places in an image, from 0 to 1 over it: of a pixel, and of those to the right and above.
template <int W>
struct TexturePlaces {
  Floats<W> s[3], t[3];
  Ints<W> face = {};
};

template <int W>
Texels<W> SampleTexture(const RayTexture& texture, const int32_t* texels, const TexturePlaces<W>& places) {
  using F = Floats<W>;
  const F width(static_cast<float>(texture.width)), height(static_cast<float>(texture.height));
  // The ways, in texels, are squared: half the logarithm takes the root.
  const auto way2 = [&](int i) {
    const F x = (places.s[i] - places.s[0]) * width, y = (places.t[i] - places.t[0]) * height;
    return x * x + y * y;
  };
  const F rho2 = Most(way2(1), way2(2)), coarsest(static_cast<float>(texture.levels - 1));
  // This lies between the finest and the coarsest level. The bounds keep the logarithm finite where a beam grazes a
  // surface.
  const F detail = Least(Most(Log2(Least(Most(rho2, F(1e-12f)), F(1e30f))) * F(0.5f), F(0.0f)), coarsest);
  const Ints<W> level = Truncate(detail);
  Texels<W> fine = SampleLevel<W>(texture, texels, level, places.s[0], places.t[0], places.face);
  const F between = detail - ToFloats<W>(level);
  // Surfaces near the eye need the finest level alone.
  if (!Any(between > F(0.0f))) return fine;
  const Ints<W> next = level + 1, last = Ints<W>{} + (texture.levels - 1);
  const Texels<W> coarse = SampleLevel<W>(texture, texels, SelectInts<W>(Mask<float, W>{next > last}, last, next),
                                          places.s[0], places.t[0], places.face);
  fine.rgb += (coarse.rgb - fine.rgb) * between;
  fine.alpha += (coarse.alpha - fine.alpha) * between;
  return fine;
}

// The face of a cube that the first direction meets, and where all three meet its plane: the conventions of OpenGL's
// cube maps.
template <int W>
TexturePlaces<W> FindCubePlaces(const Vec3<Floats<W>> d[3]) {
  using F = Floats<W>;
  using M = Mask<float, W>;
  const F ax = Abs(d[0].x), ay = Abs(d[0].y), az = Abs(d[0].z);
  const M is_x = (ax >= ay) & (ax >= az), is_y = (!is_x) & (ay >= az);
  const M back_x = d[0].x < F(0.0f), back_y = d[0].y < F(0.0f), back_z = d[0].z < F(0.0f);
  TexturePlaces<W> places;
  for (int i = 0; i < 3; ++i) {
    // All three directions are taken to the face of the first, also where they would meet another one.
    const F longest = Abs(Select(is_x, d[i].x, Select(is_y, d[i].y, d[i].z)));
    const F sx = Select(back_x, d[i].z, -d[i].z), sz = Select(back_z, -d[i].x, d[i].x),
            ty = Select(back_y, -d[i].z, d[i].z);
    const F s = Select(is_x, sx, Select(is_y, d[i].x, sz)), t = Select(is_y, ty, -d[i].y);
    const F half = F(0.5f) / Most(longest, F(1e-12f));
    places.s[i] = s * half + F(0.5f);
    places.t[i] = t * half + F(0.5f);
  }
  const Ints<W> base = Ints<W>{};
  const Ints<W> face_x = SelectInts<W>(back_x, base + 1, base), face_y = SelectInts<W>(back_y, base + 3, base + 2),
                face_z = SelectInts<W>(back_z, base + 5, base + 4);
  places.face = SelectInts<W>(is_x, face_x, SelectInts<W>(is_y, face_y, face_z));
  return places;
}

// The colours that three directions of a pixel see; they need not have length one.
template <int W>
Texels<W> SampleCube(const RayTexture& texture, const int32_t* texels, const Vec3<Floats<W>> d[3]) {
  return SampleTexture<W>(texture, texels, FindCubePlaces<W>(d));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline render::rays

#endif  // SINEW_RENDER_RAYS_TEXTURE_KERNEL_H_
