// Orientations in the ways that a specification gives them, as quaternions.
#ifndef SINEW_SPEC_ORIENTATION_H_
#define SINEW_SPEC_ORIENTATION_H_

#include <mujoco/mujoco.h>

#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::inline spec {

// Vectors whose squared length is below this have no direction.
inline constexpr double kDirectionEps = 1e-14;

// The quaternion of `alt`, or `quat` when that is what counts, with unit norm. Angles and the Euler sequence are those
// of the compiler settings. Throws Error when an axis has no direction.
Quat<double> Orientation(const double quat[4], const mjsOrientation& alt, const mjsCompiler& compiler);

// Whether the orientation is given in another way than by quaternion.
inline bool HasAlternative(const mjsOrientation& alt) { return alt.type != mjORIENTATION_QUAT; }

// The shortest rotation that turns the z axis onto a unit vector.
Quat<double> FromZAxis(const Vec3<double>& direction);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_ORIENTATION_H_
