// Geoms in the lanes of a pack, for tests of kernels.
#ifndef SINEW_TESTS_UNIT_COLLISION_LANES_H_
#define SINEW_TESTS_UNIT_COLLISION_LANES_H_

#include "collision/geom.h"
#include "simd/pack.h"

namespace sinew {

inline PlacedGeom<Pack<double, 4>> Gather(const PlacedGeom<double> (&geoms)[4]) {
  PlacedGeom<Pack<double, 4>> out;
  for (int lane = 0; lane < 4; ++lane) {
    for (int k = 0; k < 3; ++k) {
      out.pos[k].Set(lane, geoms[lane].pos[k]);
      out.size[k].Set(lane, geoms[lane].size[k]);
    }
    for (int k = 0; k < 9; ++k) out.mat.m[k].Set(lane, geoms[lane].mat.m[k]);
  }
  return out;
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_COLLISION_LANES_H_
