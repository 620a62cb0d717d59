// Margins and bounding spheres of geoms: what is asked first of two of them.
#ifndef SINEW_COLLISION_BROAD_BOUNDS_H_
#define SINEW_COLLISION_BROAD_BOUNDS_H_

#include <mujoco/mujoco.h>

#include <utility>

#include "math/mat3.h"
#include "math/vec3.h"
#include "model/view/data_view.h"

namespace sinew::inline collision {

// A geom's share of the margin of its pairs.
inline double GeomMargin(const mjModel* m, int geom) {
  return m->opt.enableflags & mjENBL_OVERRIDE ? 0.5 * m->opt.o_margin : m->geom_margin[geom];
}

// Distance up to which the contacts of two geoms without an explicit pair are detected.
inline double PairMargin(const mjModel* m, int geom1, int geom2) { return GeomMargin(m, geom1) + GeomMargin(m, geom2); }

// A flex's share of the margin of its pairs.
inline double FlexMargin(const mjModel* m, int flex) {
  return m->opt.enableflags & mjENBL_OVERRIDE ? 0.5 * m->opt.o_margin : m->flex_margin[flex];
}

// Margin of all pairs of items of two bodies, at least; flexes are numbered behind the bodies.
inline double BodyPairMargin(const mjModel* m, int body1, int body2) {
  if (m->opt.enableflags & mjENBL_OVERRIDE) return m->opt.o_margin;
  const auto margin = [m](int b) { return b < m->nbody ? m->body_margin[b] : m->flex_margin[b - m->nbody]; };
  return margin(body1) + margin(body2);
}

// Whether the bounding spheres of two geoms, in the order of their types, are within the margin. A plane comes first,
// and has no sphere: the height over it counts.
inline bool SpheresOverlap(const mjModel* m, mjData* d, int geom1, int geom2, double margin) {
  const DataView<double> data(d);
  const double reach = margin + m->geom_rbound[geom1] + m->geom_rbound[geom2];
  const Vec3<double> apart = data.geom_xpos(geom2) - data.geom_xpos(geom1);
  if (m->geom_type[geom1] == mjGEOM_PLANE) return Dot(apart, data.geom_xmat(geom1).Column(2)) <= reach;
  return Dot(apart, apart) <= reach * reach;
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_BOUNDS_H_
