#include "constraint/equality_pose.h"

#include "model/view/view_of.h"

namespace sinew::inline constraint {

std::array<int, 2> EqualityBodies(const mjModel* m, int id) {
  const int object[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
  if (!IsBetweenSites(m, id)) return {object[0], object[1]};
  return {m->site_bodyid[object[0]], m->site_bodyid[object[1]]};
}

EqualityPose ConnectPose(const mjModel* m, const mjData* d, int id) { return ConnectPose(ViewOf(m), ViewOf(d), id); }
EqualityPose WeldPose(const mjModel* m, const mjData* d, int id) { return WeldPose(ViewOf(m), ViewOf(d), id); }

}  // namespace sinew::inline constraint
