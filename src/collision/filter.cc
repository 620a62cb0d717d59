#include "collision/filter.h"

#include <algorithm>

#include "model/awake.h"

namespace sinew {
namespace {

// Bodies without joints in between move as one. A body does not collide with the body that it is jointed to, unless
// that one is static: feet may stand on a floor that carries the robot's base.
bool WeldedOrParent(const mjModel* m, int body1, int body2) {
  const int weld1 = m->body_weldid[body1], weld2 = m->body_weldid[body2];
  if (weld1 == weld2) return true;
  if ((m->opt.disableflags & mjDSBL_FILTERPARENT) || weld1 == 0 || weld2 == 0) return false;
  const int parent1 = m->body_weldid[m->body_parentid[weld1]], parent2 = m->body_weldid[m->body_parentid[weld2]];
  return weld1 == parent2 || weld2 == parent1;
}

bool IsExcluded(const mjModel* m, int body1, int body2) {
  const int signature = static_cast<int>(PairSignature(body1, body2));
  const int *begin = m->exclude_signature, *end = begin + m->nexclude;
  return std::find(begin, end, signature) != end;
}

}  // namespace

bool BodiesMayCollide(const mjModel* m, const mjData* d, int body1, int body2) {
  return MasksMatch(m->body_contype[body1], m->body_conaffinity[body1], m->body_contype[body2],
                    m->body_conaffinity[body2]) &&
         !WeldedOrParent(m, body1, body2) && !IsExcluded(m, body1, body2) && PairIsAwake(m, d, body1, body2, false);
}

bool GeomsMayCollide(const mjModel* m, mjData* d, int geom1, int geom2) {
  if (mjcb_contactfilter) return !mjcb_contactfilter(m, d, geom1, geom2);
  return MasksMatch(m->geom_contype[geom1], m->geom_conaffinity[geom1], m->geom_contype[geom2],
                    m->geom_conaffinity[geom2]);
}

bool PairIsAwake(const mjModel* m, const mjData* d, int body1, int body2, bool explicit_pair) {
  if (!AnyAsleep(m, d)) return true;
  const int state1 = d->body_awake[body1], state2 = d->body_awake[body2];
  if (explicit_pair) return state1 == mjS_AWAKE || state2 == mjS_AWAKE;
  const bool asleep1 = state1 == mjS_ASLEEP, asleep2 = state2 == mjS_ASLEEP;
  return !(asleep1 && (asleep2 || state2 == mjS_STATIC)) && !(asleep2 && state1 == mjS_STATIC);
}

}  // namespace sinew
