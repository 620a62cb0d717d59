#include "force/muscle_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/real_text.h"
#include "force/muscle_curve_kernel.h"
#include "math/monotone_root.h"
#include "simd/functions.h"

namespace sinew::inline force {
namespace {

// ---- tables

struct Node {
  double x, value, slope, curvature;
};

// Of Geyer and Herr's bell, in optimal lengths.
constexpr double kGeyerWidth = 0.56;

// Fills the block of a curve, segment by segment from left to right.
class CurveBuilder {
 public:
  CurveBuilder(MuscleCurve curve, double* numbers) : numbers_(numbers + curve * kCurveNumbers) {
    std::fill_n(numbers_, kCurveNumbers, 0.0);
    std::fill_n(numbers_, kCurveSegments, std::numeric_limits<double>::infinity());
  }

  // The straight line on the left: of the first piece.
  void Begin(double x, double value, double slope) {
    Segment(-std::numeric_limits<double>::infinity(), x, 1);
    Piece({value, slope});
  }
  // The straight line on the right: of the last piece, and of those that are left, which rounding may lead to.
  void End(double x, double value, double slope) {
    while (pieces_ < kCurvePieces - 1) Piece({value, slope});
    Segment(x, x, 1);
    Piece({value, slope});
  }

  // A function (x -> Node) between two places, in equal pieces that share value, slope and curvature with it at both
  // ends.
  template <class Function>
  void Spline(Function function, double from, double to, int pieces) {
    Segment(from, from, pieces / (to - from));
    const double h = (to - from) / pieces;
    Node left = function(from);
    for (int i = 1; i <= pieces; ++i) {
      const Node right = function(i == pieces ? to : from + i * h);
      Hermite(left, right, h);
      left = right;
    }
  }

 private:
  // `origin` is where the next piece begins.
  void Segment(double start, double origin, double density) {
    if (segments_ >= kCurveSegments) throw Error("a muscle curve has too many segments");
    numbers_[segments_] = start;
    numbers_[kCurveMaps + 2 * segments_] = density;
    numbers_[kCurveMaps + 2 * segments_ + 1] = pieces_ - density * origin;
    ++segments_;
  }

  // The quintic polynomial of t = (x - x0) / h.
  void Hermite(const Node& a, const Node& b, double h) {
    const double s0 = a.slope * h, s1 = b.slope * h, c0 = a.curvature * h * h, c1 = b.curvature * h * h;
    const double rise = b.value - a.value - s0 - 0.5 * c0, turn = s1 - s0 - c0, bend = c1 - c0;
    Piece({a.value, s0, 0.5 * c0, 10 * rise - 4 * turn + 0.5 * bend, 7 * turn - 15 * rise - bend,
           6 * rise - 3 * turn + 0.5 * bend});
  }

  void Piece(const std::array<double, kCurvePieceNumbers>& coefficients) {
    if (pieces_ >= kCurvePieces) throw Error("a muscle curve has too many pieces");
    std::copy(coefficients.begin(), coefficients.end(), numbers_ + kCurveCoefficients + kCurvePieceNumbers * pieces_++);
  }

  double* numbers_;
  int segments_ = 0, pieces_ = 0;
};

// ---- Millard's corners

// A place on a curve with its tangent.
struct Knot {
  double x, y, slope;
};

// Power series in u of one coordinate of the quintic Bezier curve with control points p0, pa, pa, pb, pb, p1.
struct Quintic {
  double c[6];

  Quintic(double p0, double pa, double pb, double p1)
      : c{p0, 5 * (pa - p0), 10 * (p0 - pa), 10 * (pb - p0), 5 * (p0 + 2 * pa - 3 * pb), p1 - p0 + 5 * (pb - pa)} {}
  double Value(double u) const { return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5])))); }
  double Slope(double u) const { return c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5]))); }
  double Curvature(double u) const { return 2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5])); }
};

// The corner between two knots: the Bezier curve whose inner control points lie on the tangents, the closer to where
// they meet the larger the curviness.
class Corner {
 public:
  Corner(const Knot& a, const Knot& b, double curviness) : Corner(a, b, 0.1 + 0.8 * curviness, Meet(a, b, curviness)) {}

  Node operator()(double x) const {
    const double u = Parameter(x), dx = X_.Slope(u), dy = Y_.Slope(u);
    return {x, Y_.Value(u), dy / dx, (Y_.Curvature(u) * dx - dy * X_.Curvature(u)) / (dx * dx * dx)};
  }

 private:
  // `meet`: where the tangents do.
  Corner(const Knot& a, const Knot& b, double c, double meet)
      : X_(a.x, a.x + c * (meet - a.x), b.x + c * (meet - b.x), b.x),
        Y_(a.y, a.y + c * a.slope * (meet - a.x), b.y + c * b.slope * (meet - b.x), b.y) {}

  static double Meet(const Knot& a, const Knot& b, double curviness) {
    const double x = (b.y - a.y - b.x * b.slope + a.x * a.slope) / (a.slope - b.slope);
    if (!(curviness >= 0 && curviness <= 1)) throw Error("curviness is not between 0 and 1", "choose it in between");
    if (!(a.x < x && x < b.x)) {
      throw Error("tangents of a muscle curve do not meet between " + TextOfReal(a.x) + " and " + TextOfReal(b.x),
                  "check order and slopes of the curve's parameters");
    }
    return x;
  }

  // u of X(u) = x; X grows.
  double Parameter(double x) const {
    const auto residual = [&](double u) -> CurvePoint<double> { return {X_.Value(u) - x, X_.Slope(u)}; };
    return MonotoneRoot<double>(residual, 0, 1, 0.5, /*tolerance=*/0);
  }

  Quintic X_, Y_;
};

// Corners between straight lines, each in as many pieces as its bend needs for errors below 4e-9.
template <size_t N>
void PutCorners(const std::array<Knot, N>& knots, const std::array<double, N - 1>& curviness,
                const std::array<int, N - 1>& pieces, MuscleCurve curve, double* numbers) {
  CurveBuilder builder(curve, numbers);
  builder.Begin(knots[0].x, knots[0].y, knots[0].slope);
  for (size_t i = 0; i + 1 < N; ++i) {
    builder.Spline(Corner(knots[i], knots[i + 1], curviness[i]), knots[i].x, knots[i + 1].x, pieces[i]);
  }
  builder.End(knots[N - 1].x, knots[N - 1].y, knots[N - 1].slope);
}

void PutActive(const std::array<double, 5>& p, double* numbers) {
  const double x0 = p[0], x1 = p[1], x3 = p[2], slope = p[3], low = p[4], y1 = 1 - slope * (0.95 - x1);
  PutCorners<6>({{{x0, low, 0},
                  {(x0 + x1) / 2, y1 / 2, 1.25 * y1 / (x1 - x0)},
                  {(x1 + 0.95) / 2, (1 + y1) / 2, slope},
                  {1, 1, 0},
                  {(1.05 + x3) / 2, 0.5, -1 / (x3 - 1.1)},
                  {x3, low, 0}}},
                {1, 1, 1, 1, 1}, {64, 64, 64, 64, 256}, kActiveLength, numbers);
}

void PutVelocity(const std::array<double, 8>& p, double* numbers) {
  const auto [mC, mNC, mI, mE, mNE, fE, shortening, lengthening] = p;
  PutCorners<5>(
      {{{-1, 0, mC}, {-0.9, 0.05 * (mNC + mC), mNC}, {0, 1, mI}, {0.9, fE - 0.05 * (mNE + mE), mNE}, {1, fE, mE}}},
      {shortening, shortening, lengthening, lengthening}, {32, 128, 320, 32}, kForceVelocity, numbers);
}

void PutPassive(const std::array<double, 5>& p, double* numbers) {
  const double e0 = p[0], e1 = p[1], toe = p[2], stiffness = p[3] > 0 ? p[3] : 2 / (e1 - e0);
  const double width = 0.1 * std::min(1 / stiffness, e1 - e0);
  PutCorners<3>({{{1 + e0, 0, 0}, {1 + e0 + width, toe * width / 2, toe}, {1 + e1, 1, stiffness}}}, {p[4], p[4]},
                {256, 256}, kPassiveLength, numbers);
}

void PutTendon(const std::array<double, 4>& p, double* numbers) {
  const double e = p[0], k = p[1] > 0 ? p[1] : 1.375 / e, toe = p[2];
  const double end = 1 + e - (1 - toe) / k, foot = 1 + (end - 1) / 10, middle = 1 + e - (1 - toe / 2) / k;
  PutCorners<3>({{{1, 0, 0}, {(foot + middle) / 2, toe / 4, toe / 2 / (middle - foot)}, {end, toe, k}}}, {p[3], p[3]},
                {256, 256}, kTendonForce, numbers);
}

// ---- Hyfydy's polynomials

// One piece of fifth order holds a polynomial of third.
void PutHyfydyActive(double* numbers) {
  const auto f = [](double l) {
    const double x = l - 1;
    return Node{l, 1 + x * x * (1.5 * x - 2.75), x * (4.5 * x - 5.5), 9 * x - 5.5};
  };
  CurveBuilder builder(kActiveLength, numbers);
  builder.Begin(0.46899, 0, 0);
  builder.Spline(f, 0.46899, 1.80528, 1);
  builder.End(1.80528, 0, 0);
}

void PutHyfydyVelocity(double* numbers) {
  const auto shorten = [](double v) {
    const double q = 0.227 - v;
    return Node{v, 0.227 * (v + 1) / q, 0.227 * 1.227 / (q * q), 2 * 0.227 * 1.227 / (q * q * q)};
  };
  const auto lengthen = [](double v) {
    const double q = 0.11 + v;
    return Node{v, (1.6 * v + 0.11) / q, 0.066 / (q * q), -0.132 / (q * q * q)};
  };
  // pieces are short where the hyperbola of lengthening bends, near rest
  constexpr double kNear = 0.5, kFastest = 2;
  CurveBuilder builder(kForceVelocity, numbers);
  builder.Begin(-1, 0, 0);
  builder.Spline(shorten, -1, 0, 128);
  builder.Spline(lengthen, 0, kNear, 128);
  builder.Spline(lengthen, kNear, kFastest, 128);
  const Node end = lengthen(kFastest);
  builder.End(end.x, end.value, end.slope);
}

void PutHyfydyPassive(double* numbers) {
  const auto f = [](double l) {
    const double x = l - 1;
    return Node{l, x * x * (1.08027 * x + 1.27368), x * (3.24081 * x + 2.54736), 6.48162 * x + 2.54736};
  };
  CurveBuilder builder(kPassiveLength, numbers);
  builder.Begin(1, 0, 0);
  builder.Spline(f, 1, 3, 1);
  builder.End(3, f(3).value, f(3).slope);
}

void PutHyfydyTendon(double* numbers) {
  const auto f = [](double l) {
    const double e = l - 1;
    return Node{l, e * (260.972 * e + 7.9706), 521.944 * e + 7.9706, 521.944};
  };
  CurveBuilder builder(kTendonForce, numbers);
  builder.Begin(1, 0, 0);
  builder.Spline(f, 1, 1.3, 1);
  builder.End(1.3, f(1.3).value, f(1.3).slope);
}

// ---- De Groote and Fregly's transcendental functions, by simd/functions.h: the C library's may have other last bits
// on another processor

Node DeGrooteActive(double l) {
  constexpr double b[3][4] = {{0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465},
                              {0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188},
                              {0.1, 1, 0.353553390593274, 0}};
  Node node = {l, 0, 0, 0};
  for (const auto& [height, centre, width, skew] : b) {
    // a Gaussian in z = (l - centre) / q
    const double q = width + skew * l, z = (l - centre) / q, dz = (width + skew * centre) / (q * q);
    const double ddz = -2 * skew * dz / q, g = height * Exp(-z * z / 2);
    node.value += g;
    node.slope -= g * z * dz;
    node.curvature += g * (z * z * dz * dz - dz * dz - z * ddz);
  }
  return node;
}

Node DeGrooteVelocity(double v) {
  constexpr double d1 = -0.3211346127989808, d2 = -8.149, d3 = -0.374, d4 = 0.8825327733249912;
  const double z = d2 * v + d3, root = std::sqrt(1 + z * z);
  const double area_sine = CopySign(Log(Abs(z) + root), z);
  return {v, d1 * area_sine + d4, d1 * d2 / root, -d1 * d2 * d2 * z / (root * root * root)};
}

Node DeGrootePassive(double l) {
  constexpr double rate = 4 / 0.6;
  const double lowest = Exp(-3.2 / 0.6), scale = 1 / (Exp(4.0) - lowest), e = Exp(rate * (l - 1));
  return {l, scale * (e - lowest), scale * rate * e, scale * rate * rate * e};
}

Node DeGrooteTendon(double l) {
  const double rate = Log(6.0) / 0.049, e = 0.2 * Exp(rate * (l - 1));
  return {l, e - 0.2, rate * e, rate * rate * e};
}

// Beyond the intervals forces go on straight, but for the active and passive ones below and the active one above, which
// keep their values; a slack tendon does not push.
void BuildDeGroote(double* numbers) {
  constexpr int kPieces = 256;
  CurveBuilder active(kActiveLength, numbers);
  active.Begin(0.2, DeGrooteActive(0.2).value, 0);
  active.Spline(DeGrooteActive, 0.2, 2.2, kPieces);
  active.End(2.2, DeGrooteActive(2.2).value, 0);

  CurveBuilder velocity(kForceVelocity, numbers);
  const Node slow = DeGrooteVelocity(-2), fast = DeGrooteVelocity(2);
  velocity.Begin(slow.x, slow.value, slow.slope);
  velocity.Spline(DeGrooteVelocity, -2, 2, kPieces);
  velocity.End(fast.x, fast.value, fast.slope);

  CurveBuilder passive(kPassiveLength, numbers);
  const Node longest = DeGrootePassive(2);
  passive.Begin(0.2, 0, 0);
  passive.Spline(DeGrootePassive, 0.2, 2, kPieces);
  passive.End(longest.x, longest.value, longest.slope);

  CurveBuilder tendon(kTendonForce, numbers);
  const Node taut = DeGrooteTendon(1.15);
  tendon.Begin(1, 0, 0);
  tendon.Spline(DeGrooteTendon, 1, 1.15, kPieces);
  tendon.End(taut.x, taut.value, taut.slope);
}

// ---- Thelen's exponentials and hyperbolas

// A fibre is neither shorter nor longer than that, in optimal lengths: beyond, the active force keeps its value, and
// the passive one goes on straight.
constexpr double kThelenShortest = 0.01, kThelenLongest = 2.5;

void PutThelenActive(double width, double* numbers) {
  const auto f = [=](double l) {
    const double x = l - 1, e = Exp(-x * x / width);
    return Node{l, e, -2 * x / width * e, (4 * x * x / (width * width) - 2 / width) * e};
  };
  CurveBuilder builder(kActiveLength, numbers);
  builder.Begin(kThelenShortest, f(kThelenShortest).value, 0);
  builder.Spline(f, kThelenShortest, kThelenLongest, 500);
  builder.End(kThelenLongest, f(kThelenLongest).value, 0);
}

// Equations 6 and 7 of the paper, solved for the force; straight beyond the largest velocity of shortening, and from a
// share of the largest force on.
void PutThelenVelocity(const std::array<double, 3>& p, double* numbers) {
  const auto [Af, most, share] = p;
  const double K = (most - 1) / (2 + 2 / Af);
  const auto shorten = [Af = Af](double v) {
    const double q = 1 - v / Af, rise = 1 + 1 / Af;
    return Node{v, (1 + v) / q, rise / (q * q), 2 * rise / (Af * q * q * q)};
  };
  const auto lengthen = [K, most = most](double v) {
    const double q = v + K, rise = K * (most - 1);
    return Node{v, (v * most + K) / q, rise / (q * q), -2 * rise / (q * q * q)};
  };
  const double fastest = K * (share * most - 1) / (most - share * most), near = fastest / 20;
  CurveBuilder builder(kForceVelocity, numbers);
  builder.Begin(-1, 0, shorten(-1).slope);
  builder.Spline(shorten, -1, 0, 200);
  builder.Spline(lengthen, 0, near, 100);
  builder.Spline(lengthen, near, 5 * near, 100);
  builder.Spline(lengthen, 5 * near, fastest, 100);
  builder.End(fastest, lengthen(fastest).value, lengthen(fastest).slope);
}

void PutThelenPassive(const std::array<double, 2>& p, double* numbers) {
  const auto [strain, shape] = p;
  const double scale = 1 / (Exp(shape) - 1), rate = shape / strain;
  const auto f = [=](double l) {
    const double e = scale * Exp(rate * (l - 1));
    return Node{l, e - scale, rate * e, rate * rate * e};
  };
  const double end = std::min(kThelenLongest, 1 + 4 * strain);
  CurveBuilder builder(kPassiveLength, numbers);
  builder.Begin(1, 0, 0);
  builder.Spline(f, 1, end, 500);
  builder.End(end, f(end).value, f(end).slope);
}

// The toe is exponential up to a third of the peak force, where the straight part follows on it without a corner: the
// slopes there agree where the toe ends at 99 e^3 / (166 e^3 - 67) of the strain.
void PutThelenTendon(double strain, double* numbers) {
  constexpr double kToeForce = 0.33, kToeShape = 3;
  const double cube = Exp(kToeShape), toe = 99 * cube / (166 * cube - 67) * strain;
  const double scale = kToeForce / (cube - 1), rate = kToeShape / toe;
  const auto f = [=](double l) {
    const double e = scale * Exp(rate * (l - 1));
    return Node{l, e - scale, rate * e, rate * rate * e};
  };
  CurveBuilder builder(kTendonForce, numbers);
  builder.Begin(1, 0, 0);
  builder.Spline(f, 1, 1 + toe, 256);
  builder.End(1 + toe, kToeForce, (1 - kToeForce) / (strain - toe));
}

// ---- Geyer and Herr's curves

// A bell that is 0.05 at the lengths 1 - w and 1 + w; its third derivative jumps at the optimal length.
void PutGeyerActive(double* numbers) {
  constexpr double kShortest = 0.1, kLongest = 2.2;
  const auto f = [](double l) {
    const double c = Log(0.05) / (kGeyerWidth * kGeyerWidth * kGeyerWidth), x = l - 1, size = Abs(x);
    const double e = Exp(c * size * size * size), slope = 3 * c * x * size;
    return Node{l, e, slope * e, (slope * slope + 6 * c * size) * e};
  };
  CurveBuilder builder(kActiveLength, numbers);
  builder.Begin(kShortest, f(kShortest).value, 0);
  builder.Spline(f, kShortest, 1, 200);
  builder.Spline(f, 1, kLongest, 200);
  builder.End(kLongest, f(kLongest).value, 0);
}

// Hyperbolas; straight beyond the largest velocity of shortening, and beyond twice that of lengthening.
void PutGeyerVelocity(double* numbers) {
  constexpr double kShape = 5, kMost = 1.5, kLengthening = 7.56 * kShape, kNear = 0.05, kFar = 0.3, kFastest = 2;
  const auto shorten = [](double v) {
    const double q = 1 - kShape * v, rise = 1 + kShape;
    return Node{v, (1 + v) / q, rise / (q * q), 2 * kShape * rise / (q * q * q)};
  };
  const auto lengthen = [](double v) {
    const double q = 1 + kLengthening * v, rise = (kMost - 1) * (1 + kLengthening);
    return Node{v, kMost - (kMost - 1) * (1 - v) / q, rise / (q * q), -2 * kLengthening * rise / (q * q * q)};
  };
  CurveBuilder builder(kForceVelocity, numbers);
  builder.Begin(-1, 0, shorten(-1).slope);
  builder.Spline(shorten, -1, 0, 128);
  builder.Spline(lengthen, 0, kNear, 128);
  builder.Spline(lengthen, kNear, kFar, 128);
  builder.Spline(lengthen, kFar, kFastest, 120);
  const Node end = lengthen(kFastest);
  builder.End(end.x, end.value, end.slope);
}

// Parabolas: a spring of a fibre that is longer than optimal, and one, a buffer that pushes, of one shorter than 1 - w.
void PutGeyerPassive(double* numbers) {
  constexpr double kShortest = 0.1, kBuffer = 1 - kGeyerWidth, kLongest = 3;
  const auto spring = [](double l) {
    const double k = 1 / (kGeyerWidth * kGeyerWidth), x = l - 1;
    return Node{l, k * x * x, 2 * k * x, 2 * k};
  };
  const auto buffer = [](double l) {
    const double k = 4 / (kGeyerWidth * kGeyerWidth), x = l - kBuffer;
    return Node{l, -k * x * x, -2 * k * x, -2 * k};
  };
  CurveBuilder builder(kPassiveLength, numbers);
  builder.Begin(kShortest, buffer(kShortest).value, buffer(kShortest).slope);
  builder.Spline(buffer, kShortest, kBuffer, 1);
  builder.Spline([](double l) { return Node{l, 0, 0, 0}; }, kBuffer, 1, 1);
  builder.Spline(spring, 1, kLongest, 1);
  builder.End(kLongest, spring(kLongest).value, spring(kLongest).slope);
}

void PutGeyerTendon(double* numbers) {
  constexpr double kStrain = 0.04, kEnd = 1.3;
  const auto f = [](double l) {
    const double k = 1 / (kStrain * kStrain), e = l - 1;
    return Node{l, k * e * e, 2 * k * e, 2 * k};
  };
  CurveBuilder builder(kTendonForce, numbers);
  builder.Begin(1, 0, 0);
  builder.Spline(f, 1, kEnd, 1);
  builder.End(kEnd, f(kEnd).value, f(kEnd).slope);
}

void BuildGeyer(double* numbers) {
  PutGeyerActive(numbers);
  PutGeyerVelocity(numbers);
  PutGeyerPassive(numbers);
  PutGeyerTendon(numbers);
}

void BuildHyfydy(double* numbers) {
  PutHyfydyActive(numbers);
  PutHyfydyVelocity(numbers);
  PutHyfydyPassive(numbers);
  PutHyfydyTendon(numbers);
}

struct Published {
  double millard[kCurveSetNumbers], undamped[kCurveSetNumbers], hyfydy[kCurveSetNumbers], degroote[kCurveSetNumbers],
      thelen[kCurveSetNumbers], geyer[kCurveSetNumbers];

  Published() {
    BuildMillardCurves({}, millard);
    BuildMillardCurves(UndampedShapes(), undamped);
    BuildHyfydy(hyfydy);
    BuildDeGroote(degroote);
    BuildThelenCurves({}, thelen);
    BuildGeyer(geyer);
  }
};

}  // namespace

CurveShapes UndampedShapes() {
  CurveShapes shapes;
  shapes.active[4] = 0.1;
  shapes.velocity[0] = shapes.velocity[1] / 2;
  shapes.velocity[3] = shapes.velocity[4] / 2;
  return shapes;
}

void BuildMillardCurves(const CurveShapes& shapes, double* numbers) {
  PutActive(shapes.active, numbers);
  PutVelocity(shapes.velocity, numbers);
  PutPassive(shapes.passive, numbers);
  PutTendon(shapes.tendon, numbers);
}

void BuildThelenCurves(const ThelenShapes& shapes, double* numbers) {
  const auto positive = [](const auto& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return x > 0 && x < 100; });
  };
  const auto [shape, most, share] = shapes.velocity;
  if (!positive(shapes.active) || !positive(shapes.velocity) || !positive(shapes.passive) || !positive(shapes.tendon)) {
    throw Error("a number of a curve of Thelen's is not between 0 and 100", "choose it in between");
  }
  if (!(most > 1 && share < 1 && share * most > 1)) {
    throw Error("the curve of Thelen's for velocities does not rise",
                "choose a largest force above 1, and a share of it below 1 that is still above the force at rest");
  }
  PutThelenActive(shapes.active[0], numbers);
  PutThelenVelocity(shapes.velocity, numbers);
  PutThelenPassive(shapes.passive, numbers);
  PutThelenTendon(shapes.tendon[0], numbers);
}

const double* PublishedCurves(CurveSet set, bool damped) {
  static const Published published;
  switch (set) {
    case CurveSet::kHyfydy:
      return published.hyfydy;
    case CurveSet::kDeGroote:
      return published.degroote;
    case CurveSet::kThelen:
      return published.thelen;
    case CurveSet::kGeyer:
      return published.geyer;
    default:
      return damped ? published.millard : published.undamped;
  }
}

// Whole pieces, and parts of the first and last, one after the other: three points of Gauss are exact for their
// polynomials of fifth degree.
double IntegrateCurve(const double* curve, double from, double to) {
  if (to < from) return -IntegrateCurve(curve, to, from);
  constexpr double kPlace = 0.77459666924148337704, kOuter = 5.0 / 18, kInner = 8.0 / 18;
  constexpr int kMost = 2 * (kCurvePieces + kCurveSegments);  // of steps, whatever the numbers are
  double sum = 0, x = from;
  for (int step = 0; step < kMost && x < to; ++step) {
    const CurvePiece<double> piece = FindCurvePiece(curve, x);
    double end = to;
    for (int k = 1; k < kCurveSegments && curve[k] <= kLastSegment; ++k) {
      if (curve[k] > x) end = std::min(end, curve[k]);
    }
    if (piece.t < 1 && piece.density > 0) end = std::min(end, x + (1 - piece.t) / piece.density);
    end = std::max(end, std::nextafter(x, to));
    const double width = end - x;
    const auto value = [&](double share) {
      const double t = piece.t + share * width * piece.density;
      double v = 0;
      for (int k = kCurvePieceNumbers; k-- > 0;) v = v * t + piece.c[k];
      return v;
    };
    sum += width * (kInner * value(0.5) + kOuter * (value(0.5 - 0.5 * kPlace) + value(0.5 + 0.5 * kPlace)));
    x = end;
  }
  return sum;
}

}  // namespace sinew::inline force
