// Whether a deep contact is one (docs/how/triangles.md).
#ifndef SINEW_COLLISION_TRIANGLES_OVERLAP_WAYS_H_
#define SINEW_COLLISION_TRIANGLES_OVERLAP_WAYS_H_

#include <cmath>

#include "collision/contact_frame.h"
#include "math/vec3.h"

namespace sinew::inline collision {

// A contact by a point of each of two solids, which are `depth` apart: that of the first is deep in the second along
// -n, the one of the second deep in the first along n. WayToEnd(point, direction) of a solid is how far it goes on.
template <class First, class Second>
bool IsInBoth(const First& first, const Vec3<double>& on_first, const Second& second, const Vec3<double>& on_second,
              const Vec3<double>& n, double depth) {
  constexpr double kRounding = 1e-3;  // of the depth
  const double least = (1 - kRounding) * depth;
  return first.WayToEnd(on_first, -n) >= least && second.WayToEnd(on_second, n) >= least;
}

// Whether the solids, around a point of both, part by a way across n that is much shorter than the depth along n: each
// ends on another side. So it is where two discs overlap that lie on each other.
template <class First, class Second>
bool HaveShorterWay(const First& first, const Second& second, const Vec3<double>& point, const Vec3<double>& n,
                    double depth) {
  constexpr double kShorter = 0.06;
  const ContactFrame<double> frame = CompletedFrame(n, Zero3<double>());
  for (const Vec3<double>& across : {frame.first, frame.second}) {
    for (const double sign : {1.0, -1.0}) {
      const Vec3<double> d = across * sign;
      if (first.WayToEnd(point, d) + second.WayToEnd(point, -d) < kShorter * depth) return true;
    }
  }
  return false;
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_OVERLAP_WAYS_H_
