#include "compile/orientation.h"

#include <cmath>
#include <string>

#include "core/error.h"

namespace sinew {
namespace {

constexpr double kDegree = kPi / 180;

// A direction of unit length; `what` names it in the message.
Vec3<double> Direction(Vec3<double> v, const char* what) {
  if (!(Dot(v, v) >= kDirectionEps)) {
    throw Error(std::string(what) + " too small", "give a vector that has a direction");
  }
  Normalize(v);
  return v;
}

// The axis of letter `axis` of an Euler sequence, in either case.
Vec3<double> EulerAxis(char axis) {
  switch (axis) {
    case 'x':
    case 'X':
      return {1, 0, 0};
    case 'y':
    case 'Y':
      return {0, 1, 0};
    case 'z':
    case 'Z':
      return {0, 0, 1};
    default:
      throw Error(std::string("Euler sequence contains '") + axis + "'", "use three of the letters x, y, z, X, Y, Z");
  }
}

// Lower-case axes turn with the body, so their rotations multiply from the right; upper-case axes stay.
Quat<double> FromEuler(const double angles[3], const char sequence[3], double unit) {
  Quat<double> q = IdentityQuat<double>();
  for (int i = 0; i < 3; ++i) {
    const Quat<double> turn = AxisAngle(EulerAxis(sequence[i]), angles[i] * unit);
    q = sequence[i] >= 'a' ? q * turn : turn * q;
  }
  return q;
}

// The x axis is kept; y loses its part along x.
Quat<double> FromXYAxes(const double axes[6]) {
  const Vec3<double> x = Direction(LoadVec3(axes), "xaxis");
  Vec3<double> y = LoadVec3(axes + 3);
  y = Direction(y - x * Dot(x, y), "yaxis");
  return FromAxes(x, y, Direction(Cross(x, y), "cross(xaxis, yaxis)"));
}

Quat<double> FromQuaternion(const double quat[4]) {
  Quat<double> q = LoadQuat(quat);
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (std::fabs(norm - 1) > kDirectionEps) Normalize(q);
  return q;
}

}  // namespace

Quat<double> FromZAxis(const Vec3<double>& direction) {
  constexpr double kParallel = 1e-10;  // of sin(angle): any axis in the plane serves
  Vec3<double> axis = Cross({0, 0, 1}, direction);
  const double sine = Norm(axis);
  if (sine < kParallel) {
    axis = {1, 0, 0};
  } else {
    axis *= 1 / sine;
  }
  return AxisAngle(axis, Atan2(sine, direction.z));
}

Quat<double> FromAxes(const Vec3<double>& x, const Vec3<double>& y, const Vec3<double>& z) {
  // The largest component is found first, because the others are divided by it.
  const double trace = x.x + y.y + z.z;
  Quat<double> q;
  if (trace > 0) {
    const double s = 2 * std::sqrt(1 + trace);
    q = {0.25 * s, (y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s};
  } else if (x.x > y.y && x.x > z.z) {
    const double s = 2 * std::sqrt(1 + x.x - y.y - z.z);
    q = {(y.z - z.y) / s, 0.25 * s, (x.y + y.x) / s, (x.z + z.x) / s};
  } else if (y.y > z.z) {
    const double s = 2 * std::sqrt(1 - x.x + y.y - z.z);
    q = {(z.x - x.z) / s, (x.y + y.x) / s, 0.25 * s, (y.z + z.y) / s};
  } else {
    const double s = 2 * std::sqrt(1 - x.x - y.y + z.z);
    q = {(x.y - y.x) / s, (x.z + z.x) / s, (y.z + z.y) / s, 0.25 * s};
  }
  Normalize(q);
  return q;
}

Quat<double> Orientation(const double quat[4], const mjsOrientation& alt, const mjsCompiler& compiler) {
  const double unit = compiler.degree ? kDegree : 1;
  switch (alt.type) {
    case mjORIENTATION_QUAT:
      return FromQuaternion(quat);
    case mjORIENTATION_AXISANGLE:
      return AxisAngle(Direction(LoadVec3(alt.axisangle), "axis of axisangle"), alt.axisangle[3] * unit);
    case mjORIENTATION_XYAXES:
      return FromXYAxes(alt.xyaxes);
    case mjORIENTATION_ZAXIS:
      return FromZAxis(Direction(LoadVec3(alt.zaxis), "zaxis"));
    case mjORIENTATION_EULER:
      return FromEuler(alt.euler, compiler.eulerseq, unit);
  }
  throw Error("unknown kind of orientation");
}

}  // namespace sinew
