// Decoration of the model's cameras and lights.
#include <algorithm>

#include "math/orientation.h"
#include "math/quat.h"
#include "model/view/view_of.h"
#include "scene/camera.h"
#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;

constexpr float kSeeThrough = 0.3f;    // alpha of cameras with a frustum
constexpr double kLineWidth = 3;       // [pixel]
constexpr double kLightOffset = 1e-4;  // keeps the light's own cylinder behind it

// ---- cameras

// Corners of the frustum at a distance from the head, counter-clockwise from the lower left.
struct Corners {
  Vec corner[4];
};

// `distance` is along the line of sight [m], and `scale` how much wider than at the near plane the frustum is there.
Corners CornersAt(const CameraFrame& head, const Frustum& frustum, double distance, double scale) {
  const Vec middle = head.pos + head.forward * distance;
  const Vec left = head.right * (-frustum.left * scale), right = head.right * (frustum.right * scale);
  const Vec top = head.up * (frustum.top * scale), bottom = head.up * (-frustum.bottom * scale);
  return {{middle + left + bottom, middle + right + bottom, middle + right + top, middle + left + top}};
}

// The plane through three points as a triangle; its matrix has unit edges and the unit normal as columns.
void PushTriangle(SceneBuilder& s, const SceneTag& tag, const Vec& a, const Vec& b, const Vec& c, const float* rgba) {
  Vec e1 = b - a, e2 = c - a, normal = Cross(e1, e2);
  const double l1 = Normalize(e1), l2 = Normalize(e2), l3 = Normalize(normal);
  s.PushShape(tag, mjGEOM_TRIANGLE, {l1, l2, l3}, a, FromColumns(e1, e2, normal), rgba);
}

// A camera without a sensor has no width of its own; its resolution in pixels gives one.
void AddFrustum(SceneBuilder& s, int id) {
  mjvCamera camera = {};
  camera.type = mjCAMERA_FIXED;
  camera.fixedcamid = id;
  const CameraFrame head = FindCameraFrame(s.m, s.d, camera);
  Frustum frustum = FindFrustum(s.m, camera);
  const int* pixels = s.m->cam_resolution + 2 * id;
  if (frustum.right == 0) frustum.left = frustum.right = frustum.top * pixels[0] / pixels[1];
  const bool parallel = s.m->cam_projection[id] == mjPROJ_ORTHOGRAPHIC;
  const double distance = parallel ? (frustum.right + frustum.top) / 2 : s.Scaled(s.m->vis.scale.frustum);
  const Corners near = CornersAt(head, frustum, frustum.near, 1);
  const Corners far = CornersAt(head, frustum, distance, parallel ? 1 : distance / frustum.near);

  const SceneTag tag = Decor(id, mjOBJ_CAMERA);
  const float* rgba = s.m->vis.rgba.frustum;
  for (int i = 0; i < 4; ++i) {
    const int next = (i + 1) % 4;
    PushTriangle(s, tag, near.corner[i], far.corner[i], near.corner[next], rgba);
    PushTriangle(s, tag, far.corner[i], far.corner[next], near.corner[next], rgba);
    s.PushConnector(tag, mjGEOM_LINE, kLineWidth, near.corner[i], near.corner[next], rgba);
    s.PushConnector(tag, mjGEOM_LINE, kLineWidth, far.corner[i], far.corner[next], rgba);
    s.PushConnector(tag, mjGEOM_LINE, kLineWidth, near.corner[i], far.corner[i], rgba);
  }
}

// A box with a lens in front.
void AddCamera(SceneBuilder& s, int id) {
  const mjModel* m = s.m;
  const double size = s.Scaled(m->vis.scale.camera);
  const Vec pos = s.data.cam_xpos(id);
  const Mat mat = s.data.cam_xmat(id);
  const bool has_frustum = ViewOf(m).cam_resolution(id)[0] > 1 && ViewOf(m).cam_resolution(id)[1] > 1;
  float rgba[4];
  std::copy_n(m->vis.rgba.camera, 4, rgba);
  if (has_frustum) {
    rgba[3] = kSeeThrough;
    AddFrustum(s, id);
  }
  mjvGeom box = s.Shape(Decor(id, mjOBJ_CAMERA), mjGEOM_BOX, Vec{1, 0.8, 0.4} * size, pos, mat, rgba);
  if (s.Labels(mjLABEL_CAMERA)) s.Name(&box, mjOBJ_CAMERA, id);
  s.Push(box);
  for (int i = 0; i < 3; ++i) rgba[i] *= 0.5f;
  s.PushShape(Decor(id, mjOBJ_CAMERA), mjGEOM_CYLINDER, Vec{0.4, 0.3, 0} * size, pos - mat.Column(2) * (0.6 * size),
              mat, rgba);
}

}  // namespace

void AddCameras(SceneBuilder& s) {
  if (!s.Shows(mjVIS_CAMERA)) return;
  for (int id = 0; id < s.m->ncam; ++id) {
    AddCamera(s, id);
    if (s.Frames(mjFRAME_CAMERA)) s.PushFrame(Decor(id), s.data.cam_xpos(id), s.data.cam_xmat(id));
  }
}

// ---- lights

void AddLights(SceneBuilder& s) {
  if (!s.Shows(mjVIS_LIGHT)) return;
  const double size = s.Scaled(s.m->vis.scale.light);
  for (int id = 0; id < s.m->nlight; ++id) {
    const Vec pos = s.data.light_xpos(id), direction = s.data.light_xdir(id);
    const Mat mat = ToMat3(FromDirection(direction));
    mjvGeom geom = s.Shape(Decor(id, mjOBJ_LIGHT), mjGEOM_CYLINDER, Vec{0.8, 1, 0} * size,
                           pos - direction * (size + kLightOffset), mat, s.m->vis.rgba.light);
    if (s.Labels(mjLABEL_LIGHT)) s.Name(&geom, mjOBJ_LIGHT, id);
    s.Push(geom);
    if (s.Frames(mjFRAME_LIGHT)) s.PushFrame(Decor(id), pos, mat);
  }
}

}  // namespace sinew::inline scene
