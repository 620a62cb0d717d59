// A model may stand in a room, turned, scaled and moved: x_room = s R x_model + t. Renderers and the mouse go between
// both; the two cameras of a scene are in the room. Without the transform both frames are one.
#include "scene/room.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "simd/functions.h"

namespace sinew::inline scene {
namespace {

Vec3<double> Load(const float* v) { return {double(v[0]), double(v[1]), double(v[2])}; }

void Store(const Vec3<double>& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}

Quat<double> Rotation(const mjvScene& scene) {
  return {double(scene.rotate[0]), double(scene.rotate[1]), double(scene.rotate[2]), double(scene.rotate[3])};
}

// A scale of zero is that of a scene that was never made.
double Scale(const mjvScene& scene) {
  if (!(scene.scale >= static_cast<float>(mjMINVAL))) {
    throw Error("the scale of the scene is not positive", "make the scene with mjv_makeScene, or set its scale");
  }
  return static_cast<double>(scene.scale);
}

// Cameras of a scene that was never updated are all zero, and divisions by them say nothing.
void CheckCameras(const mjvScene& scene) {
  for (const mjvGLCamera& camera : scene.camera) {
    if (camera.frustum_near < static_cast<float>(mjMINVAL)) {
      throw Error("a camera of the scene has no near plane", "call mjv_updateCamera or mjv_updateScene first");
    }
  }
}

Vec3<double> Unit(Vec3<double> v) {
  Normalize(v);
  return v;
}

float Mean(float a, float b) { return 0.5f * (a + b); }

}  // namespace

ScenePose RoomToModel(const mjvScene& scene, const ScenePose& room) {
  if (!scene.enabletransform) return room;
  const Quat<double> back = Conjugate(Rotation(scene));
  return {Rotate(back, room.pos - Load(scene.translate)) * (1 / Scale(scene)), back * room.quat};
}

ScenePose ModelToRoom(const mjvScene& scene, const ScenePose& model) {
  if (!scene.enabletransform) return model;
  const Quat<double> rotation = Rotation(scene);
  return {Rotate(rotation, model.pos) * Scale(scene) + Load(scene.translate), rotation * model.quat};
}

// The head is between the eyes and looks as they do in the mean.
Head HeadInRoom(const mjvScene& scene) {
  CheckCameras(scene);
  const mjvGLCamera &left = scene.camera[0], &right = scene.camera[1];
  return {(Load(left.pos) + Load(right.pos)) * 0.5, Unit(Load(left.forward) + Load(right.forward)),
          Unit(Load(left.up) + Load(right.up))};
}

Head HeadInModel(const mjvScene& scene) {
  Head head = HeadInRoom(scene);
  if (!scene.enabletransform) return head;
  const Quat<double> back = Conjugate(Rotation(scene));
  head.pos = RoomToModel(scene, {head.pos, {1, 0, 0, 0}}).pos;
  head.forward = Unit(Rotate(back, head.forward));
  head.up = Unit(Rotate(back, head.up));
  return head;
}

// Height of what is seen, relative to distance, or in metres for parallel projections.
double FrustumHeight(const mjvScene& scene) {
  CheckCameras(scene);
  if (scene.camera[0].orthographic != scene.camera[1].orthographic) {
    throw Error("one camera of the scene is orthographic and the other is not", "give both the same projection");
  }
  double sum = 0;
  for (const mjvGLCamera& camera : scene.camera) {
    const double height = static_cast<double>(camera.frustum_top) - static_cast<double>(camera.frustum_bottom);
    sum += camera.orthographic ? height : height / static_cast<double>(camera.frustum_near);
  }
  return sum / 2;
}

mjvGLCamera AverageCamera(const mjvGLCamera& a, const mjvGLCamera& b) {
  mjvGLCamera mean = a;
  const Vec3<double> forward = Unit(Load(a.forward) + Load(b.forward));
  const Vec3<double> up = Load(a.up) + Load(b.up);
  Store((Load(a.pos) + Load(b.pos)) * 0.5, mean.pos);
  Store(forward, mean.forward);
  Store(Unit(up - forward * Dot(up, forward)), mean.up);
  mean.frustum_center = Mean(a.frustum_center, b.frustum_center);
  mean.frustum_width = Mean(a.frustum_width, b.frustum_width);
  mean.frustum_bottom = Mean(a.frustum_bottom, b.frustum_bottom);
  mean.frustum_top = Mean(a.frustum_top, b.frustum_top);
  mean.frustum_near = Mean(a.frustum_near, b.frustum_near);
  mean.frustum_far = Mean(a.frustum_far, b.frustum_far);
  return mean;
}

// Turns a vector about the vertical so that y becomes the horizontal direction of sight.
Vec3<double> AlignToCamera(const Vec3<double>& v, const Vec3<double>& forward) {
  Vec3<double> y = {forward.x, forward.y, 0};
  Normalize(y);
  return {y.y * v.x + y.x * v.y, -y.x * v.x + y.y * v.y, v.z};
}

namespace {

// Components of a mouse movement along the right, the horizontal forward and the up direction, in the room.
Vec3<double> InRoom(const Vec3<double>& mouse, const Vec3<double>& forward, const Vec3<double>& up) {
  const Vec3<double> right = Unit(Cross(forward, up));
  return right * mouse.x + Cross(up, right) * mouse.y + up * mouse.z;
}

// The vector's direction is the axis, its length the angle: half a turn for the height of the window.
void TurnModel(const Vec3<double>& vector, mjvScene* scene) {
  Vec3<double> axis = vector;
  const double amount = Normalize(axis);
  const Quat<double> rotation = Normalized(AxisAngle(axis, kPi * amount) * Rotation(*scene));
  for (int i = 0; i < 4; ++i) scene->rotate[i] = static_cast<float>(rotation[i]);
}

}  // namespace

void MoveModel(const mjModel* m, int action, double dx, double dy, const Vec3<double>& room_up, mjvScene* scene) {
  if (!scene->enabletransform) return;
  const Vec3<double> forward = HeadInRoom(*scene).forward;
  const auto shift = [&](const Vec3<double>& mouse) {
    Store(Load(scene->translate) + InRoom(mouse, forward, room_up) * m->stat.extent, scene->translate);
  };
  switch (action) {
    case mjMOUSE_ROTATE_V:
      return TurnModel(InRoom({dy, 0, dx}, forward, room_up), scene);
    case mjMOUSE_ROTATE_H:
      return TurnModel(InRoom({dy, dx, 0}, forward, room_up), scene);
    case mjMOUSE_MOVE_V:
      return shift({dx, 0, -dy});
    case mjMOUSE_MOVE_H:
      return shift({dx, -dy, 0});
    case mjMOUSE_ZOOM: {
      const double scale = Scale(*scene);
      scene->scale = static_cast<float>(Clamp(scale + std::log1p(scale / 3) * dy * 3, 0.01, 100.0));
      return;
    }
    default:
      throw Error("mouse action " + std::to_string(action) + " does not move a model", "use one of mjtMouse");
  }
}

}  // namespace sinew::inline scene
