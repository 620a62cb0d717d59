// Wrenches of a medium on immersed frames, in their axes, with slopes by velocities.
#ifndef SINEW_DERIVATIVES_TERMS_LOCAL_WRENCH_H_
#define SINEW_DERIVATIVES_TERMS_LOCAL_WRENCH_H_

#include <algorithm>

#include "integrate/velocity_derivative/fluid_derivative_kernel.h"

namespace sinew::inline derivatives {

// A 6 x 6 matrix, row-major.
struct WrenchSlopes {
  double entry[36] = {};

  Spatial<double> operator*(const Spatial<double>& v) const {
    Spatial<double> sum = ZeroSpatial<double>();
    for (int k = 0; k < 36; ++k) sum[k / 6] += entry[k] * v[k % 6];
    return sum;
  }
  Spatial<double> TransposedTimes(const Spatial<double>& v) const {
    Spatial<double> sum = ZeroSpatial<double>();
    for (int k = 0; k < 36; ++k) sum[k % 6] += entry[k] * v[k / 6];
    return sum;
  }
};

using DualWrench = Spatial<VelocityDual<double>>;

inline Spatial<double> ValueOf(const DualWrench& wrench) {
  Spatial<double> value;
  for (int r = 0; r < 6; ++r) value[r] = wrench[r].value;
  return value;
}

// B = dW/dV, or (B + B') / 2, which the integrator takes that keeps its matrix symmetric.
inline WrenchSlopes SlopesOf(const DualWrench& wrench, bool symmetric) {
  WrenchSlopes B;
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) {
      B.entry[6 * r + c] = symmetric ? 0.5 * (wrench[r].slope[c] + wrench[c].slope[r]) : wrench[r].slope[c];
    }
  }
  return B;
}

// A motion about the centre of its tree as one of the frame, in the frame's axes.
inline Spatial<double> LocalMotion(const ModelView<double>& m, const DataView<double>& d,
                                   const ImmersedFrame<double>& frame, const Spatial<double>& motion) {
  const Vec3<double> offset = frame.p - TreeCenter(m, d, frame.body);
  return {MulTransposed(frame.R, motion.rot), MulTransposed(frame.R, PointVelocity(motion, offset))};
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_LOCAL_WRENCH_H_
