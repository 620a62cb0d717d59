// Wrapping is solved in a plane: across the axis of a cylinder, or through the centre of a sphere and both end points.
// There the surface is a circle about the origin.
//
// Outside: each end point d_k sends two tangents to the circle, at
//   T = (r^2 d -+ r a J d) / |d|^2,   a = sqrt(|d|^2 - r^2),   J (x, y) = (y, -x).
// A string that is pulled tight stays on its side of the circle: it turns about the centre by the angle that a way from
// d0 by the side site to d1 turns by, each part the shorter way, which may be more than half a turn. It lies on the
// circle along that angle less those between each end point and its tangent,
//   turn = angle(d0, s) + angle(s, d1),   arc = |turn| - acos(r / |d0|) - acos(r / |d1|),
// and is straight where nothing is left. So the length is a smooth function of the pose until an end point is opposite
// to the side site, where nothing tells the sides apart. Angles are added as products of complex numbers: with c + i s
// of the turn and r + i a of the tangents, arc is the argument of (c + i s) (r - i a0) (r - i a1).
// Inside: the path touches the circle in one point, where it reflects. With z the sine of the angle between the path
// and the tangent direction, A = r/|d0|, B = r/|d1| and G the angle between the end points,
//   asin(A z) + asin(B z) - 2 asin(z) + G = 0.
#include "kinematics/wrap.h"

#include <algorithm>
#include <optional>

#include "simd/functions.h"

namespace sinew::inline kinematics {
namespace {

struct Vec2 {
  mjtNum x, y;

  friend Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend Vec2 operator*(Vec2 a, mjtNum s) { return {a.x * s, a.y * s}; }
};

// In the plane, the cross product of two vectors has a component out of it only, which is a number.
mjtNum Dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
mjtNum Cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
mjtNum Norm(Vec2 a) { return Sqrt(Dot(a, a)); }
Vec2 Normalized(Vec2 a) {
  const mjtNum norm = Norm(a);
  return norm < kMinVal ? Vec2{1, 0} : a * (1 / norm);
}

// The path in the plane: both touching points and the arc between them.
struct PlanePath {
  Vec2 arrive, leave;
  mjtNum arc;
};

// Parameter in [0, 1] of the point of segment d0 d1 that is closest to the origin.
mjtNum ClosestParameter(Vec2 d0, Vec2 d1) {
  const Vec2 along = d1 - d0;
  return Clamp<mjtNum>(-Dot(d0, along) / std::max<mjtNum>(Dot(along, along), kMinVal), 0, 1);
}

// How a path turns about the centre: the sense, and the angle without its sign, from 0 to 2 pi. The angle is kept as a
// complex number in its direction.
struct Turn {
  bool is_clockwise;
  bool is_half_or_more;  // half a turn or more
  mjtNum real, imaginary;
};

// Returns the shorter way from d0 to d1.
Turn ShorterTurn(Vec2 d0, Vec2 d1) {
  const mjtNum cross = Cross(d0, d1);
  return {cross < 0, false, Dot(d0, d1), Abs(cross)};
}

// The shorter way from d0 to the side and from there to d1. Where both parts have one sense, their sum is known to be
// less than half a turn, or at least that, if both are less than a quarter, or neither; only between these the numbers
// of the sum decide, so that their rounding does not make a whole turn of none.
Turn TurnBySide(Vec2 d0, Vec2 d1, Vec2 side) {
  const mjtNum cross0 = Cross(d0, side), cross1 = Cross(side, d1), dot0 = Dot(d0, side), dot1 = Dot(side, d1);
  if ((cross0 < 0) != (cross1 < 0)) return ShorterTurn(d0, d1);
  Turn turn = {cross0 < 0, false, Dot(d0, d1), Cross(d0, d1)};
  if (turn.is_clockwise) turn.imaginary = -turn.imaginary;
  if (dot0 > 0 && dot1 > 0) {
    turn.imaginary = Abs(turn.imaginary);
  } else if (dot0 <= 0 && dot1 <= 0) {
    turn.imaginary = -Abs(turn.imaginary);
    turn.is_half_or_more = true;
  } else {
    turn.is_half_or_more = turn.imaginary <= 0;
  }
  return turn;
}

// Points inside of the circle, or a circle without radius, cannot be wrapped around.
std::optional<PlanePath> WrapOutside(Vec2 d0, Vec2 d1, mjtNum r, const Vec2* side) {
  const Vec2 along = d1 - d0;
  const mjtNum aa0 = Dot(d0, d0) - r * r, aa1 = Dot(d1, d1) - r * r;
  if (aa0 < 0 || aa1 < 0 || r < kMinVal || Dot(along, along) < kMinVal) return std::nullopt;

  const Turn turn = side ? TurnBySide(d0, d1, *side) : ShorterTurn(d0, d1);
  const mjtNum a0 = Sqrt(aa0), a1 = Sqrt(aa1);
  const mjtNum rr = r * r - a0 * a1, ra = r * (a0 + a1);
  const mjtNum real = turn.real * rr + turn.imaginary * ra, imaginary = turn.imaginary * rr - turn.real * ra;
  // The angles to both tangents are less than half a turn together. So what is left of less than half a turn is
  // negative in the lower half of the plane, and of less than three quarters in its right quarter, by rounding.
  const bool is_straight = turn.is_half_or_more ? imaginary <= 0 && real > 0 && turn.real <= 0 : !(imaginary > 0);
  if (is_straight) return std::nullopt;
  mjtNum angle = Atan2(imaginary, real);
  if (angle < 0) angle += 2 * kPi;
  const auto tangent = [r](Vec2 d, mjtNum a) { return (d * (r * r) + Vec2{d.y, -d.x} * (r * a)) * (1 / Dot(d, d)); };
  const mjtNum sign = turn.is_clockwise ? 1 : -1;
  return PlanePath{tangent(d0, sign * a0), tangent(d1, -sign * a1), r * angle};
}

// Solves the equation of the inside path for z by Newton's method; nothing when it fails.
std::optional<mjtNum> SolveReflection(mjtNum A, mjtNum B, mjtNum G) {
  constexpr int kIterations = 20;
  constexpr mjtNum kTolerance = 1e-6;
  const auto residual = [=](mjtNum z) { return Asin(A * z) + Asin(B * z) - 2 * Asin(z) + G; };

  // from the right end the residual, negative there, rises to its root monotonically
  mjtNum z = 1 - 1e-7, f = residual(z);
  if (f > 0) return std::nullopt;
  for (int i = 0; i < kIterations && Abs(f) > kTolerance; ++i) {
    const mjtNum slope = A / Sqrt(1 - A * A * z * z) + B / Sqrt(1 - B * B * z * z) - 2 / Sqrt(1 - z * z);
    if (slope > -kMinVal) return std::nullopt;
    const mjtNum next = z - f / slope;
    if (next > z) return std::nullopt;
    z = next;
    f = residual(z);
  }
  if (Abs(f) > kTolerance) return std::nullopt;
  return z;
}

// The path touches the circle from inside, where reflection makes it shortest.
std::optional<PlanePath> WrapInside(Vec2 d0, Vec2 d1, mjtNum r) {
  const mjtNum norm0 = Norm(d0), norm1 = Norm(d1);
  if (norm0 <= r || norm1 <= r || r < kMinVal) return std::nullopt;

  // a straight path that already runs through the inside is free
  const mjtNum t = ClosestParameter(d0, d1);
  if (t > 0 && t < 1 && Norm(d0 + (d1 - d0) * t) <= r) return std::nullopt;

  const mjtNum A = r / norm0, B = r / norm1, cosine = Dot(d0, d1) / (norm0 * norm1);
  if (cosine < -1 + kMinVal) return std::nullopt;

  // the touching point; halfway between the ends when the equation has no usable root
  Vec2 touch = Normalized(d0 + d1);
  const std::optional<mjtNum> z = cosine > 1 - kMinVal ? std::nullopt : SolveReflection(A, B, Acos(cosine));
  if (z) {
    const bool from_first = Cross(d0, d1) > 0;
    const Vec2 start = from_first ? d0 * (1 / norm0) : d1 * (1 / norm1);
    mjtNum s, c;
    SinCos(Asin(*z) - Asin((from_first ? A : B) * *z), s, c);
    touch = {c * start.x - s * start.y, s * start.x + c * start.y};
  }
  return PlanePath{touch * r, touch * r, 0};
}

// Orthonormal axes of the plane through the sphere's centre and both points.
struct PlaneAxes {
  Vec3<mjtNum> e1, e2;

  Vec2 Project(const Vec3<mjtNum>& p) const { return {sinew::Dot(p, e1), sinew::Dot(p, e2)}; }
  Vec3<mjtNum> Lift(Vec2 p) const { return e1 * p.x + e2 * p.y; }
};

PlaneAxes SpherePlane(const Vec3<mjtNum>& p0, const Vec3<mjtNum>& p1) {
  const Vec3<mjtNum> e1 = sinew::Normalized(p0);
  Vec3<mjtNum> normal = sinew::Cross(p0, p1);
  if (sinew::Norm(normal) < kMinVal) {
    // points and centre in one line: a plane that stays away from the line's largest component
    int largest = 0;
    for (int i = 1; i < 3; ++i) {
      if (Abs(e1[i]) > Abs(e1[largest])) largest = i;
    }
    Vec3<mjtNum> other = {1, 1, 1};
    other[largest] = 0;
    normal = sinew::Cross(e1, other);
  }
  Normalize(normal);
  return {e1, sinew::Cross(normal, e1)};
}

// On a cylinder the path is a helix: z grows evenly with the length in the plane.
void WrapHelix(const PlanePath& plane, Vec2 d0, Vec2 d1, mjtNum z0, mjtNum z1, WrapPath& path) {
  const mjtNum straight0 = Norm(plane.arrive - d0), straight1 = Norm(plane.leave - d1);
  const mjtNum slope = (z1 - z0) / (straight0 + plane.arc + straight1);
  path.arrive = {plane.arrive.x, plane.arrive.y, z0 + slope * straight0};
  path.leave = {plane.leave.x, plane.leave.y, z0 + slope * (straight0 + plane.arc)};
  const mjtNum rise = path.leave.z - path.arrive.z;
  path.length = Sqrt(plane.arc * plane.arc + rise * rise);
}

}  // namespace

WrapPath WrapAround(WrapShape shape, mjtNum radius, const Vec3<mjtNum>& p0, const Vec3<mjtNum>& p1,
                    const Vec3<mjtNum>* side) {
  WrapPath path;
  if (sinew::Norm(p0) < kMinVal || sinew::Norm(p1) < kMinVal) return path;

  // to the plane
  const bool sphere = shape == WrapShape::kSphere;
  const PlaneAxes axes = sphere ? SpherePlane(p0, p1) : PlaneAxes{{1, 0, 0}, {0, 1, 0}};
  const Vec2 d0 = axes.Project(p0), d1 = axes.Project(p1);
  // A side along the normal of the plane, or the axis, is none.
  const Vec2 side2 = side ? axes.Project(*side) : Vec2{};
  const bool has_side = side && Norm(side2) >= kMinVal;

  // solve there
  const bool inside = side && sinew::Norm(*side) < radius;
  const std::optional<PlanePath> plane =
      inside ? WrapInside(d0, d1, radius) : WrapOutside(d0, d1, radius, has_side ? &side2 : nullptr);
  if (!plane) return path;

  // and back
  path.touches = true;
  if (sphere) {
    path.arrive = axes.Lift(plane->arrive);
    path.leave = axes.Lift(plane->leave);
    path.length = plane->arc;
  } else {
    WrapHelix(*plane, d0, d1, p0.z, p1.z, path);
  }
  return path;
}

}  // namespace sinew::inline kinematics
