#include "force/muscle_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "force/muscle_curve_kernel.h"

namespace sinew {
namespace {

// ---- tables

struct Node {
  double x, value, slope, curvature;
};

void Put(const std::vector<Node>& nodes, MuscleCurve curve, double* numbers) {
  double* x = numbers + curve * kCurveNumbers;
  double* rows = x + kCurveNodes;
  if (nodes.size() > kCurveNodes) throw Error("a muscle curve has too many nodes");
  std::fill_n(x, kCurveNodes, std::numeric_limits<double>::infinity());
  std::fill_n(rows, 3 * kCurveNodes, 0.0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    x[i] = nodes[i].x;
    rows[3 * i] = nodes[i].value;
    rows[3 * i + 1] = nodes[i].slope;
    rows[3 * i + 2] = nodes[i].curvature;
  }
}

// Appends a function (x -> Node) over an interval, with its ends. `grade` maps [0, 1] to itself: nodes where they are
// needed.
template <class Function, class Grade>
void Tabulate(Function function, double from, double to, int pieces, Grade grade, std::vector<Node>* nodes) {
  for (int i = 0; i <= pieces; ++i) nodes->push_back(function(from + (to - from) * grade(i / double(pieces))));
}
double Even(double t) { return t; }

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

// Appends the corner between two knots: the Bezier curve whose inner control points lie on the tangents, the closer to
// where they meet the larger the curviness.
void AddCorner(const Knot& a, const Knot& b, double curviness, int pieces, std::vector<Node>* nodes) {
  const double c = 0.1 + 0.8 * curviness;
  const double x = (b.y - a.y - b.x * b.slope + a.x * a.slope) / (a.slope - b.slope);
  if (!(curviness >= 0 && curviness <= 1)) throw Error("curviness is not between 0 and 1", "choose it in between");
  if (!(a.x < x && x < b.x)) {
    throw Error("tangents of a muscle curve do not meet between " + std::to_string(a.x) + " and " + std::to_string(b.x),
                "check order and slopes of the curve's parameters");
  }
  const double y = a.y + a.slope * (x - a.x);
  const Quintic X(a.x, a.x + c * (x - a.x), b.x + c * (x - b.x), b.x);
  const Quintic Y(a.y, a.y + c * (y - a.y), b.y + c * (y - b.y), b.y);
  for (int i = nodes->empty() ? 0 : 1; i <= pieces; ++i) {
    const double u = i / double(pieces);
    const double dx = X.Slope(u), dy = Y.Slope(u);
    nodes->push_back({X.Value(u), Y.Value(u), dy / dx, (Y.Curvature(u) * dx - dy * X.Curvature(u)) / (dx * dx * dx)});
  }
}

template <size_t N>
std::vector<Node> Corners(const std::array<Knot, N>& knots, const std::array<double, N - 1>& curviness) {
  // as many pieces as the table holds: the interpolation error is below 4e-9 (tests/unit/force/muscle_curves_test.cc)
  constexpr int kPieces = (kCurveNodes - 4) / static_cast<int>(N - 1);
  std::vector<Node> nodes;
  for (size_t i = 0; i + 1 < N; ++i) {
    AddCorner(knots[i], knots[i + 1], curviness[i], std::min(kPieces, 100), &nodes);
  }
  return nodes;
}

std::vector<Node> ActiveCurve(const std::array<double, 5>& p) {
  const double x0 = p[0], x1 = p[1], x3 = p[2], slope = p[3], low = p[4], y1 = 1 - slope * (0.95 - x1);
  return Corners<6>({{{x0, low, 0},
                      {(x0 + x1) / 2, y1 / 2, 1.25 * y1 / (x1 - x0)},
                      {(x1 + 0.95) / 2, (1 + y1) / 2, slope},
                      {1, 1, 0},
                      {(1.05 + x3) / 2, 0.5, -1 / (x3 - 1.1)},
                      {x3, low, 0}}},
                    {1, 1, 1, 1, 1});
}

std::vector<Node> VelocityCurve(const std::array<double, 8>& p) {
  const auto [mC, mNC, mI, mE, mNE, fE, shortening, lengthening] = p;
  return Corners<5>(
      {{{-1, 0, mC}, {-0.9, 0.05 * (mNC + mC), mNC}, {0, 1, mI}, {0.9, fE - 0.05 * (mNE + mE), mNE}, {1, fE, mE}}},
      {shortening, shortening, lengthening, lengthening});
}

std::vector<Node> PassiveCurve(const std::array<double, 5>& p) {
  const double e0 = p[0], e1 = p[1], toe = p[2], stiffness = p[3] > 0 ? p[3] : 2 / (e1 - e0);
  const double width = 0.1 * std::min(1 / stiffness, e1 - e0);
  return Corners<3>({{{1 + e0, 0, 0}, {1 + e0 + width, toe * width / 2, toe}, {1 + e1, 1, stiffness}}}, {p[4], p[4]});
}

std::vector<Node> TendonCurve(const std::array<double, 4>& p) {
  const double e = p[0], k = p[1] > 0 ? p[1] : 1.375 / e, toe = p[2];
  const double end = 1 + e - (1 - toe) / k, foot = 1 + (end - 1) / 10, middle = 1 + e - (1 - toe / 2) / k;
  return Corners<3>({{{1, 0, 0}, {(foot + middle) / 2, toe / 4, toe / 2 / (middle - foot)}, {end, toe, k}}},
                    {p[3], p[3]});
}

// ---- Hyfydy's polynomials

std::vector<Node> HyfydyActive() {
  const auto f = [](double l) {
    const double x = l - 1;
    return Node{l, 1 + x * x * (1.5 * x - 2.75), x * (4.5 * x - 5.5), 9 * x - 5.5};
  };
  // one piece of fifth order holds the cubic
  std::vector<Node> nodes = {{0.46899, 0, 0, 0}};
  Tabulate(f, 0.46899, 1.80528, 1, Even, &nodes);
  nodes.push_back({1.80528, 0, 0, 0});
  return nodes;
}

// Hyperbolas of shortening and lengthening. Places are spread evenly over v / (a + v), in which they are straight
// lines.
std::vector<Node> HyfydyVelocity() {
  const auto shorten = [](double v) {
    const double q = 0.227 - v;
    return Node{v, 0.227 * (v + 1) / q, 0.227 * 1.227 / (q * q), 2 * 0.227 * 1.227 / (q * q * q)};
  };
  const auto lengthen = [](double v) {
    const double q = 0.11 + v;
    return Node{v, (1.6 * v + 0.11) / q, 0.066 / (q * q), -0.132 / (q * q * q)};
  };
  constexpr double kFastest = 2;
  std::vector<Node> nodes = {{-1, 0, 0, 0}};
  Tabulate(
      shorten, -1, 0, 100, [](double t) { return 1 - 0.227 * (1 - t) / (1.227 - (1 - t)); }, &nodes);
  Tabulate(
      lengthen, 0, kFastest, 100, [](double t) { return 0.11 * t / (0.11 + kFastest * (1 - t)); }, &nodes);
  return nodes;
}

std::vector<Node> HyfydyPassive() {
  const auto f = [](double l) {
    const double x = l - 1;
    return Node{l, x * x * (1.08027 * x + 1.27368), x * (3.24081 * x + 2.54736), 6.48162 * x + 2.54736};
  };
  std::vector<Node> nodes = {{1, 0, 0, 0}};
  Tabulate(f, 1, 3, 1, Even, &nodes);
  return nodes;
}

std::vector<Node> HyfydyTendon() {
  const auto f = [](double l) {
    const double e = l - 1;
    return Node{l, e * (260.972 * e + 7.9706), 521.944 * e + 7.9706, 521.944};
  };
  std::vector<Node> nodes = {{1, 0, 0, 0}};
  Tabulate(f, 1, 1.3, 1, Even, &nodes);
  return nodes;
}

// ---- De Groote and Fregly's transcendental functions

Node DeGrooteActive(double l) {
  constexpr double b[3][4] = {{0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465},
                              {0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188},
                              {0.1, 1, 0.353553390593274, 0}};
  Node node = {l, 0, 0, 0};
  for (const auto& [height, centre, width, skew] : b) {
    // a Gaussian in z = (l - centre) / q
    const double q = width + skew * l, z = (l - centre) / q, dz = (width + skew * centre) / (q * q);
    const double ddz = -2 * skew * dz / q, g = height * std::exp(-z * z / 2);
    node.value += g;
    node.slope -= g * z * dz;
    node.curvature += g * (z * z * dz * dz - dz * dz - z * ddz);
  }
  return node;
}

Node DeGrooteVelocity(double v) {
  constexpr double d1 = -0.3211346127989808, d2 = -8.149, d3 = -0.374, d4 = 0.8825327733249912;
  const double z = d2 * v + d3, root = std::sqrt(1 + z * z);
  return {v, d1 * std::asinh(z) + d4, d1 * d2 / root, -d1 * d2 * d2 * z / (root * root * root)};
}

Node DeGrootePassive(double l) {
  constexpr double rate = 4 / 0.6;
  const double lowest = std::exp(-3.2 / 0.6), scale = 1 / (std::exp(4.0) - lowest), e = std::exp(rate * (l - 1));
  return {l, scale * (e - lowest), scale * rate * e, scale * rate * rate * e};
}

Node DeGrooteTendon(double l) {
  const double rate = std::log(6.0) / 0.049, e = 0.2 * std::exp(rate * (l - 1));
  return {l, e - 0.2, rate * e, rate * rate * e};
}

// Beyond the intervals forces go on straight, but for the active one, which keeps its value; a slack tendon does not
// push.
void BuildDeGroote(double* numbers) {
  std::vector<Node> nodes = {{0.2, DeGrooteActive(0.2).value, 0, 0}};
  Tabulate(DeGrooteActive, 0.2, 2.2, 240, Even, &nodes);
  nodes.push_back({2.2, DeGrooteActive(2.2).value, 0, 0});
  Put(nodes, kActiveLength, numbers);

  nodes.clear();
  Tabulate(
      DeGrooteVelocity, -2, 2, 240, [](double t) { return 0.5 + 4 * std::pow(t - 0.5, 3); }, &nodes);
  Put(nodes, kForceVelocity, numbers);

  nodes = {{0.2, 0, 0, 0}};
  Tabulate(DeGrootePassive, 0.2, 2, 200, Even, &nodes);
  Put(nodes, kPassiveLength, numbers);

  nodes = {{1, 0, 0, 0}};
  Tabulate(DeGrooteTendon, 1, 1.15, 200, Even, &nodes);
  Put(nodes, kTendonForce, numbers);
}

void BuildHyfydy(double* numbers) {
  Put(HyfydyActive(), kActiveLength, numbers);
  Put(HyfydyVelocity(), kForceVelocity, numbers);
  Put(HyfydyPassive(), kPassiveLength, numbers);
  Put(HyfydyTendon(), kTendonForce, numbers);
}

struct Published {
  double millard[kCurveSetNumbers], undamped[kCurveSetNumbers], hyfydy[kCurveSetNumbers], degroote[kCurveSetNumbers];

  Published() {
    BuildMillardCurves({}, millard);
    BuildMillardCurves(UndampedShapes(), undamped);
    BuildHyfydy(hyfydy);
    BuildDeGroote(degroote);
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
  Put(ActiveCurve(shapes.active), kActiveLength, numbers);
  Put(VelocityCurve(shapes.velocity), kForceVelocity, numbers);
  Put(PassiveCurve(shapes.passive), kPassiveLength, numbers);
  Put(TendonCurve(shapes.tendon), kTendonForce, numbers);
}

const double* PublishedCurves(CurveSet set, bool damped) {
  static const Published published;
  switch (set) {
    case CurveSet::kHyfydy:
      return published.hyfydy;
    case CurveSet::kDeGroote:
      return published.degroote;
    default:
      return damped ? published.millard : published.undamped;
  }
}

}  // namespace sinew
