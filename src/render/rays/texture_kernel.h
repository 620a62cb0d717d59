// Colours of textures, lane by lane: between the four nearest texels, on the level of detail at which a texel is about
// as large as what a ray stands for, and between two levels.
#ifndef SINEW_RENDER_RAYS_TEXTURE_KERNEL_H_
#define SINEW_RENDER_RAYS_TEXTURE_KERNEL_H_

#include "math/vec3.h"
#include "render/rays/ray_scene.h"
#include "simd/float_lanes.h"

namespace sinew {
inline namespace SINEW_ISA {

template <int W>
struct Texels {
  Vec3<Floats<W>> rgb;
  Floats<W> alpha;
};

template <int W>
Texels<W> Unpack(Ints<W> texel, Floats<W> weight) {
  using F = Floats<W>;
  const F scale = weight * F(1.0f / 255);
  const auto channel = [&](int shift) { return ToFloats<W>((texel >> shift) & 255) * scale; };
  return {{channel(0), channel(8), channel(16)}, channel(24)};
}

// What remains of i after whole multiples of n, from 0 to n - 1: both are small enough for floats to be exact.
template <int W>
Ints<W> Wrap(Ints<W> i, Ints<W> n) {
  using F = Floats<W>;
  const F x = ToFloats<W>(i), size = ToFloats<W>(n);
  const Ints<W> rest = i - Truncate(Floor((x + F(0.5f)) / size)) * n;
  return rest;
}

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

// footprint: width of what a ray stands for, in units of s and t
template <int W>
Texels<W> SampleTexture(const RayTexture& texture, const int32_t* texels, Floats<W> s, Floats<W> t, Ints<W> face,
                        Floats<W> footprint) {
  using F = Floats<W>;
  const F size(static_cast<float>(texture.width > texture.height ? texture.width : texture.height));
  const F detail =
      Least(Most(Log2(Most(footprint * size, F(1e-6f))), F(0.0f)), F(static_cast<float>(texture.levels - 1)));
  const Ints<W> level = Truncate(detail);
  Texels<W> fine = SampleLevel<W>(texture, texels, level, s, t, face);
  const F between = detail - ToFloats<W>(level);
  if (!AnyLane(between > F(0.0f))) return fine;
  const Ints<W> next = level + 1, last = Ints<W>{} + (texture.levels - 1);
  const Texels<W> coarse =
      SampleLevel<W>(texture, texels, SelectInts<W>(Mask<float, W>{next > last}, last, next), s, t, face);
  fine.rgb += (coarse.rgb - fine.rgb) * between;
  fine.alpha += (coarse.alpha - fine.alpha) * between;
  return fine;
}

// The face of a cube that a direction meets, and where: the conventions of OpenGL's cube maps.
template <int W>
struct CubePlace {
  Ints<W> face;
  Floats<W> s, t, longest;
};
template <int W>
CubePlace<W> FindCubePlace(const Vec3<Floats<W>>& d) {
  using F = Floats<W>;
  using M = Mask<float, W>;
  const F ax = Magnitude(d.x), ay = Magnitude(d.y), az = Magnitude(d.z);
  const M is_x = (ax >= ay) & (ax >= az), is_y = (!is_x) & (ay >= az);
  const F longest = Most(Select(is_x, ax, Select(is_y, ay, az)), F(1e-12f));
  const M back_x = d.x < F(0.0f), back_y = d.y < F(0.0f), back_z = d.z < F(0.0f);
  const F sx = Select(back_x, d.z, -d.z), sz = Select(back_z, -d.x, d.x), ty = Select(back_y, -d.z, d.z);
  const F s = Select(is_x, sx, Select(is_y, d.x, sz)), t = Select(is_y, ty, -d.y);
  const Ints<W> base = Ints<W>{};
  const Ints<W> face_x = SelectInts<W>(back_x, base + 1, base), face_y = SelectInts<W>(back_y, base + 3, base + 2),
                face_z = SelectInts<W>(back_z, base + 5, base + 4);
  const F half = F(0.5f) / longest;
  return {SelectInts<W>(is_x, face_x, SelectInts<W>(is_y, face_y, face_z)), s * half + F(0.5f), t * half + F(0.5f),
          longest};
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_RENDER_RAYS_TEXTURE_KERNEL_H_
