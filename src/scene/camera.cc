// Pose and frustum of the cameras of a scene, and their movement by the mouse; formulas are in
// docs/how/scene.md. Angles of cameras are in degrees, lengths in metres; movements of the mouse are relative to the
// height of the window.
#include "scene/camera.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/memory.h"
#include "kinematics/camera_image.h"
#include "math/rows.h"
#include "model/view/view_of.h"
#include "scene/room.h"
#include "simd/functions.h"

namespace sinew::inline scene {
namespace {

constexpr double kDegree = kPi / 180;
constexpr double kSteepest = 89;  // degrees; above it the vertical has no meaning

// Throws Error for a number that the model does not have.
void CheckId(int id, mjtSize count, const char* what) {
  if (id >= 0 && id < count) return;
  throw Error(std::string(what) + " " + std::to_string(id) + " does not exist",
              "the model has " + std::to_string(count));
}

// A camera on a sphere about the point it looks at.
CameraFrame FreeFrame(const mjvCamera& camera) {
  const double ca = std::cos(camera.azimuth * kDegree), sa = std::sin(camera.azimuth * kDegree);
  const double ce = std::cos(camera.elevation * kDegree), se = std::sin(camera.elevation * kDegree);
  CameraFrame frame = {{}, {ce * ca, ce * sa, se}, {-se * ca, -se * sa, ce}, {sa, -ca, 0}};
  frame.pos = LoadVec3(camera.lookat) - frame.forward * camera.distance;
  return frame;
}

// A camera of a model looks along its own -z.
// A world without its model: between two neighbouring arrays lie the rows of the first.
int CameraCount(const mjData& d) {
  constexpr size_t kRow = 9 * sizeof(mjtNum);
  static_assert(kRow > kMemoryAlignment);
  const auto bytes = reinterpret_cast<const char*>(d.light_xpos) - reinterpret_cast<const char*>(d.cam_xmat);
  return static_cast<int>(static_cast<size_t>(bytes) / kRow);
}

CameraFrame FixedFrame(const mjData* d, int id) {
  const mjtNum* mat = d->cam_xmat + 9 * id;
  const auto axis = [mat](int i) { return Vec3<double>{mat[i], mat[3 + i], mat[6 + i]}; };
  return {ViewOf(d).cam_xpos(id), -axis(2), axis(1), axis(0)};
}

void Store(const Vec3<double>& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}

bool IsFixed(const mjvCamera& camera) { return camera.type == mjCAMERA_FIXED; }

// The projection of a fixed camera is its own, that of all others the model's.
bool IsOrthographic(const mjModel* m, const mjvCamera& camera) {
  return IsFixed(camera) ? m->cam_projection[camera.fixedcamid] == mjPROJ_ORTHOGRAPHIC
                         : m->vis.global.orthographic != 0;
}

}  // namespace

CameraFrame FindCameraFrame(const mjModel* m, const mjData* d, const mjvCamera& camera) {
  if (!IsFixed(camera)) return FreeFrame(camera);
  CheckId(camera.fixedcamid, m ? m->ncam : CameraCount(*d), "camera");
  return FixedFrame(d, camera.fixedcamid);
}

// Left, right, bottom and top are lengths from the axis at the near plane. Without a sensor, left and right are zero:
// the width then follows from the window, which is not known here.
Frustum FindFrustum(const mjModel* m, const mjvCamera& camera) {
  const double extent = m->stat.extent;
  Frustum frustum = {
      0, 0, 0, 0, static_cast<double>(m->vis.map.znear) * extent, static_cast<double>(m->vis.map.zfar) * extent};
  if (IsFixed(camera)) {
    CheckId(camera.fixedcamid, m->ncam, "camera");
    const CameraLens lens = LensOf(m, camera.fixedcamid);
    const double distance = lens.orthographic ? 1 : frustum.near;
    frustum.top = distance * lens.center_y / lens.focal_y;
    frustum.bottom = distance * (1 - lens.center_y) / lens.focal_y;
    if (lens.focal_x > 0) {
      frustum.left = distance * lens.center_x / lens.focal_x;
      frustum.right = distance * (1 - lens.center_x) / lens.focal_x;
    }
    return frustum;
  }
  const double fovy = static_cast<double>(m->vis.global.fovy);
  const bool orthographic = m->vis.global.orthographic != 0;
  frustum.top = frustum.bottom = orthographic ? fovy / 2 : frustum.near * std::tan(fovy / 2 * kDegree);
  return frustum;
}

// A tracking camera looks at its body first, and then stands as a free one does. The transform into a room is
// switched off, as the cameras are in the model again.
void UpdateCamera(const mjModel* m, const mjData* d, mjvCamera* camera, mjvScene* scene) {
  if (!camera || camera->type == mjCAMERA_USER) return;
  if (camera->type == mjCAMERA_TRACKING) {
    CheckId(camera->trackbodyid, m->nbody, "body");
    std::copy_n(Row3(d->subtree_com, camera->trackbodyid), 3, camera->lookat);
  } else if (camera->type != mjCAMERA_FREE && !IsFixed(*camera)) {
    throw Error("the type of the camera is " + std::to_string(camera->type), "use one of mjtCamera");
  }
  const CameraFrame frame = FindCameraFrame(m, d, *camera);
  const Frustum frustum = FindFrustum(m, *camera);
  const double ipd = IsFixed(*camera) ? m->cam_ipd[camera->fixedcamid] : static_cast<double>(m->vis.global.ipd);

  scene->enabletransform = 0;
  for (int eye = 0; eye < 2; ++eye) {
    mjvGLCamera& view = scene->camera[eye];
    Store(frame.pos + frame.right * (eye == 0 ? -ipd / 2 : ipd / 2), view.pos);
    Store(frame.forward, view.forward);
    Store(frame.up, view.up);
    view.frustum_top = static_cast<float>(frustum.top);
    view.frustum_bottom = static_cast<float>(-frustum.bottom);
    view.frustum_center = static_cast<float>((frustum.right - frustum.left) / 2);
    view.frustum_width = static_cast<float>((frustum.right + frustum.left) / 2);
    view.frustum_near = static_cast<float>(frustum.near);
    view.frustum_far = static_cast<float>(frustum.far);
    view.orthographic = IsOrthographic(m, *camera);
  }
}

// ---- the mouse

namespace {

// Keeps what is under the mouse under it: lengths at the distance of the point that the camera looks at.
void MoveLookat(int action, double dx, double dy, const mjvScene& scene, mjvCamera* camera) {
  const Head head = HeadInModel(scene);
  const Vec3<double> lookat = LoadVec3(camera->lookat);
  const double distance = scene.camera[0].orthographic ? 0.15 : Dot(lookat - head.pos, head.forward);
  const Vec3<double> mouse = action == mjMOUSE_MOVE_V ? Vec3<double>{dx, 0, -dy} : Vec3<double>{dx, -dy, 0};
  StoreVec3(lookat - AlignToCamera(mouse, head.forward) * (FrustumHeight(scene) * distance), camera->lookat);
}

// Lookat moves along the camera's own axes; dx and dy are metres here, and not shares of what the window shows.
void MoveRelative(int action, double dx, double dy, const mjvScene& scene, mjvCamera* camera) {
  const Head head = HeadInModel(scene);
  const Vec3<double> along = action == mjMOUSE_MOVE_V_REL ? head.up : head.forward;
  StoreVec3(LoadVec3(camera->lookat) + along * dy + Cross(head.forward, head.up) * dx, camera->lookat);
}

// Angles come back into their range, and the distance stays between a hundredth of the model's extent and a hundred.
void Bound(double extent, mjvCamera* camera) {
  if (camera->azimuth > 180) camera->azimuth -= 360;
  if (camera->azimuth < -180) camera->azimuth += 360;
  camera->elevation = std::clamp(camera->elevation, -kSteepest, kSteepest);
  camera->distance = std::clamp(camera->distance, 0.01 * extent, 100 * extent);
}

}  // namespace

// A fixed camera stands where the model says, and a tracking one looks at its body: both ignore what would move them
// away.
void MoveCamera(const mjModel* m, int action, double dx, double dy, const mjvScene* scene, mjvCamera* camera) {
  if (IsFixed(*camera)) return;
  const double extent = m->stat.extent;
  const bool tracks = camera->type == mjCAMERA_TRACKING;
  switch (action) {
    case mjMOUSE_ROTATE_V:
    case mjMOUSE_ROTATE_H:
      camera->azimuth -= 180 * dx;
      camera->elevation -= 180 * dy;
      break;
    case mjMOUSE_MOVE_V:
    case mjMOUSE_MOVE_H:
      if (!tracks) MoveLookat(action, dx, dy, *scene, camera);
      break;
    case mjMOUSE_MOVE_V_REL:
    case mjMOUSE_MOVE_H_REL:
      if (!tracks) MoveRelative(action, dx, dy, *scene, camera);
      break;
    case mjMOUSE_ZOOM:
      camera->distance -= std::log1p(camera->distance / (3 * extent)) * dy * 9 * extent;
      break;
    default:
      throw Error("mouse action " + std::to_string(action) + " does not exist", "use one of mjtMouse");
  }
  Bound(extent, camera);
}

}  // namespace sinew::inline scene
