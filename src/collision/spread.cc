#include "collision/spread.h"

#include "math/dense.h"
#include "simd/four.h"
#include "simd/isa.h"

namespace sinew::inline collision {

// Two passes without branches: the largest distance, then where it is.
SINEW_DISPATCH int FarthestAfterChoice(const double (&from)[3], double* const (&column)[4], int total) {
  const double *x = column[0], *y = column[1], *z = column[2];
  double* distance2 = column[3];
  Four most = InAllLanes(-kInfinity);
  int i = 0;
  for (; i + 4 <= total; i += 4) {
    const Four u = LoadFour(x + i) - InAllLanes(from[0]), v = LoadFour(y + i) - InAllLanes(from[1]),
               w = LoadFour(z + i) - InAllLanes(from[2]);
    const Four nearest = Min(u * u + v * v + w * w, LoadFour(distance2 + i));
    StoreFour(nearest, distance2 + i);
    most = Max(nearest, most);
  }
  double largest = Max(Max(most[0], most[1]), Max(most[2], most[3]));
  for (; i < total; ++i) {
    const double u = x[i] - from[0], v = y[i] - from[1], w = z[i] - from[2];
    distance2[i] = Min(u * u + v * v + w * w, distance2[i]);
    largest = Max(distance2[i], largest);
  }
  return static_cast<int>(std::find(distance2, distance2 + total, largest) - distance2);
}

}  // namespace sinew::inline collision
