// The cameras of a scene, from a camera of the model or the mouse.
#ifndef SINEW_SCENE_CAMERA_H_
#define SINEW_SCENE_CAMERA_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"

namespace sinew::inline scene {

// Position and axes of a camera, world frame.
struct CameraFrame {
  Vec3<double> pos, forward, up, right;
};

// Throws Error for a camera or body that does not exist.
CameraFrame FindCameraFrame(const mjModel* m, const mjData* d, const mjvCamera& camera);

// Distances of the borders from the axis at the near plane, all positive; left and right are 0 when they follow from
// the shape of the window. For an orthographic projection, the distances anywhere.
struct Frustum {
  double top, bottom, left, right, near, far;
};
Frustum FindFrustum(const mjModel* m, const mjvCamera& camera);

// Sets both eyes of a scene; a tracking camera first looks at its body.
void UpdateCamera(const mjModel* m, const mjData* d, mjvCamera* camera, mjvScene* scene);

// Moves a free or tracking camera with the mouse; movements are relative to the height of the window. Turns and zooms
// need no scene.
void MoveCamera(const mjModel* m, int action, double dx, double dy, const mjvScene* scene, mjvCamera* camera);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_CAMERA_H_
