// Geometry of cables for composite: points along a curve, edges between them, and a frame for each edge that turns no
// more than the tangent does (parallel transport; Bergou et al., Discrete Elastic Rods, 2008). All points are rounded
// to single precision, which decides the last digits of the model as in MuJoCo 3.8.0.
#include "mjcf/macros/cable.h"

#include <cmath>

#include "core/error.h"
#include "math/orientation.h"
#include "mjcf/numbers.h"

namespace sinew::mjcf {
namespace {

constexpr double kStraight = 1e-7;  // of the sine between two edges: below it, single precision sees no bend

// A coordinate of the curve at s in [0, 1]: size[0] is the length of a line, size[1] the radius of an arc and size[2]
// its angle in units of pi.
double CurveValue(CurveShape shape, double s, const double size[3]) {
  switch (shape) {
    case CurveShape::kLine:
      return s * size[0];
    case CurveShape::kCosine:
      return size[1] * Cos(kPi * s * size[2]);
    case CurveShape::kSine:
      return size[1] * Sin(kPi * s * size[2]);
    case CurveShape::kZero:
      break;
  }
  return 0;
}

// The edges of the cable, too, are of single precision.
Vec3<double> Edge(const std::vector<Vec3<double>>& points, size_t i) { return ToSingle(points[i + 1] - points[i]); }

// The rotation that takes one unit vector to another the shortest way; the identity for opposite vectors.
Quat<double> Between(const Vec3<double>& from, const Vec3<double>& to) {
  Vec3<double> axis = Cross(from, to);
  const double sine = Norm(axis);
  if (sine < kMinVal) return IdentityQuat<double>();
  return AxisAngle(axis * (1 / sine), Atan2(sine, Dot(from, to)));
}

bool IsStraight(const Vec3<double>& tangent, const Vec3<double>& next) {
  return Norm(Cross(tangent, next)) < kStraight;
}

// Where the cable is straight, its plane is the one that the shortest rotation from the x axis to the line of the edge
// makes of the xy plane.
Vec3<double> NormalOfLine(const Vec3<double>& tangent) {
  const Vec3<double> line = tangent.x > 0 ? tangent : -tangent;
  const Vec3<double> binormal = Rotate(Between({1, 0, 0}, line), Vec3<double>{0, 0, 1});
  return Normalized(Cross(binormal, tangent));
}

// Returns the normal of the plane of two edges, where the curve bends.
Vec3<double> NormalOfBend(const Vec3<double>& tangent, const Vec3<double>& next) {
  return Normalized(Cross(Normalized(Cross(tangent, next)), tangent));
}

}  // namespace

Vec3<double> ToSingle(const Vec3<double>& v) {
  const auto round = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  return {round(v.x), round(v.y), round(v.z)};
}

std::vector<CurveShape> ParseCurve(const std::string& text) {
  std::vector<CurveShape> curve;
  for (const std::string& word : Words(text)) {
    if (word == "s") {
      curve.push_back(CurveShape::kLine);
    } else if (word == "cos(s)") {
      curve.push_back(CurveShape::kCosine);
    } else if (word == "sin(s)") {
      curve.push_back(CurveShape::kSine);
    } else if (word == "0") {
      curve.push_back(CurveShape::kZero);
    } else {
      throw Error("attribute 'curve' has the unknown shape '" + word + "'", "allowed: s, cos(s), sin(s), 0");
    }
  }
  if (curve.size() > 3) throw Error("attribute 'curve' has more than three shapes", "give one for each axis");
  return curve;
}

// Shapes for x, y and z in this order; coordinates without a shape are zero.
std::vector<Vec3<double>> CurvePoints(const std::vector<CurveShape>& curve, int count, const double size[3]) {
  std::vector<Vec3<double>> points;
  for (int i = 0; i < count; ++i) {
    Vec3<double>& point = points.emplace_back(Vec3<double>{0, 0, 0});
    for (size_t axis = 0; axis < curve.size(); ++axis) {
      point[static_cast<int>(axis)] = CurveValue(curve[axis], i / static_cast<double>(count - 1), size);
    }
  }
  return points;
}

// The frame of an edge is relative to that of the edge before, since each body stands in the one before it.
std::vector<CableEdge> CableEdges(const std::vector<Vec3<double>>& points) {
  std::vector<CableEdge> edges;
  Vec3<double> tangent = {1, 0, 0}, normal = {0, 1, 0};
  bool starts_straight = false;
  Quat<double> before = IdentityQuat<double>();
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3<double> tangent_before = tangent;
    tangent = Edge(points, i);
    const double length = Normalize(tangent);
    const bool is_last = i + 2 == points.size();
    const Vec3<double> next = is_last ? tangent : Normalized(Edge(points, i + 1));
    if (i == 0) starts_straight = IsStraight(tangent, next);
    if (starts_straight) {
      normal = NormalOfLine(tangent);
    } else if (i == 0) {
      normal = NormalOfBend(tangent, next);
    } else {
      normal = Rotate(Between(tangent_before, tangent), normal);
    }
    const Quat<double> quat = FromMatrix(FromColumns(tangent, normal, Cross(tangent, normal)));
    edges.push_back({length, Conjugate(before) * quat});
    before = quat;
  }
  return edges;
}

}  // namespace sinew::mjcf
