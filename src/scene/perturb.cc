// Perturbation of a selected body by the mouse: a reference pose follows the mouse, and springs pull the body
// there, or a paused body jumps to it. Poses are those of the inertial frame in the world; formulas are in
// docs/how/scene.md.
#include "scene/perturb.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/stack.h"
#include "inertia/inertia.h"
#include "kinematics/jacobian.h"
#include "kinematics/object.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/rows.h"
#include "model/view/view_of.h"
#include "scene/room.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

// The world cannot be pulled, and numbers come from programs.
bool HasSelection(const mjModel* m, const mjvPerturb& perturb) {
  return perturb.select > 0 && perturb.select < m->nbody;
}

// Turns from the inertial frame of a body to the world.
Quat<double> InertialQuat(const mjModel* m, const mjData* d, int body) {
  return ViewOf(d).xquat(body) * ViewOf(m).body_iquat(body);
}

// Position of the selected point in the world.
Vec SelectedPoint(const mjData* d, const mjvPerturb& perturb) {
  const int body = perturb.select;
  return ViewOf(d).xpos(body) + ViewOf(d).xmat(body) * LoadVec3(perturb.localpos);
}

// The mass that a force at the point moves, mean over its directions: 3 / tr(J M^-1 J').
double MassAt(const mjModel* m, mjData* d, const Vec& point, int body) {
  const int nv = static_cast<int>(m->nv);
  StackFrame frame(d);
  double *jac = frame.Doubles(3 * nv), *solved = frame.Doubles(3 * nv);
  Jac(m, d, jac, nullptr, &point.x, body);
  SolveM(m, d, solved, jac, 3);
  const double trace = Dot(jac, solved, 3 * nv);
  return trace < kMinVal ? 1 : 3 / trace;
}

// A pull at a vertex of a deformable flex moves its neighbours: the mass of a node with its edges.
double FlexFactor(const mjModel* m, const mjvPerturb& perturb) {
  const int flex = perturb.flexselect;
  if (flex < 0 || flex >= m->nflex || m->flex_rigid[flex]) return 1;
  return 2.0 * m->flex_edgenum[flex] / m->flex_vertnum[flex];
}

// Length in the world of a mouse movement over the height of the window, at the depth of a point.
double MouseScale(const mjvScene& scene, const Vec& point) {
  const Head head = HeadInModel(scene);
  const double depth = scene.camera[0].orthographic ? 0.15 : Dot(point - head.pos, head.forward);
  return FrustumHeight(scene) * depth;
}

// The reference of the body and that of the selected point move together.
void Shift(const Vec& by, mjvPerturb* perturb) {
  StoreVec3(LoadVec3(perturb->refpos) + by, perturb->refpos);
  StoreVec3(LoadVec3(perturb->refselpos) + by, perturb->refselpos);
}

// Turns the reference, at most a quarter turn away from the body: the shortest way back must not change its side.
void Turn(const mjModel* m, const mjData* d, Vec axis, mjvPerturb* perturb) {
  const double amount = Normalize(axis);
  Quat<double> reference = Normalized(AxisAngle(axis, 2 * kPi * amount) * LoadQuat(perturb->refquat));
  if (HasSelection(m, *perturb)) {
    const Quat<double> body = InertialQuat(m, d, perturb->select);
    Vec away = RotationVector(Conjugate(body) * reference);
    const double angle = Normalize(away);
    if (std::fabs(angle) > kPi / 2) reference = Normalized(body * AxisAngle(away, std::copysign(kPi / 2, angle)));
  }
  StoreQuat(reference, perturb->refquat);
}

}  // namespace

void InitPerturb(const mjModel* m, mjData* d, const mjvScene& scene, mjvPerturb* perturb) {
  if (!HasSelection(m, *perturb)) return;
  const int body = perturb->select;
  const Vec point = SelectedPoint(d, *perturb);
  StoreVec3(ViewOf(d).xipos(body), perturb->refpos);
  StoreQuat(InertialQuat(m, d, body), perturb->refquat);
  StoreVec3(point, perturb->refselpos);
  perturb->localmass = MassAt(m, d, point, body) * FlexFactor(m, *perturb);
  perturb->scale = MouseScale(scene, point);
}

void MovePerturb(const mjModel* m, const mjData* d, int action, double dx, double dy, const mjvScene& scene,
                 mjvPerturb* perturb) {
  const Vec forward = HeadInModel(scene).forward;
  // Movements relative to the body are along its own axes, y for the mouse's right.
  const auto along_body = [&](int axis) {
    const Mat3<double> mat = ViewOf(d).xmat(std::max(perturb->select, 0));
    return (mat.Column(axis) * dy + mat.Column(1) * dx) * perturb->scale;
  };
  switch (action) {
    case mjMOUSE_MOVE_V:
      return Shift(AlignToCamera({dx, 0, -dy}, forward) * perturb->scale, perturb);
    case mjMOUSE_MOVE_H:
      return Shift(AlignToCamera({dx, -dy, 0}, forward) * perturb->scale, perturb);
    case mjMOUSE_MOVE_V_REL:
      return Shift(along_body(2), perturb);
    case mjMOUSE_MOVE_H_REL:
      return Shift(along_body(0), perturb);
    case mjMOUSE_ROTATE_V:
      return Turn(m, d, AlignToCamera({dy, 0, dx}, forward), perturb);
    case mjMOUSE_ROTATE_H:
      return Turn(m, d, AlignToCamera({dy, dx, 0}, forward), perturb);
    case mjMOUSE_ZOOM:
      return;
    default:
      throw Error("mouse action " + std::to_string(action) + " does not exist", "use one of mjtMouse");
  }
}

// ---- poses

namespace {

// The reference pose is that of the inertial frame; this is the body frame's.
ScenePose ReferenceBody(const mjModel* m, const mjvPerturb& perturb) {
  const int body = perturb.select;
  const Quat<double> quat = Normalized(LoadQuat(perturb.refquat) * Conjugate(ViewOf(m).body_iquat(body)));
  return {LoadVec3(perturb.refpos) - Rotate(quat, ViewOf(m).body_ipos(body)), quat};
}

// The one joint of such a body is free, so that its pose is its position vector.
bool IsFree(const mjModel* m, int body) {
  return m->body_jntnum[body] == 1 && m->jnt_type[m->body_jntadr[body]] == mjJNT_FREE;
}

void StorePose(const ScenePose& pose, double* pos, double* quat) {
  StoreVec3(pose.pos, pos);
  StoreQuat(pose.quat, quat);
}

// The root moves so that the selected body, rigidly with it, comes to the reference.
ScenePose MovedRoot(const mjData* d, int root, int body, const ScenePose& target) {
  const Quat<double> back = Conjugate(ViewOf(d).xquat(body));
  const Quat<double> quat = Normalized(target.quat * (back * ViewOf(d).xquat(root)));
  const Vec offset = ViewOf(d).xpos(root) - ViewOf(d).xpos(body);
  return {target.pos + Rotate(target.quat, Rotate(back, offset)), quat};
}

}  // namespace

// Bodies of mocap follow always; free ones only while the simulation is paused, since forces move them else.
void ApplyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb& perturb, bool paused) {
  if (!HasSelection(m, perturb) || !(perturb.active | perturb.active2)) return;
  const int body = perturb.select, mocap = m->body_mocapid[body], root = m->body_rootid[body];
  const ScenePose target = ReferenceBody(m, perturb);
  if (mocap >= 0) {
    StorePose(target, Row3(d->mocap_pos, mocap), d->mocap_quat + 4 * mocap);
  } else if (paused && IsFree(m, root)) {
    double* qpos = d->qpos + m->jnt_qposadr[m->body_jntadr[root]];
    StorePose(root == body ? target : MovedRoot(d, root, body, target), qpos, qpos + 3);
  }
}

// ---- forces

namespace {

// Spring from the selected point to the reference, and a damper along it. With e the unit displacement:
//   F = -k m (p - p_ref) - sqrt(k) m p'     T = arm x F - sqrt(k_r) I (e . omega) e
void Pull(const mjModel* m, const mjData* d, const mjvPerturb& perturb, const Vec& spin, const Vec& com_velocity,
          double inertia, double* wrench) {
  const double stiffness = static_cast<double>(m->vis.map.stiffness);
  const double stiffness_rot = static_cast<double>(m->vis.map.stiffnessrot);
  const Vec point = SelectedPoint(d, perturb), arm = point - ViewOf(d).xipos(perturb.select);
  Vec away = point - LoadVec3(perturb.refselpos);
  const Vec velocity = com_velocity + Cross(spin, arm);
  const Vec force = (away * stiffness + velocity * std::sqrt(stiffness)) * -perturb.localmass;
  Normalize(away);
  const Vec torque = Cross(arm, force) - away * (std::sqrt(stiffness_rot) * inertia * Dot(away, spin));
  StoreVec3(force, wrench);
  StoreVec3(torque, wrench + 3);
}

// Spring from the inertial frame to the reference orientation, and a damper.
void Twist(const mjModel* m, const mjData* d, const mjvPerturb& perturb, const Vec& spin, double inertia,
           double* torque) {
  const double stiffness = static_cast<double>(m->vis.map.stiffnessrot);
  const Quat<double> apart = LoadQuat(perturb.refquat) * Conjugate(InertialQuat(m, d, perturb.select));
  const Vec turn = RotationVector(apart);
  StoreVec3(turn * (stiffness * inertia) - spin * (std::sqrt(stiffness) * inertia), torque);
}

}  // namespace

// Forces are in the world at the centre of mass. Those of a body that is not selected stay as the program set them. A
// turn replaces the torque of a pull.
void ApplyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb& perturb) {
  const int active = perturb.active | perturb.active2;
  if (!HasSelection(m, perturb) || !active) return;
  const int body = perturb.select;
  double velocity[6];
  ObjectVelocity(m, d, mjOBJ_BODY, body, velocity, false);
  const Vec spin = LoadVec3(velocity), com_velocity = LoadVec3(velocity + 3);
  const double weight = m->body_invweight0[2 * body + 1], inertia = weight == 0 ? 1 : 1 / weight;
  double* wrench = d->xfrc_applied + 6 * body;
  std::fill_n(wrench, 6, 0);
  if (active & mjPERT_TRANSLATE) Pull(m, d, perturb, spin, com_velocity, inertia, wrench);
  if (active & mjPERT_ROTATE) Twist(m, d, perturb, spin, inertia, wrench + 3);
}

}  // namespace sinew::inline scene
