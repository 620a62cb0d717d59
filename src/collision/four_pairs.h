// Four pairs of geoms in the lanes of a pack.
#ifndef SINEW_COLLISION_FOUR_PAIRS_H_
#define SINEW_COLLISION_FOUR_PAIRS_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "collision/midphase.h"
#include "math/block.h"

namespace sinew {

struct FourPairs {
  using Lanes = Block<double>;

  const GeomPair* pair[4];

  Geom<Lanes> First(const mjModel* m, mjData* d) const {
    return GatherGeoms(m, d, {{pair[0]->geom1, pair[1]->geom1, pair[2]->geom1, pair[3]->geom1}});
  }
  Geom<Lanes> Second(const mjModel* m, mjData* d) const {
    return GatherGeoms(m, d, {{pair[0]->geom2, pair[1]->geom2, pair[2]->geom2, pair[3]->geom2}});
  }
  Lanes Margin() const { return block::Join(pair[0]->margin, pair[1]->margin, pair[2]->margin, pair[3]->margin); }

 private:
  static Geom<Lanes> GatherGeoms(const mjModel* m, mjData* d, const FourItems& geoms) {
    const ModelView<double> model(m);
    const DataView<double> data(d);
    return {Gather(geoms, [&](int g) -> const Vec3<double>& { return data.geom_xpos(g); }),
            Gather(geoms, [&](int g) -> const Mat3<double>& { return data.geom_xmat(g); }),
            Gather(geoms, [&](int g) -> const Vec3<double>& { return model.geom_size(g); })};
  }
};

// Vectors of four pairs in memory; the last index is that of the pair.
using FourVectors = double[3][4];

inline void StoreVectors(const Vec3<Block<double>>& v, FourVectors& out) {
  StoreFour(v.x, out[0]);
  StoreFour(v.y, out[1]);
  StoreFour(v.z, out[2]);
}
inline Vec3<Block<double>> LoadVectors(const FourVectors& v) {
  return {LoadFour(v[0]), LoadFour(v[1]), LoadFour(v[2])};
}
inline Vec3<double> VectorOf(const FourVectors& v, int pair) { return {v[0][pair], v[1][pair], v[2][pair]}; }

}  // namespace sinew

#endif  // SINEW_COLLISION_FOUR_PAIRS_H_
