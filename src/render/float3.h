// Vectors of three floats: scenes come in single precision, as mjvScene keeps them, and stay so.
#ifndef SINEW_RENDER_FLOAT3_H_
#define SINEW_RENDER_FLOAT3_H_

#include <algorithm>

#include "math/vec3.h"

namespace sinew::inline render {

inline void Copy3(const float* from, float* to) { std::copy_n(from, 3, to); }
inline float Dot3(const float* a, const float* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Products of frames and far planes are taken in double.
inline Vec3<double> Load3(const float* v) { return {double(v[0]), double(v[1]), double(v[2])}; }
inline void Store3(const Vec3<double>& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_FLOAT3_H_
