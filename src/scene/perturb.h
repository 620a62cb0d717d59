// Pulling and turning bodies with the mouse.
//
// The selected point is held by a spring to a reference point, the inertial frame to a reference orientation.
#ifndef SINEW_SCENE_PERTURB_H_
#define SINEW_SCENE_PERTURB_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

// Puts the references where the selected body is, and finds the effective mass at the selected point.
void InitPerturb(const mjModel* m, mjData* d, const mjvScene& scene, mjvPerturb* perturb);

// Moves the references with the mouse (mjtMouse); movements are relative to the height of the window.
void MovePerturb(const mjModel* m, const mjData* d, int action, double dx, double dy, const mjvScene& scene,
                 mjvPerturb* perturb);

// Puts mocap bodies, and in a paused simulation bodies of free trees, at the references.
void ApplyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb& perturb, bool paused);

// Sets xfrc_applied of the selected body to the force of the springs; other bodies keep theirs.
void ApplyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb& perturb);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_PERTURB_H_
