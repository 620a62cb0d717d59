// Natural geodesic variation (A. Scholz, M. Sherman, I. Stavness, S. Delp, A. Kecskemethy: A fast multi-obstacle muscle
// wrapping method using natural geodesic variations, Multibody Syst. Dyn. 36, 2016). On each obstacle that the path
// touches it is a geodesic from P to Q with the frames (t, N, B), tangent, normal and B = N x t, at both ends. With
// unit vectors e along the straight pieces before and behind, the path is smooth, hence shortest, when
//
//   e_in . N_P = e_in . B_P = e_out . N_Q = e_out . B_Q = 0                                                      (1)
//
// Newton's method solves these four equations for each obstacle in the natural variations of the geodesic: shifts
// s along t and b along B, a turn w at P, and an elongation l. With Jacobi's fields r and a of the geodesic,
//
//   dP = t s + B b,   turn at P: w       dQ = t (s + l) + B (r b + a w),   turn at Q: r' b + a' w                 (2)
//   r'' + K r = 0, r = 1, r' = 0 at P;   a'' + K a = 0, a = 0, a' = 1 at P;   K the Gaussian curvature
//
// It begins where the path would go if the obstacle were scaled to a sphere: along the circle in the plane of the line
// and the side, or of the line and the centre. Scaling keeps tangents.
#include "kinematics/wrap_row.h"

#include <algorithm>
#include <cmath>

#include "kinematics/wrap.h"
#include "math/elimination.h"
#include "model/view/wrap_types.h"
#include "simd/functions.h"

namespace sinew::inline kinematics {
namespace {

using Vector = Vec3<mjtNum>;

constexpr int kUnknowns = 4;  // of an obstacle
constexpr int kMostUnknowns = kUnknowns * kMostGeomsInRow;
constexpr int kFewestPieces = 4, kMostPieces = 128;  // of a geodesic

Vector Scaled(const Vector& scale, const Vector& v) { return {scale.x * v.x, scale.y * v.y, scale.z * v.z}; }

// ---- geodesics

// A point on the surface with the frame of a curve there; in the frame of the obstacle.
struct CurvePose {
  Vector x, t, N, B;
};

CurvePose PoseAt(const Vector& D, const Vector& place, const Vector& direction) {
  CurvePose pose;
  pose.x = place * (1 / std::sqrt(std::max(Dot(place, Scaled(D, place)), kMinVal)));
  if (D.z == 0) pose.x.z = place.z;
  pose.N = Normalized(Scaled(D, pose.x));
  pose.t = Normalized(direction - pose.N * Dot(pose.N, direction));
  pose.B = Cross(pose.N, pose.t);
  return pose;
}

struct Geodesic {
  CurvePose P, Q;
  mjtNum length;
  int pieces;
  mjtNum share[kMostPieces];  // of the length: pieces are shorter where the surface is bent more
  mjtNum r, a, r_dot, a_dot;  // Jacobi's fields at Q
};

// The rates of place, direction and both fields along a geodesic.
struct GeodesicState {
  Vector x, t;
  mjtNum r, a, r_dot, a_dot;
};

GeodesicState RatesOf(const Vector& D, const GeodesicState& y) {
  const Vector g = Scaled(D, y.x);
  const mjtNum g2 = Dot(g, g), bend = Dot(y.t, Scaled(D, y.t)) / g2;
  const mjtNum K = D.x * D.y * D.z / (g2 * g2);
  return {y.t, g * -bend, y.r_dot, y.a_dot, -K * y.r, -K * y.a};
}

GeodesicState Moved(const GeodesicState& y, const GeodesicState& f, mjtNum h) {
  return {y.x + f.x * h, y.t + f.t * h, y.r + h * f.r, y.a + h * f.a, y.r_dot + h * f.r_dot, y.a_dot + h * f.a_dot};
}

// The end of a geodesic, by the classic Runge-Kutta method; each piece ends on the surface.
void Shoot(const Vector& D, Geodesic& geodesic) {
  GeodesicState y = {geodesic.P.x, geodesic.P.t, 1, 0, 0, 1};
  CurvePose pose = geodesic.P;
  for (int k = 0; k < geodesic.pieces; ++k) {
    const mjtNum h = geodesic.length * geodesic.share[k];
    const GeodesicState f1 = RatesOf(D, y), f2 = RatesOf(D, Moved(y, f1, h / 2)), f3 = RatesOf(D, Moved(y, f2, h / 2));
    const GeodesicState f4 = RatesOf(D, Moved(y, f3, h));
    y = Moved(Moved(Moved(Moved(y, f1, h / 6), f2, h / 3), f3, h / 3), f4, h / 6);
    pose = PoseAt(D, y.x, y.t);
    y.x = pose.x;
    y.t = pose.t;
  }
  geodesic.Q = pose;
  geodesic.r = y.r, geodesic.a = y.a, geodesic.r_dot = y.r_dot, geodesic.a_dot = y.a_dot;
}

// ---- the path

class RowSolver {
 public:
  RowSolver(const Obstacle* obstacles, int count, const Vector& p0, const Vector& p1)
      : obstacles_(obstacles), count_(count), p0_(p0), p1_(p1) {}

  // The joint equations of a row may have a bad beginning: then each obstacle is solved alone, with its neighbours
  // where they were found last, which makes the path shorter every time.
  PathQuality Solve() {
    if (!SolveFrom(/*alone=*/false) && (count_ == 1 || !SolveFrom(/*alone=*/true))) return PathQuality::kUnsolved;
    return Slips() ? PathQuality::kSlipping : PathQuality::kShortest;
  }

  ObstaclePath PathOf(int i) const {
    if (!touches_[i]) return {};
    return {true, World(i, g_[i].P.x), World(i, g_[i].Q.x), g_[i].length};
  }

 private:
  // Which obstacles are touched depends on the path around the others: they are looked at in turns.
  bool SolveFrom(bool alone) {
    constexpr int kTurns = 6, kBeginnings = 3, kBeginningsAlone = 12;
    std::fill_n(touches_, count_, false);
    const int beginnings = alone ? kBeginningsAlone : count_ > 1 ? kBeginnings : 1;
    for (int k = 0; k < beginnings; ++k) {
      for (int i = 0; i < count_; ++i) {
        if (!Begin(i) || !alone) continue;
        std::fill_n(moves_, count_, false);
        moves_[i] = true;
        Newton();
        if (g_[i].length <= 0) touches_[i] = false;
      }
    }
    bool solved = true;
    for (int turn = 0; turn < kTurns; ++turn) {
      bool changed = turn == 0;
      for (int i = 0; i < count_; ++i) changed |= !touches_[i] && Begin(i);
      if (!changed) break;
      std::copy_n(touches_, count_, moves_);
      solved = Newton();
      for (int i = 0; i < count_; ++i) {
        if (touches_[i] && g_[i].length <= 0) touches_[i] = false;
      }
    }
    return solved;
  }

  // Neighbouring paths from the same start, turned a little to the side, lie beside this one at the distance y:
  // straight pieces move it on by y', geodesics by Jacobi's fields. Where they have met it before the end, it is not
  // the shortest. A tenth of a thousandth of a straight line's distance is left for rounding and for obstacles that are
  // just touched.
  bool Slips() const {
    constexpr mjtNum kLeast = 1e-4;
    mjtNum y = 0, rate = 1, straight = 0;
    Vector last = p0_;
    const auto move_on = [&](const Vector& next) {
      const mjtNum length = Norm(next - last);
      y += rate * length;
      straight += length;
      last = next;
      return y > kLeast * straight;
    };
    for (int i = 0; i < count_; ++i) {
      if (!touches_[i]) continue;
      const Geodesic& g = g_[i];
      if (!move_on(World(i, g.P.x))) return true;
      const mjtNum before = y;
      y = g.r * before + g.a * rate;
      rate = g.r_dot * before + g.a_dot * rate;
      last = World(i, g.Q.x);
      if (y <= 0) return true;
    }
    return straight > 0 && Norm(p1_ - last) > 0 && !move_on(p1_);
  }

  // ---- between frames

  Vector World(int i, const Vector& local) const { return obstacles_[i].center + obstacles_[i].R * local; }
  Vector Local(int i, const Vector& world) const {
    return MulTransposed(obstacles_[i].R, world - obstacles_[i].center);
  }
  int Neighbour(int i, int step) const {
    int k = i + step;
    while (k >= 0 && k < count_ && !touches_[k]) k += step;
    return k;
  }
  // The end of the straight piece before or behind an obstacle, on the neighbour that is touched.
  Vector Before(int i) const {
    const int k = Neighbour(i, -1);
    return k < 0 ? p0_ : World(k, g_[k].Q.x);
  }
  Vector Behind(int i) const {
    const int k = Neighbour(i, 1);
    return k == count_ ? p1_ : World(k, g_[k].P.x);
  }

  // ---- the beginning

  // Looks whether the way between the neighbours must go around an obstacle, and begins there.
  bool Begin(int i) {
    const Obstacle& obstacle = obstacles_[i];
    const bool cylinder = obstacle.D.z == 0;
    const Vector scale = {std::sqrt(obstacle.D.x), std::sqrt(obstacle.D.y),
                          std::sqrt(cylinder ? obstacle.D.x : obstacle.D.z)};
    const Vector from = Scaled(scale, Local(i, Before(i))), to = Scaled(scale, Local(i, Behind(i)));
    // only the direction of the side counts
    Vector side = Scaled(scale, Local(i, obstacle.side));
    side = side * (2 / std::max(Norm(side), kMinVal));
    const CirclePath path = cylinder            ? AroundCylinder(from, to, obstacle.has_side ? &side : nullptr)
                            : obstacle.has_side ? OnSideOfSphere(from, to, side)
                                                : AroundSphere(from, to);
    touches_[i] = path.touches;
    if (path.touches) MapBack(i, scale, from, path);
    return path.touches;
  }

  // A path around the sphere (or cylinder) of radius 1, which follows a circle.
  struct CirclePath {
    bool touches;
    Vector arrive, center;
    mjtNum radius, length;
  };

  static CirclePath AroundCylinder(const Vector& from, const Vector& to, const Vector* side) {
    const WrapPath path = WrapAround(WrapShape::kCylinder, 1, from, to, side);
    return {path.touches, path.arrive, Zero3<mjtNum>(), 1, path.length};
  }
  static CirclePath AroundSphere(const Vector& from, const Vector& to) {
    const WrapPath path = WrapAround(WrapShape::kSphere, 1, from, to, nullptr);
    return {path.touches, path.arrive, Zero3<mjtNum>(), 1, path.length};
  }

  // In the plane of the line and the side: that of the centre turns over when the line comes near it.
  static CirclePath OnSideOfSphere(const Vector& from, const Vector& to, const Vector& side) {
    const Vector e1 = Normalized(to - from), across = side - e1 * Dot(side, e1);
    if (Norm(across) < kMinVal) return AroundSphere(from, to);
    const Vector e2 = Normalized(across), normal = Cross(e1, e2);
    const mjtNum distance = Dot(normal, from), radius = std::sqrt(std::max(0.0, 1 - distance * distance));
    if (radius < kMinVal) return {};
    const Vector upwards = {0, 2, 0};
    const auto in_plane = [&](const Vector& p) { return Vector{Dot(p, e1), Dot(p, e2), 0}; };
    const WrapPath path = WrapAround(WrapShape::kCylinder, radius, in_plane(from), in_plane(to), &upwards);
    const Vector center = normal * distance;
    return {path.touches, center + e1 * path.arrive.x + e2 * path.arrive.y, center, radius, path.length};
  }

  // Maps that path back to the obstacle.
  void MapBack(int i, const Vector& scale, const Vector& from, const CirclePath& path) {
    constexpr mjtNum kAngle = 0.04;  // of a piece: angle^5 / 120 of each add up to 1e-8 of the radius
    const Vector& D = obstacles_[i].D;
    const Vector inverse = {1 / scale.x, 1 / scale.y, 1 / scale.z};
    const Vector direction = Normalized(path.arrive - from);
    const Vector outwards = (path.arrive - path.center) * (1 / path.radius);
    Geodesic& g = g_[i];
    g.P = PoseAt(D, Scaled(inverse, path.arrive), Scaled(inverse, direction));
    g.pieces = std::clamp(static_cast<int>(std::ceil(path.length / path.radius / kAngle)), kFewestPieces, kMostPieces);
    g.length = 0;
    for (int k = 0; k < g.pieces; ++k) {
      // the middle of each piece: its image is as long as that of its direction there
      const mjtNum angle = path.length / path.radius * (k + 0.5) / g.pieces;
      const Vector along = D.z == 0 ? direction : direction * Cos(angle) - outwards * Sin(angle);
      g.share[k] = Norm(Scaled(inverse, along)) * path.length / g.pieces;
      g.length += g.share[k];
    }
    for (int k = 0; k < g.pieces; ++k) g.share[k] /= g.length;
    Shoot(D, g);
  }

  // ---- equations (1)

  mjtNum Errors(mjtNum* errors) const {
    mjtNum sum = 0;
    int row = 0;
    for (int i = 0; i < count_; ++i) {
      if (!moves_[i]) continue;
      const Geodesic& g = g_[i];
      const Vector in = MulTransposed(obstacles_[i].R, Normalized(World(i, g.P.x) - Before(i)));
      const Vector out = MulTransposed(obstacles_[i].R, Normalized(Behind(i) - World(i, g.Q.x)));
      for (const mjtNum e : {Dot(in, g.P.N), Dot(in, g.P.B), Dot(out, g.Q.N), Dot(out, g.Q.B)}) {
        errors[row++] = e;
        sum += e * e;
      }
    }
    return sum;
  }

  // Motion of an end of a geodesic for each of its unknowns: of the point, and of its normal and binormal. World frame.
  struct EndMotion {
    Vector x[kUnknowns], N[kUnknowns], B[kUnknowns];
  };
  EndMotion MotionOf(int i, bool at_end) const {
    const Geodesic& g = g_[i];
    const CurvePose& pose = at_end ? g.Q : g.P;
    const Vector& D = obstacles_[i].D;
    // (2): along t, along B, and the turn, for s, b, w, l
    const mjtNum along[] = {1, 0, 0, at_end ? 1.0 : 0.0};
    const mjtNum across[] = {0, at_end ? g.r : 1, at_end ? g.a : 0, 0};
    const mjtNum turn[] = {0, at_end ? g.r_dot : 0, at_end ? g.a_dot : 1, 0};
    const mjtNum steepness = Norm(Scaled(D, pose.x));
    EndMotion motion;
    for (int k = 0; k < kUnknowns; ++k) {
      const Vector dx = pose.t * along[k] + pose.B * across[k];
      const Vector Ddx = Scaled(D, dx);
      const Vector dN = (Ddx - pose.N * Dot(pose.N, Ddx)) * (1 / steepness);
      const Vector dB = pose.N * -Dot(dN, pose.B) - pose.t * turn[k];
      motion.x[k] = obstacles_[i].R * dx;
      motion.N[k] = obstacles_[i].R * dN;
      motion.B[k] = obstacles_[i].R * dB;
    }
    return motion;
  }

  // Fills the two rows of one end, and the columns of its own and its neighbour's unknowns. `column` -1: none.
  void FillRows(int i, bool at_end, int row, int own, int neighbour, int other, int n, mjtNum* J) const {
    const Geodesic& g = g_[i];
    const CurvePose& pose = at_end ? g.Q : g.P;
    const Vector here = World(i, pose.x), there = at_end ? Behind(i) : Before(i);
    const Vector way = at_end ? there - here : here - there;
    const mjtNum length = std::max(Norm(way), kMinVal), sign = at_end ? -1 : 1;
    const Vector e = way * (1 / length), N = obstacles_[i].R * pose.N, B = obstacles_[i].R * pose.B;
    const auto turned = [&](const Vector& dx) { return (dx - e * Dot(e, dx)) * (1 / length); };
    const EndMotion motion = MotionOf(i, at_end);
    for (int k = 0; k < kUnknowns; ++k) {
      const Vector de = turned(motion.x[k]) * sign;
      J[row * n + own + k] += Dot(de, N) + Dot(e, motion.N[k]);
      J[(row + 1) * n + own + k] += Dot(de, B) + Dot(e, motion.B[k]);
    }
    if (other < 0) return;
    const EndMotion far = MotionOf(neighbour, !at_end);
    for (int k = 0; k < kUnknowns; ++k) {
      const Vector de = turned(far.x[k]) * -sign;
      J[row * n + other + k] += Dot(de, N);
      J[(row + 1) * n + other + k] += Dot(de, B);
    }
  }

  // ---- Newton's method

  // The step that solves the linear equations; n: their number, 0 when they cannot be solved.
  int NewtonStep(const mjtNum* errors, mjtNum* step) const {
    int column[kMostGeomsInRow], n = 0;
    for (int i = 0; i < count_; ++i) {
      column[i] = moves_[i] ? n : -1;
      n += moves_[i] ? kUnknowns : 0;
    }
    mjtNum J[kMostUnknowns * kMostUnknowns] = {};
    for (int i = 0; i < count_; ++i) {
      if (!moves_[i]) continue;
      const int before = Neighbour(i, -1), behind = Neighbour(i, 1);
      FillRows(i, false, column[i], column[i], before, before < 0 ? -1 : column[before], n, J);
      FillRows(i, true, column[i] + 2, column[i], behind, behind == count_ ? -1 : column[behind], n, J);
    }
    for (int k = 0; k < n; ++k) step[k] = -errors[k];
    return SolveByElimination(n, J, /*sides=*/1, step, kMinVal) ? n : 0;
  }

  // Moves all geodesics from `start` by a part of a step.
  void MoveFrom(const Geodesic* start, const mjtNum* step, mjtNum part) {
    int k = 0;
    for (int i = 0; i < count_; ++i) {
      if (!moves_[i]) continue;
      const mjtNum s = part * step[k], b = part * step[k + 1], w = part * step[k + 2], l = part * step[k + 3];
      k += kUnknowns;
      const CurvePose& P = start[i].P;
      g_[i] = start[i];
      g_[i].P = PoseAt(obstacles_[i].D, P.x + P.t * s + P.B * b, P.t + P.B * w);
      g_[i].length = start[i].length + l;
      Shoot(obstacles_[i].D, g_[i]);
    }
  }

  // Moves all obstacles that move. Steps are halved until they help. A path that does not improve is left as it is,
  // nearly the shortest; returns whether (1) holds.
  bool Newton() {
    constexpr int kIterations = 20, kHalvings = 8;
    constexpr mjtNum kTolerance = 1e-13, kGood = 1e-9;
    mjtNum errors[kMostUnknowns], step[kMostUnknowns], trial[kMostUnknowns];
    mjtNum size = Errors(errors);
    for (int k = 0; k < kIterations && size > kTolerance * kTolerance; ++k) {
      const int n = NewtonStep(errors, step);
      if (n == 0) return false;
      Geodesic start[kMostGeomsInRow];
      std::copy_n(g_, count_, start);
      mjtNum part = 1, found = size;
      for (int halving = 0; halving < kHalvings; ++halving, part /= 2) {
        MoveFrom(start, step, part);
        found = Errors(trial);
        if (found < size) break;
      }
      if (!(found < size)) {
        std::copy_n(start, count_, g_);
        break;
      }
      size = found;
      std::copy_n(trial, n, errors);
    }
    return size < kGood * kGood;
  }

  const Obstacle* obstacles_;
  int count_;
  Vector p0_, p1_;
  bool touches_[kMostGeomsInRow] = {}, moves_[kMostGeomsInRow] = {};
  Geodesic g_[kMostGeomsInRow] = {};
};

}  // namespace

PathQuality WrapAroundRow(const Obstacle* obstacles, int count, const Vec3<mjtNum>& p0, const Vec3<mjtNum>& p1,
                          ObstaclePath* paths) {
  RowSolver solver(obstacles, count, p0, p1);
  const PathQuality quality = solver.Solve();
  for (int i = 0; i < count; ++i) paths[i] = solver.PathOf(i);
  return quality;
}

}  // namespace sinew::inline kinematics
