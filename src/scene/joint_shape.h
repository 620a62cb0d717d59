// How a joint is drawn, as itself and in the colour of its actuator.
#ifndef SINEW_SCENE_JOINT_SHAPE_H_
#define SINEW_SCENE_JOINT_SHAPE_H_

#include "scene/builder.h"

namespace sinew::inline scene {

// An arrow along a slide, one with an open head about a hinge, a sphere of radius `block` for a ball, a box for a free
// joint.
mjvGeom JointShape(const SceneBuilder& scene, const SceneTag& tag, int joint, double width, double length, double block,
                   const float* rgba);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_JOINT_SHAPE_H_
