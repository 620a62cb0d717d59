// Collision functions of the pairs that have formulas, in the signature of mjCOLLISIONFUNC: they fill con[0..49] with
// dist, pos and the first rows of frame, and return the number of contacts within `margin`.
#ifndef SINEW_COLLISION_ANALYTIC_ANALYTIC_H_
#define SINEW_COLLISION_ANALYTIC_ANALYTIC_H_

#include <mujoco/mujoco.h>

#include <iterator>

#include "collision/geom.h"
#include "simd/isa.h"

namespace sinew::inline collision {

// The kernels of *_kernel.h as collision functions of one world.
template <auto Kernel>
int CollideAnalytic(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

// A mesh has any number of vertices; two boxes go through lanes of pairs (box_box.h).
int PlaneMesh(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);
int BoxBox(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

// Writes what a pair function owes of a contact. A zero tangent leaves the choice to the frame's completion.
inline void WriteContactPoint(const ContactPoint<double>& point, const Vec3<double>& tangent, mjContact& contact) {
  contact.dist = point.dist;
  StoreVec3(point.pos, contact.pos);
  StoreVec3(point.normal, contact.frame);
  StoreVec3(tangent, contact.frame + 3);
}

template <auto Kernel>
SINEW_DISPATCH int CollideAnalytic(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ModelView<double> model(m);
  const DataView<double> data(d);
  const auto found = Kernel(LoadGeom(model, data, g1), LoadGeom(model, data, g2), margin);
  int count = 0;
  for (size_t i = 0; i < std::size(found.point); ++i) {
    if (found.hit[i]) WriteContactPoint(found.point[i], found.tangent, con[count++]);
  }
  return count;
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_ANALYTIC_H_
