// Exported functions of positions and velocities. Stages write the arrays of mjData that they are named after; the rest
// of this file returns velocities of objects.
#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "kinematics/flex.h"
#include "kinematics/frame_kernel.h"
#include "kinematics/kinematics.h"
#include "kinematics/object.h"
#include "kinematics/tendon.h"
#include "kinematics/transmission.h"
#include "kinematics/velocity.h"
#include "model/storage/data.h"
#include "step/sleep.h"

using sinew::capi::Guard;

extern "C" {

// Trees that were woken in the meantime are included.
void mj_kinematics(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_kinematics);
  Guard("mj_kinematics", [&] { sinew::KinematicsAndWake(m, d); });
}

void mj_comPos(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_comPos);
  Guard("mj_comPos", [&] { sinew::ComPos(m, d); });
}

void mj_camlight(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_camlight);
  Guard("mj_camlight", [&] { sinew::CamLight(m, d); });
}

void mj_flex(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_flex);
  Guard("mj_flex", [&] { sinew::Flex(m, d); });
}

void mj_tendon(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_tendon);
  Guard("mj_tendon", [&] { sinew::Tendon(m, d); });
}

void mj_transmission(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_transmission);
  Guard("mj_transmission", [&] { sinew::Transmission(m, d); });
}

void mj_comVel(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_comVel);
  Guard("mj_comVel", [&] { sinew::ComVel(m, d); });
}

void mj_subtreeVel(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_subtreeVel);
  Guard("mj_subtreeVel", [&] { sinew::SubtreeVel(m, d); });
}

// The result is (rotation, translation) at the origin of the object, in the world's axes, or with flg_local in those of
// the object.
void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local) {
  SINEW_CHECK(mj_objectVelocity);
  Guard("mj_objectVelocity", [&] { sinew::ObjectVelocity(m, d, objtype, objid, res, flg_local != 0); });
}

// Accelerations contain gravity as an upward acceleration; they need mj_rnePostConstraint.
void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local) {
  SINEW_CHECK(mj_objectAcceleration);
  Guard("mj_objectAcceleration", [&] { sinew::ObjectAcceleration(m, d, objtype, objid, res, flg_local != 0); });
}

// The pose of something that is given in the frame of a body; sameframe says where that frame stands for the body.
void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const mjtNum quat[4], int body,
                     mjtByte sameframe) {
  SINEW_CHECK(mj_local2Global);
  // a part that is not asked for may lack its local value
  const sinew::Vec3<mjtNum> local = pos ? sinew::LoadVec3(pos) : sinew::Zero3<mjtNum>();
  const sinew::Quat<mjtNum> turn = quat ? sinew::LoadQuat(quat) : sinew::IdentityQuat<mjtNum>();
  sinew::Vec3<mjtNum> p;
  sinew::Mat3<mjtNum> R;
  sinew::ComputeFrame(sinew::DataView<mjtNum>(d), body, sameframe, local, turn, p, R);
  if (xpos) sinew::StoreVec3(p, xpos);
  for (int i = 0; xmat && i < 9; ++i) xmat[i] = R.m[i];
}

}  // extern "C"
