// Orientations as a model gives them, in one of five ways, become unit quaternions. Angles are in degrees or radians by
// the compiler settings.
#include "spec/orientation.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "math/orientation.h"

namespace sinew::inline spec {
namespace {

// A direction of unit length; `what` names it in the message.
Vec3<double> Direction(Vec3<double> v, const char* what) {
  if (!(Dot(v, v) >= kDirectionEps)) {
    throw Error(std::string(what) + " too small", "give a vector that has a direction");
  }
  DivideByNorm(v);
  return v;
}

// In the order of operations of MuJoCo 3.8.0, so that compiled orientations are rounded alike.
double Radians(double angle, const mjsCompiler& compiler) { return compiler.degree ? angle / 180 * kPi : angle; }

// Small letters turn about axes that move along, capital ones about fixed axes.
Quat<double> FromSequence(const double angles[3], const mjsCompiler& compiler) {
  const char* sequence = compiler.eulerseq;
  if (const int bad = FirstBadAxis(sequence); bad < 3) {
    throw Error(std::string("Euler sequence contains '") + sequence[bad] + "'",
                "use three of the letters x, y, z, X, Y, Z");
  }
  double radians[3];
  for (int i = 0; i < 3; ++i) radians[i] = Radians(angles[i], compiler);
  return FromEuler(radians, sequence);
}

// The x axis is kept; y loses its part along x. The result has unit length to rounding, and is not normalized.
Quat<double> FromXYAxes(const double axes[6]) {
  const Vec3<double> x = Direction(LoadVec3(axes), "xaxis");
  Vec3<double> y = LoadVec3(axes + 3);
  y = Direction(y - x * Dot(x, y), "yaxis");
  return FromRotation(FromColumns(x, y, Cross(x, y)));
}

// Divided by its norm, not multiplied by the inverse: faces that lie in one plane in models of MuJoCo 3.8.0 then do
// here.
Quat<double> FromQuaternion(const double quat[4]) {
  const Quat<double> q = LoadQuat(quat);
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (std::fabs(norm - 1) <= kDirectionEps) return q;
  if (norm < kMinVal) return IdentityQuat<double>();
  return {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

}  // namespace

// For the opposite direction every axis in the xy plane would serve, and x is taken.
Quat<double> FromZAxis(const Vec3<double>& direction) {
  constexpr double kParallel = 1e-10;  // of sin(angle): any axis in the plane serves
  Vec3<double> axis = Cross({0, 0, 1}, direction);
  const double sine = Norm(axis);
  if (sine < kParallel) {
    axis = {1, 0, 0};
  } else {
    DivideByNorm(axis);
  }
  return AxisAngle(axis, Atan2(sine, direction.z));
}

// Only the way that `alt` names counts, whatever the others hold.
Quat<double> Orientation(const double quat[4], const mjsOrientation& alt, const mjsCompiler& compiler) {
  switch (alt.type) {
    case mjORIENTATION_QUAT:
      return FromQuaternion(quat);
    case mjORIENTATION_AXISANGLE:
      return AxisAngle(Direction(LoadVec3(alt.axisangle), "axis of axisangle"), Radians(alt.axisangle[3], compiler));
    case mjORIENTATION_XYAXES:
      return FromXYAxes(alt.xyaxes);
    case mjORIENTATION_ZAXIS:
      return FromZAxis(Direction(LoadVec3(alt.zaxis), "zaxis"));
    case mjORIENTATION_EULER:
      return FromSequence(alt.euler, compiler);
  }
  throw Error("unknown kind of orientation");
}

}  // namespace sinew::inline spec
