// The geometry of a cable: a polyline whose edges become the x axes of a chain of frames.
#ifndef SINEW_MJCF_MACROS_CABLE_H_
#define SINEW_MJCF_MACROS_CABLE_H_

#include <string>
#include <vector>

#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::mjcf {

// Shape along one axis, over s from 0 to 1.
enum class CurveShape { kZero, kLine, kCosine, kSine };

// Up to three shapes, "s", "cos(s)", "sin(s)" or "0", separated by blanks; axes without one stay zero. Throws Error.
std::vector<CurveShape> ParseCurve(const std::string& text);

// `count` points along the curve. `size`: length of lines, radius of arcs, and their angle in units of pi.
std::vector<Vec3<double>> CurvePoints(const std::vector<CurveShape>& curve, int count, const double size[3]);

// An edge of the cable: its length, and its frame in the frame of the edge before.
struct CableEdge {
  double length;
  Quat<double> quat;
};

// Points of cables are of single precision, as in models of skins.
Vec3<double> ToSingle(const Vec3<double>& v);

// The edges between the points. The first frame has its y axis in the plane of the first two edges, and the frames do
// not twist: they turn only as much as the tangent does. Where these two are parallel, they give no plane, and each
// frame is that which the shortest rotation from the x axis to its edge makes.
std::vector<CableEdge> CableEdges(const std::vector<Vec3<double>>& points);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_MACROS_CABLE_H_
