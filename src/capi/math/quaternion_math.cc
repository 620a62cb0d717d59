// Quaternions (w, x, y, z) and poses, a pose being a position and a quaternion. Results may be operands: everything is
// loaded before anything is stored. Quaternions are expected to have unit length, and angles are in radians.
#include <mujoco/mujoco.h>

#include <cstring>

#include "capi/arguments.h"
#include "math/mat3.h"
#include "math/orientation.h"
#include "math/quat.h"
#include "math/vec3.h"

using sinew::LoadQuat;
using sinew::LoadVec3;
using sinew::Quat;
using sinew::Vec3;

void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]) {
  SINEW_CHECK(mju_rotVecQuat);
  StoreVec3(Rotate(LoadQuat(quat), LoadVec3(vec)), res);
}
void mju_negQuat(mjtNum res[4], const mjtNum quat[4]) {
  SINEW_CHECK(mju_negQuat);
  StoreQuat(Conjugate(LoadQuat(quat)), res);
}
void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4]) {
  SINEW_CHECK(mju_mulQuat);
  StoreQuat(LoadQuat(quat1) * LoadQuat(quat2), res);
}
// The axis counts as a quaternion without real part.
void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]) {
  SINEW_CHECK(mju_mulQuatAxis);
  StoreQuat(MulPure(LoadQuat(quat), LoadVec3(axis)), res);
}
// The axis is expected to have unit length.
void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle) {
  SINEW_CHECK(mju_axisAngle2Quat);
  StoreQuat(AxisAngle(LoadVec3(axis), angle), res);
}
// The constant velocity that turns by the quaternion within dt.
void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt) {
  SINEW_CHECK(mju_quat2Vel);
  StoreVec3(RotationVector(LoadQuat(quat)) * (1 / dt), res);
}
// The rotation vector from qb to qa, in the frame of qb.
void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]) {
  SINEW_CHECK(mju_subQuat);
  StoreVec3(RotationVector(Conjugate(LoadQuat(qb)) * LoadQuat(qa)), res);
}
void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]) {
  SINEW_CHECK(mju_quat2Mat);
  const sinew::Mat3<double> R = ToMat3(LoadQuat(quat));
  std::memcpy(res, R.m, sizeof(R.m));
}
void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]) {
  SINEW_CHECK(mju_mat2Quat);
  StoreQuat(sinew::FromMatrix(sinew::LoadMat3(mat)), quat);
}
// The derivative of a quaternion that turns with a velocity given in the world's frame.
void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]) {
  SINEW_CHECK(mju_derivQuat);
  const Vec3<double> half = LoadVec3(vel) * 0.5;
  StoreQuat(Quat<double>{0, half.x, half.y, half.z} * LoadQuat(quat), res);
}
// The velocity is in the frame of the quaternion: the rotation is applied on the right.
void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale) {
  SINEW_CHECK(mju_quatIntegrate);
  Quat<double> q = LoadQuat(quat);
  Normalize(q);
  StoreQuat(q * ExpRotation(LoadVec3(vel), scale), quat);
}
// The shortest rotation from the z axis to the vector, which need not have unit length.
void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]) {
  SINEW_CHECK(mju_quatZ2Vec);
  StoreQuat(sinew::FromDirection(LoadVec3(vec)), quat);
}

// The nearest rotation to any matrix, by a few steps from the quaternion given (docs/how/utilities.md). Returns the
// number of steps.
int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]) {
  SINEW_CHECK(mju_mat2Rot);
  Quat<double> q = LoadQuat(quat);
  const int steps = sinew::PolarRotation(sinew::LoadMat3(mat), q);
  StoreQuat(q, quat);
  return steps;
}

// Small letters turn about moving axes, capital ones about fixed axes.
void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq) {
  SINEW_CHECK(mju_euler2Quat);
  mju_unit4(quat);
  if (std::strlen(seq) != 3) {
    mju_error("mju_euler2Quat: seq must contain exactly 3 characters");
    return;
  }
  if (const int bad = sinew::FirstBadAxis(seq); bad < 3) {
    mju_error("mju_euler2Quat: seq[%d] is '%c', should be one of x, y, z, X, Y, Z", bad, seq[bad]);
    return;
  }
  StoreQuat(sinew::FromEuler(euler, seq), quat);
}

// ---- poses: X_AC = X_AB X_BC

void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum quat1[4], const mjtNum pos2[3],
                 const mjtNum quat2[4]) {
  SINEW_CHECK(mju_mulPose);
  const Quat<double> q1 = LoadQuat(quat1);
  const Vec3<double> pos = LoadVec3(pos1) + Rotate(q1, LoadVec3(pos2));
  Quat<double> q = q1 * LoadQuat(quat2);
  Normalize(q);
  StoreVec3(pos, posres);
  StoreQuat(q, quatres);
}
// Computes X_BA from X_AB.
void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum quat[4]) {
  SINEW_CHECK(mju_negPose);
  const Quat<double> inverse = Conjugate(LoadQuat(quat));
  StoreVec3(-Rotate(inverse, LoadVec3(pos)), posres);
  StoreQuat(inverse, quatres);
}
// Brings a point from B's frame into A's: X_AB vec.
void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum vec[3]) {
  SINEW_CHECK(mju_trnVecPose);
  StoreVec3(LoadVec3(pos) + Rotate(LoadQuat(quat), LoadVec3(vec)), res);
}
