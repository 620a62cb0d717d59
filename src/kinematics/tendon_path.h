// Straight pieces of spatial tendons, and the dofs that change their length.
#ifndef SINEW_KINEMATICS_TENDON_PATH_H_
#define SINEW_KINEMATICS_TENDON_PATH_H_

#include <mujoco/mujoco.h>

#include "kinematics/com_kernel.h"
#include "kinematics/jacobian.h"
#include "kinematics/wrap.h"
#include "math/dense.h"
#include "math/vec3.h"

namespace sinew {

struct PathPoint {
  Vec3<mjtNum> p;  // world
  int body;        // that carries it
};

struct StraightPiece {
  PathPoint from, to;
};

// The side site of a step that wraps around a geom: -1 without one, and where a program has written what is no site.
inline int SideSite(const ModelView<mjtNum>& m, int step) {
  const mjtNum site = m.wrap_prm(step);
  return site >= 0 && site < static_cast<mjtNum>(m.nsite()) ? static_cast<int>(site) : -1;
}

// The shape that a step around one sphere or cylinder wraps around.
inline WrapShape ShapeOf(const ModelView<mjtNum>& m, int step) {
  return m.wrap_type(step) == mjWRAP_SPHERE ? WrapShape::kSphere : WrapShape::kCylinder;
}

// Calls visit(dof, at_end) for each dof that moves one end but not the other, from the last dof to the first.
template <class Visitor>
void ForUncommonDofs(const ModelView<mjtNum>& m, int body_from, int body_to, Visitor visit) {
  int i = LastDof(m.raw(), body_from), j = LastDof(m.raw(), body_to);
  while (i != j) {
    const bool at_end = j > i;
    int& dof = at_end ? j : i;
    visit(dof, at_end);
    dof = m.dof_parentid(dof);
  }
}

}  // namespace sinew

#endif  // SINEW_KINEMATICS_TENDON_PATH_H_
