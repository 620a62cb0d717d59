// Names of objects in the form of warnings. Nothing is allocated, since they are used inside of steps.
#ifndef SINEW_MODEL_TEXT_OBJECT_TEXT_H_
#define SINEW_MODEL_TEXT_OBJECT_TEXT_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

struct ObjectText {
  char chars[256];
};

// The name in quotes, or the number of what has none.
ObjectText NameOf(const mjModel& m, int type, int id);

// "joint 'knee' of body 'shin'".
ObjectText JointText(const mjModel& m, int joint);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_TEXT_OBJECT_TEXT_H_
