#include "model/kinds/surface.h"

#include <algorithm>
#include <cmath>

#include "model/kinds/number_array.h"

namespace sinew::inline model {

Surfaces FindSurfaces(const mjModel* m) {
  const auto size = static_cast<std::size_t>(SurfaceArraySize(static_cast<int>(m->ngeom), static_cast<int>(m->npair)));
  const std::span<const mjtNum> array = FindNumberArray(m, kSurfaceArray);
  return {!array.empty() && array.size() == size ? array.data() : nullptr};
}

bool Surfaces::Moves(int geom) const {
  if (geom < 0) return false;
  const mjtNum* velocity = Velocity(geom);
  return std::any_of(velocity, velocity + 6, [](mjtNum x) { return x != 0; });
}

bool HasAdhesion(const mjModel* m, const Surfaces& surfaces) {
  if (!surfaces) return false;
  for (int i = 0; i < m->ngeom; ++i) {
    if (surfaces.Geom(i)[kSurfaceAdhesion] > 0) return true;
  }
  for (int i = 0; i < m->npair; ++i) {
    if (surfaces.Pair(m, i) > 0) return true;
  }
  return false;
}

int FindExplicitPair(const mjModel* m, int geom1, int geom2) {
  for (int i = 0; i < m->npair; ++i) {
    const int a = m->pair_geom1[i], b = m->pair_geom2[i];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return i;
  }
  return -1;
}

double AdhesionOf(const mjModel* m, const Surfaces& surfaces, const mjContact& contact) {
  if (!surfaces) return 0;
  double of_side[2];
  int priority[2];
  for (int i = 0; i < 2; ++i) {
    const int geom = contact.geom[i], flex = contact.flex[i];
    of_side[i] = geom >= 0 ? surfaces.Geom(geom)[kSurfaceAdhesion] : 0;
    priority[i] = geom >= 0 ? m->geom_priority[geom] : flex >= 0 ? m->flex_priority[flex] : 0;
  }
  const bool of_geoms = contact.geom[0] >= 0 && contact.geom[1] >= 0;
  const int pair = of_geoms && m->npair > 0 ? FindExplicitPair(m, contact.geom[0], contact.geom[1]) : -1;
  const double force = pair >= 0                    ? surfaces.Pair(m, pair)
                       : priority[0] == priority[1] ? of_side[0] + of_side[1]
                                                    : of_side[priority[0] > priority[1] ? 0 : 1];
  // Programs may write any numbers into the array.
  return force > 0 && std::isfinite(force) ? force : 0;
}

}  // namespace sinew::inline model
