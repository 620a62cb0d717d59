// Input and output of pair functions: a geom's pose and size, and the contacts they find.
//
// Analytic pairs are kernels over S: every lane has the same pair of geoms in another pose. A kernel fills a fixed
// number of slots and returns a mask of those that are contacts; for one world, the slots that hit are packed together.
#ifndef SINEW_COLLISION_GEOM_H_
#define SINEW_COLLISION_GEOM_H_

#include "math/mat3.h"
#include "math/vec3.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// A geom in the world frame. `size` is geom_size: radius; radius and half length; or half sizes.
template <class S>
struct PlacedGeom {
  Vec3<S> pos;
  Mat3<S> mat;
  Vec3<S> size;

  Vec3<S> Axis() const { return mat.Column(2); }
  Vec3<S> ToLocal(const Vec3<S>& world) const { return MulTransposed(mat, world - pos); }
  Vec3<S> ToWorld(const Vec3<S>& local) const { return pos + mat * local; }
};

template <class S>
PlacedGeom<S> LoadGeom(const ModelView<S>& m, const DataView<S>& d, int geom) {
  return {d.geom_xpos(geom), d.geom_xmat(geom), m.geom_size(geom)};
}

// A contact point: signed distance of the surfaces along the normal, the point midway between them, and the unit normal
// from the first geom to the second, in the world frame.
template <class S>
struct ContactPoint {
  S dist;
  Vec3<S> pos, normal;
};

// A mask that is false in all lanes.
template <class S>
MaskOf<S> Never() {
  return S(0) > S(1);
}

// Up to N contacts of a pair. `tangent` is the first tangent of their frames, zero when the pair suggests none.
template <class S, int N>
struct ContactPoints {
  ContactPoint<S> point[N];
  MaskOf<S> hit[N];
  Vec3<S> tangent = Zero3<S>();
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_GEOM_H_
