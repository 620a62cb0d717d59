// Accelerations of bodies and forces on them, once the constraint forces are known, for one world and for lanes.
#ifndef SINEW_CONSTRAINT_BODY_FORCES_KERNEL_H_
#define SINEW_CONSTRAINT_BODY_FORCES_KERNEL_H_

#include "constraint/equality_kernel.h"
#include "force/passive_kernel.h"
#include "inertia/rne_kernel.h"
#include "kinematics/apply_kernel.h"
#include "math/mat3.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline constraint {
inline namespace SINEW_ISA {

//   in: qacc, ComVel          out: cacc
template <class S>
void BodyAccelerations(const ModelView<S>& m, const DataView<S>& d) {
  d.cacc(0) = WorldAcceleration(m);
  for (int b = 1; b < m.nbody(); ++b) d.cacc(b) = BodyAcceleration(m, d, b, true, d.cacc(m.body_parentid(b)));
}

// ---- cfrc_ext: applied wrenches, then those of constraints

template <class S>
void ApplyExternal(const ModelView<S>& m, const DataView<S>& d) {
  d.cfrc_ext(0) = ZeroSpatial<S>();
  for (int b = 1; b < m.nbody(); ++b) {
    const S* row = d.xfrc_applied_data() + 6 * b;
    d.cfrc_ext(b) = WrenchAt(m, d, LoadVec3(row), LoadVec3(row + 3), d.xipos(b), b);
  }
}

// A force, a torque, and the point where they act, of the lanes that have them.
template <class S>
struct PointWrench {
  Vec3<S> force, torque, point;
  MaskOf<S> present;
};

// Adds sign * wrench to the external wrench of a body; the world's stays zero. Lanes without it keep their sign of
// zero.
template <class S>
void AddExternal(const ModelView<S>& m, const DataView<S>& d, int body, double sign, const PointWrench<S>& wrench) {
  if (body <= 0) return;
  using Number = typename LaneTraits<S>::Lane;
  const Spatial<S> added = WrenchAt(m, d, wrench.force, wrench.torque, wrench.point, body) * S(Number(sign));
  Spatial<S>& sum = d.cfrc_ext(body);
  for (int k = 0; k < 6; ++k) sum[k] = Select(wrench.present, sum[k] + added[k], sum[k]);
}

// A contact pushes its second body along the normal, and its first the other way. `local`: force and torque in the
// contact's frame, whose rows are its axes.
template <class S>
void AddContactForce(const ModelView<S>& m, const DataView<S>& d, int body1, int body2, const Mat3<S>& frame,
                     const Vec3<S>& point, const S* local, MaskOf<S> present) {
  const PointWrench<S> wrench = {MulTransposed(frame, LoadVec3(local)), MulTransposed(frame, LoadVec3(local + 3)),
                                 point, present};
  AddExternal(m, d, body1, -1, wrench);
  AddExternal(m, d, body2, 1, wrench);
}

// Forces of the rows of a connect or weld. A weld's last three forces act on the sine of half the relative angle; the
// torque follows by the rows' Jacobian.
template <class S>
void AddEqualityForce(const ModelView<S>& m, const DataView<S>& d, int id, const S* row_force, MaskOf<S> present) {
  const bool weld = m.raw()->eq_type[id] == mjEQ_WELD;
  const EqualityPoseOf<S> pose = weld ? WeldPose(m, d, id) : ConnectPose(m, d, id);
  const Vec3<S> force = LoadVec3(row_force);
  const Vec3<S> torque = weld ? MulTransposed(WeldTorques(pose), LoadVec3(row_force + 3)) : Zero3<S>();
  AddExternal(m, d, pose.body[0], 1, PointWrench<S>{force, torque, pose.point[0], present});
  AddExternal(m, d, pose.body[1], -1, PointWrench<S>{force, torque, pose.point[1], present});
}

// ---- passive forces that act on bodies

// Whether a joint of the body, or before it, counts gravity compensation as a force of its actuators, which is then a
// force inside joints.
template <class S>
bool IsCompensatedByActuators(const ModelView<S>& m, int body) {
  for (int dof = LastDof(m.raw(), body); dof >= 0; dof = m.dof_parentid(dof)) {
    if (m.jnt_actgravcomp(m.dof_jntid(dof))) return true;
  }
  return false;
}

// The medium, gravity compensation and bushings.
template <class S>
void AddPassiveWrenches(const ModelView<S>& m, const DataView<S>& d) {
  if (PassiveDisabled(m.raw())) return;
  const auto add = [&](int body, const Vec3<S>& force, const Vec3<S>& torque, const Vec3<S>& point, MaskOf<S> present) {
    AddExternal(m, d, body, 1, PointWrench<S>{force, torque, point, present});
  };
  ForEachLift(m, d, [&](int body, const Vec3<S>& lift, MaskOf<S> present) {
    if (!IsCompensatedByActuators(m, body)) add(body, lift, Zero3<S>(), d.xipos(body), present);
  });
  ForBushings(m, d, [&](const BushingAt<S>& bushing) {
    const Spatial<S> load = bushing.Wrench(LoadOf(m, d, bushing));
    const PointWrench<S> wrench = {load.lin, load.rot, bushing.point(), S(0) == S(0)};
    AddExternal(m, d, bushing.body(0), 1, wrench);
    AddExternal(m, d, bushing.body(1), -1, wrench);
  });
  ForEachFluidWrench(m, d, [&](const ImmersedFrame<S>& frame, const Spatial<S>& local) {
    add(frame.body, frame.R * local.lin, frame.R * local.rot, frame.p, S(0) == S(0));
  });
}

// ---- forces inside joints

//   in: cacc, cfrc_ext, cinert, cvel          out: cfrc_int
template <class S>
void JointForces(const ModelView<S>& m, const DataView<S>& d) {
  // what the joint must supply beyond the external wrench
  d.cfrc_int(0) = ZeroSpatial<S>();
  for (int b = 1; b < m.nbody(); ++b) d.cfrc_int(b) = BodyForce(d.cinert(b), d.cvel(b), d.cacc(b)) - d.cfrc_ext(b);

  // inward: a joint carries all bodies behind it
  for (int b = m.nbody() - 1; b > 0; --b) d.cfrc_int(m.body_parentid(b)) += d.cfrc_int(b);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_BODY_FORCES_KERNEL_H_
