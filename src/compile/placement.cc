// Composes the poses of nested frames.
#include "compile/placement.h"

#include "spec/orientation.h"

namespace sinew {

// Nested frames compose from the inside out.
Pose InBody(const Frame* frame, Pose pose) {
  for (; frame; frame = frame->frame) {
    const Pose own = {LoadVec3(frame->pos), Orientation(frame->quat, frame->alt, frame->compiler())};
    pose = own * pose;
  }
  return pose;
}

}  // namespace sinew
