// Comparisons of poses within kFrameTolerance, which decide whether a frame counts as that of its body.
#include "compile/tree/pose.h"

#include <cmath>

namespace sinew::inline compile {

// Written so that a NaN is the same as nothing.
bool SamePosition(const Vec3<double>& a, const Vec3<double>& b) {
  for (int i = 0; i < 3; ++i) {
    if (!(std::fabs(a[i] - b[i]) < kFrameTolerance)) return false;
  }
  return true;
}

// Quaternions of opposite sign are one rotation.
bool SameRotation(const Quat<double>& a, const Quat<double>& b) {
  bool same = true, opposite = true;
  for (int i = 0; i < 4; ++i) {
    same = same && std::fabs(a[i] - b[i]) < kFrameTolerance;
    opposite = opposite && std::fabs(a[i] + b[i]) < kFrameTolerance;
  }
  return same || opposite;
}

bool IsIdentity(const Pose& pose) { return SamePosition(pose.pos, {0, 0, 0}) && SameRotation(pose.quat, {1, 0, 0, 0}); }

}  // namespace sinew::inline compile
