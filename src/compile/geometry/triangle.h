// Triangles in space: the nearest point, and whether a box is met.
#ifndef SINEW_COMPILE_GEOMETRY_TRIANGLE_H_
#define SINEW_COMPILE_GEOMETRY_TRIANGLE_H_

#include "compile/tree/shape.h"
#include "math/vec3.h"

namespace sinew::inline compile {

struct Triangle {
  Vec3<double> a, b, c;
};

// A point of a triangle, and the angle that the triangle fills there: 2 pi inside, pi on an edge.
struct TrianglePoint {
  Vec3<double> point;
  double angle;
};

// The point of a triangle that is nearest to p.
TrianglePoint NearestPoint(const Triangle& triangle, const Vec3<double>& p);

// Whether a triangle and a box have a point in common (T. Akenine-Moeller, Fast 3D triangle-box overlap testing, 2001).
bool Meets(const Triangle& triangle, const Box& box);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_GEOMETRY_TRIANGLE_H_
