// Supports of sleeping trees that were moved: static bodies, mocap bodies among them, whose place was changed in the
// world or in the model, and their geoms and sites. Sleeping trees have no contacts and no rows to detect it by.
#ifndef SINEW_STEP_MOVED_BODIES_H_
#define SINEW_STEP_MOVED_BODIES_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"

namespace sinew::inline step {

// Poses of static bodies, geoms and sites, taken before kinematics compute them anew.
class StaticPoses {
 public:
  // The frame must outlive the poses.
  StaticPoses(const mjModel* m, const mjData* d, StackFrame& frame);

  // Marks, by tree, sleeping trees to which something static matters that is no longer in its place, by a bit:
  //  - a geom that they touch where it was or where it is;
  //  - a body or site that an active equality ties to them, or a tendon that can exert a force;
  //  - a body that carries a flex, or if the tree carries one: wherever it is, unless masks keep both apart.
  void MarkTouched(const mjModel* m, mjData* d, bool* touched) const;

  // Whether each body, geom or site has moved, by id.
  struct Moved {
    bool *body, *geom, *site;
  };

 private:
  // Returns whether anything has moved.
  bool FindMoved(const mjModel* m, const mjData* d, const Moved& moved) const;
  // Exchanges the poses of static geoms with those that are kept.
  void SwapGeoms(const mjModel* m, mjData* d) const;

  mjtNum *xpos_, *xquat_;           // by body
  mjtNum *geom_xpos_, *geom_xmat_;  // by geom
  mjtNum *site_xpos_, *site_xmat_;  // by site
};

}  // namespace sinew::inline step

#endif  // SINEW_STEP_MOVED_BODIES_H_
