// Abstract visualization (mjv_*): defaults, cameras, geoms of a scene, selection, perturbations, and the room in which
// a scene stands. Model space is the world of mjData; room space is the space in which its viewer stands. Arguments
// that return something may be null.
#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "scene/camera.h"
#include "scene/defaults.h"
#include "scene/deformables.h"
#include "scene/geom.h"
#include "scene/lights.h"
#include "scene/perturb.h"
#include "scene/room.h"
#include "scene/scene.h"
#include "scene/select.h"
#include "scene/update.h"

using sinew::Head;
using sinew::LoadQuat;
using sinew::LoadVec3;
using sinew::ScenePose;
using sinew::StoreQuat;
using sinew::StoreVec3;
using sinew::capi::Guard;

namespace {

// A head is where a viewer stands, where it looks, and which way is up.
void Store(const Head& head, mjtNum* pos, mjtNum* forward, mjtNum* up) {
  if (pos) StoreVec3(head.pos, pos);
  if (forward) StoreVec3(head.forward, forward);
  if (up) StoreVec3(head.up, up);
}

void Store(const ScenePose& pose, mjtNum* pos, mjtNum* quat) {
  StoreVec3(pose.pos, pos);
  StoreQuat(pose.quat, quat);
}

void Store(double first, double second, float* to) {
  if (!to) return;
  to[0] = static_cast<float>(first);
  to[1] = static_cast<float>(second);
}

}  // namespace

// ---- defaults

void mjv_defaultCamera(mjvCamera* cam) {
  SINEW_CHECK(mjv_defaultCamera);
  sinew::SetDefaults(cam);
}
void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam) {
  SINEW_CHECK(mjv_defaultFreeCamera);
  sinew::SetFreeCamera(m, cam);
}
void mjv_defaultPerturb(mjvPerturb* pert) {
  SINEW_CHECK(mjv_defaultPerturb);
  sinew::SetDefaults(pert);
}
void mjv_defaultOption(mjvOption* opt) {
  SINEW_CHECK(mjv_defaultOption);
  sinew::SetDefaults(opt);
}
void mjv_defaultFigure(mjvFigure* fig) {
  SINEW_CHECK(mjv_defaultFigure);
  sinew::SetDefaults(fig);
}

// ---- geoms

void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3], const mjtNum mat[9],
                  const float rgba[4]) {
  SINEW_CHECK(mjv_initGeom);
  sinew::InitGeom(geom, type, size, pos, mat, rgba);
}
// Sets size and pose of a geom so that it reaches from one point to the other; width is in metres.
void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3], const mjtNum to[3]) {
  SINEW_CHECK(mjv_connector);
  Guard("mjv_connector", [=] { sinew::ConnectPoints(geom, type, width, from, to); });
}

// ---- memory

void mjv_defaultScene(mjvScene* scn) {
  SINEW_CHECK(mjv_defaultScene);
  sinew::SetDefaults(scn);
}
void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom) {
  SINEW_CHECK(mjv_makeScene);
  Guard("mjv_makeScene", [=] { sinew::MakeScene(m, scn, maxgeom); });
}
void mjv_freeScene(mjvScene* scn) {
  SINEW_CHECK(mjv_freeScene);
  sinew::FreeScene(scn);
}

// ---- lights

void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn) {
  SINEW_CHECK(mjv_makeLights);
  Guard("mjv_makeLights", [=] { sinew::MakeLights(m, d, scn); });
}

// ---- cameras

// Works for cameras that need no model, so it takes none.
void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3], const mjData* d,
                     const mjvCamera* cam) {
  SINEW_CHECK(mjv_cameraFrame);
  Guard("mjv_cameraFrame", [=] {
    const sinew::CameraFrame frame = sinew::FindCameraFrame(nullptr, d, *cam);
    Store({frame.pos, frame.forward, frame.up}, headpos, forward, up);
    if (right) StoreVec3(frame.right, right);
  });
}
// Distances of the borders of the view from its axis at the near plane, and of the near and far planes, in metres.
void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m, const mjvCamera* cam) {
  SINEW_CHECK(mjv_cameraFrustum);
  Guard("mjv_cameraFrustum", [=] {
    const sinew::Frustum frustum = sinew::FindFrustum(m, *cam);
    Store(frustum.top, frustum.bottom, zver);
    Store(frustum.left, frustum.right, zhor);
    Store(frustum.near, frustum.far, zclip);
  });
}
void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn) {
  SINEW_CHECK(mjv_updateCamera);
  if (!m || !d || !cam) return;  // nothing to update
  Guard("mjv_updateCamera", [=] { sinew::UpdateCamera(m, d, cam, scn); });
}
// Motions are fractions of the window's height; the action says whether they turn, move or zoom.
void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjvScene* scn, mjvCamera* cam) {
  SINEW_CHECK(mjv_moveCamera);
  Guard("mjv_moveCamera", [=] { sinew::MoveCamera(m, action, reldx, reldy, scn, cam); });
}
// The camera in the middle of two eyes.
mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2) {
  SINEW_CHECK(mjv_averageCamera);
  return sinew::AverageCamera(*cam1, *cam2);
}

// ---- scenes

// Replaces all geoms, lights and cameras of the scene.
void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert, mjvCamera* cam,
                     int catmask, mjvScene* scn) {
  SINEW_CHECK(mjv_updateScene);
  Guard("mjv_updateScene", [=] { sinew::UpdateScene(m, d, opt, pert, cam, catmask, scn); });
}
void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert, int catmask,
                  mjvScene* scn) {
  SINEW_CHECK(mjv_addGeoms);
  Guard("mjv_addGeoms", [=] { sinew::AppendGeoms(m, d, opt, pert, catmask, scn); });
}
void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn) {
  SINEW_CHECK(mjv_updateSkin);
  Guard("mjv_updateSkin", [=] { sinew::UpdateSkins(m, d, scn); });
}
// Coordinates are fractions of the window from its lower left corner. Returns the body, -1 for none, and the point in
// the world's frame.
int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio, mjtNum relx, mjtNum rely,
               const mjvScene* scn, mjtNum selpnt[3], int geomid[1], int flexid[1], int skinid[1]) {
  SINEW_CHECK(mjv_select);
  return Guard("mjv_select", [=] {
    const sinew::scene::Selection selection = sinew::scene::SelectAt(m, d, *vopt, *scn, aspectratio, relx, rely);
    if (geomid) *geomid = selection.geom;
    if (flexid) *flexid = selection.flex;
    if (skinid) *skinid = selection.skin;
    StoreVec3(selection.point, selpnt);
    return selection.body;
  });
}

// ---- perturbations

void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert) {
  SINEW_CHECK(mjv_initPerturb);
  if (!scn) return;  // nothing is selected
  Guard("mjv_initPerturb", [=] { sinew::InitPerturb(m, d, *scn, pert); });
}
void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx, mjtNum reldy, const mjvScene* scn,
                     mjvPerturb* pert) {
  SINEW_CHECK(mjv_movePerturb);
  Guard("mjv_movePerturb", [=] { sinew::MovePerturb(m, d, action, reldx, reldy, *scn, pert); });
}
// Puts mocap bodies, and in a paused simulation bodies of free trees, at the reference pose.
void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert, int flg_paused) {
  SINEW_CHECK(mjv_applyPerturbPose);
  Guard("mjv_applyPerturbPose", [=] { sinew::ApplyPerturbPose(m, d, *pert, flg_paused != 0); });
}
// The force of a spring towards the reference pose goes to xfrc_applied of the selected body.
void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert) {
  SINEW_CHECK(mjv_applyPerturbForce);
  Guard("mjv_applyPerturbForce", [=] { sinew::ApplyPerturbForce(m, d, *pert); });
}

// ---- the room

// Moves the model in the room, whose vertical is roomup.
void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjtNum roomup[3], mjvScene* scn) {
  SINEW_CHECK(mjv_moveModel);
  Guard("mjv_moveModel", [=] { sinew::MoveModel(m, action, reldx, reldy, LoadVec3(roomup), scn); });
}

void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3], const mjtNum roomquat[4],
                    const mjvScene* scn) {
  SINEW_CHECK(mjv_room2model);
  Guard("mjv_room2model", [=] {
    Store(sinew::RoomToModel(*scn, {LoadVec3(roompos), LoadQuat(roomquat)}), modelpos, modelquat);
  });
}
void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3], const mjtNum modelquat[4],
                    const mjvScene* scn) {
  SINEW_CHECK(mjv_model2room);
  Guard("mjv_model2room", [=] {
    Store(sinew::ModelToRoom(*scn, {LoadVec3(modelpos), LoadQuat(modelquat)}), roompos, roomquat);
  });
}
void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn) {
  SINEW_CHECK(mjv_cameraInModel);
  Guard("mjv_cameraInModel", [=] { Store(sinew::HeadInModel(*scn), headpos, forward, up); });
}
void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn) {
  SINEW_CHECK(mjv_cameraInRoom);
  Guard("mjv_cameraInRoom", [=] { Store(sinew::HeadInRoom(*scn), headpos, forward, up); });
}
// The height of what is seen at unit distance, or everywhere for an orthographic projection.
mjtNum mjv_frustumHeight(const mjvScene* scn) {
  SINEW_CHECK(mjv_frustumHeight);
  return Guard("mjv_frustumHeight", [=] { return sinew::FrustumHeight(*scn); });
}
// Turns the vector about the vertical, so that its y axis points along the horizontal part of `forward`.
void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]) {
  SINEW_CHECK(mjv_alignToCamera);
  StoreVec3(sinew::AlignToCamera(LoadVec3(vec), LoadVec3(forward)), res);
}
