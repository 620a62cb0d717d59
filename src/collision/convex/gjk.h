// Distance of two convex shapes: the algorithm of E. Gilbert, D. Johnson and S. Keerthi (IEEE J. Robotics and
// Automation 4, 1988), with the termination of G. van den Bergen (J. Graphics Tools 4, 1999).
//
// The shapes' distance is that of the origin from their difference A - B = {a - b}. A simplex of up to four of its
// points is kept; v is its point nearest to the origin. The support of A - B in the direction -v replaces what the
// nearest point does not need, until |v|^2 - v.w, a bound on the error, vanishes. The difference contains the origin
// when the simplex does.
#ifndef SINEW_COLLISION_CONVEX_GJK_H_
#define SINEW_COLLISION_CONVEX_GJK_H_

#include "collision/convex/gjk_simplex.h"

namespace sinew::inline collision {

// How well a distance or a depth is found. Polytopes are exact after some iterations; where a shape is curved, bounds
// meet to a tolerance, unless the iterations end before. It is meant for shapes of ordinary size, and is never larger
// than kCoarseBounds of that of the difference.
struct Accuracy {
  double tolerance;
  int iterations;
};
inline constexpr double kCoarseBounds = 2e-4;

enum class GjkResult { kApart, kOverlap, kBeyond };

// The cores' nearest points and their distance. kBeyond: they are farther apart than `limit`, and the rest is not set.
// kOverlap: distance zero up to rounding; the simplex contains the origin or points it. With a limit of zero and a
// tolerance, a simplex of four points is returned at once: FindPenetration decides whether the cores overlap. With both
// zero, signs tell where they can (collision/convex/overlap.h), and iterations are zero.
struct CoreDistance {
  GjkResult result;
  int iterations;
  double distance;
  Vec3<double> a, b;
  Simplex simplex;
};
CoreDistance FindCoreDistance(const ConvexShape& A, const ConvexShape& B, double limit, const Accuracy& accuracy);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_GJK_H_
