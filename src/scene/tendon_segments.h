// The straight pieces of the paths of spatial tendons.
#ifndef SINEW_SCENE_TENDON_SEGMENTS_H_
#define SINEW_SCENE_TENDON_SEGMENTS_H_

#include <mujoco/mujoco.h>

#include "math/rows.h"
#include "math/vec3.h"

namespace sinew::inline scene {

struct TendonSegment {
  Vec3<double> from, to;
  bool on_geom;  // between two points on a geom that it wraps around
};

// Calls visit(segment) in the order of the path; nothing joins the branches at a pulley.
template <class Visit>
void ForEachTendonSegment(const mjData* d, int tendon, Visit&& visit) {
  // wrap_obj has -2 for a pulley, -1 for a site, and the number of a geom else.
  constexpr int kPulley = -2;
  const int first = d->ten_wrapadr[tendon];
  for (int i = first; i + 1 < first + d->ten_wrapnum[tendon]; ++i) {
    const int* object = d->wrap_obj + i;
    if (object[0] == kPulley || object[1] == kPulley) continue;
    visit(TendonSegment{LoadVec3(Row3(d->wrap_xpos, i)), LoadVec3(Row3(d->wrap_xpos, i + 1)),
                        object[0] >= 0 && object[1] >= 0});
  }
}

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_TENDON_SEGMENTS_H_
