// Composes the poses of nested frames.
#include "compile/tree/placement.h"

#include "spec/orientation.h"

namespace sinew::inline compile {
namespace {

// Nested frames compose from the outside in. A quaternion is taken as it is given and normalized after that, which
// rounds as in MuJoCo 3.8.0.
Pose PoseOf(const Frame& frame) {
  const mjsCompiler& compiler = frame.compiler();
  const bool as_given = !HasAlternative(frame.alt);
  Pose pose = {LoadVec3(frame.pos), as_given ? LoadQuat(frame.quat) : Orientation(frame.quat, frame.alt, compiler)};
  if (frame.frame) pose = PoseOf(*frame.frame) * pose;
  double quat[4];
  StoreQuat(pose.quat, quat);
  return {pose.pos, Orientation(quat, {}, compiler)};
}

}  // namespace

Pose InBody(const Frame* frame, const Pose& pose) { return frame ? PoseOf(*frame) * pose : pose; }

}  // namespace sinew::inline compile
