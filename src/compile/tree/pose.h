// Pose of a frame in another: what the compiler composes while frames, bodies and inertias find their place.
#ifndef SINEW_COMPILE_TREE_POSE_H_
#define SINEW_COMPILE_TREE_POSE_H_

#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::inline compile {

struct Pose {
  Vec3<double> pos = {0, 0, 0};
  Quat<double> quat = {1, 0, 0, 0};
};

// X p: a point given in the frame of X, outside of it. By the matrix, as MuJoCo 3.8.0 rounds the places in its models.
inline Vec3<double> operator*(const Pose& X, const Vec3<double>& p) { return X.pos + ToMat3(X.quat) * p; }

// X_AC = X_AB * X_BC
inline Pose operator*(const Pose& a, const Pose& b) { return {a * b.pos, a.quat * b.quat}; }

inline Pose Inverse(const Pose& a) {
  const Quat<double> inverse = Conjugate(a.quat);
  return {-Rotate(inverse, a.pos), inverse};
}

// Positions and quaternion components that differ by less are the same frame (mjtSameFrame).
inline constexpr double kFrameTolerance = 1e-6;

bool SamePosition(const Vec3<double>& a, const Vec3<double>& b);
bool SameRotation(const Quat<double>& a, const Quat<double>& b);  // up to the global sign
bool IsIdentity(const Pose& pose);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TREE_POSE_H_
