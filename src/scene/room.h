// Scene and room: the model may be shown scaled, turned and moved in a room, and is seen by two eyes.
//
//   x_room = scale * R x_model + t
#ifndef SINEW_SCENE_ROOM_H_
#define SINEW_SCENE_ROOM_H_

#include <mujoco/mujoco.h>

#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::inline scene {

// Where something is and how it is turned.
struct ScenePose {
  Vec3<double> pos;
  Quat<double> quat;
};

ScenePose RoomToModel(const mjvScene& scene, const ScenePose& room);
ScenePose ModelToRoom(const mjvScene& scene, const ScenePose& model);

// The head: mean of the eyes, with unit directions.
struct Head {
  Vec3<double> pos, forward, up;
};

// Throws Error for a scene whose cameras were never set.
Head HeadInRoom(const mjvScene& scene);
Head HeadInModel(const mjvScene& scene);

// Height of what is seen at unit distance, or everywhere for an orthographic projection. Throws Error for eyes of
// different projections.
double FrustumHeight(const mjvScene& scene);

// The mean of two cameras: orthogonal and of unit length again.
mjvGLCamera AverageCamera(const mjvGLCamera& a, const mjvGLCamera& b);

// Turns v about the vertical so that its y axis points along the horizontal part of `forward`.
Vec3<double> AlignToCamera(const Vec3<double>& v, const Vec3<double>& forward);

// Moves, turns or scales the model in the room with the mouse (mjtMouse), where the scene is transformed at all.
// Movements are relative to the height of the window.
void MoveModel(const mjModel* m, int action, double dx, double dy, const Vec3<double>& room_up, mjvScene* scene);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_ROOM_H_
