// Positions and velocities live in different spaces: orientations are unit quaternions, and the velocity of a ball is a
// vector in the axes of its child. These operations lead from one to the other.
//
//   Integrate       q <- q + h v:        scalars add, quaternions turn: q <- q exp(h v / 2)
//   Differentiate   v  = (q2 - q1) / h,  log(q1* q2) for quaternions, with angles in (-pi, pi]
#ifndef SINEW_INTEGRATE_POSITION_KERNEL_H_
#define SINEW_INTEGRATE_POSITION_KERNEL_H_

#include "math/quat.h"
#include "model/view/model_view.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// Calls scalar(qposadr, dofadr) for every coordinate that is a number, and rotation(qposadr, dofadr) for every
// quaternion.
template <class S, class Scalar, class Rotation>
void ForEachCoordinate(const ModelView<S>& m, Scalar scalar, Rotation rotation) {
  for (int joint = 0; joint < m.njnt(); ++joint) {
    int adr = m.jnt_qposadr(joint), dof = m.jnt_dofadr(joint);
    switch (m.jnt_type(joint)) {
      case mjJNT_FREE:
        for (int k = 0; k < 3; ++k) scalar(adr++, dof++);
        [[fallthrough]];
      case mjJNT_BALL:
        rotation(adr, dof);
        break;
      default:
        scalar(adr, dof);
    }
  }
}

// The quaternion is normalized before, not after it is turned. Dofs for which `moves` says no keep their positions.
template <class S, class Moves>
void IntegratePos(const ModelView<S>& m, S* qpos, const S* qvel, S h, Moves moves) {
  ForEachCoordinate(
      m,
      [&](int adr, int dof) {
        if (moves(dof)) qpos[adr] += h * qvel[dof];
      },
      [&](int adr, int dof) {
        if (!moves(dof)) return;
        const Quat<S> q = Normalized(LoadQuat(qpos + adr));
        StoreQuat(q * ExpRotation(LoadVec3(qvel + dof), h), qpos + adr);
      });
}

template <class S>
void IntegratePos(const ModelView<S>& m, S* qpos, const S* qvel, S h) {
  IntegratePos(m, qpos, qvel, h, [](int) { return true; });
}

template <class S>
void DifferentiatePos(const ModelView<S>& m, S* qvel, S h, const S* qpos1, const S* qpos2) {
  ForEachCoordinate(
      m, [&](int adr, int dof) { qvel[dof] = (qpos2[adr] - qpos1[adr]) / h; },
      [&](int adr, int dof) {
        const Vec3<S> turn = RotationVector(Conjugate(LoadQuat(qpos1 + adr)) * LoadQuat(qpos2 + adr));
        StoreVec3(turn * (S(1) / h), qvel + dof);
      });
}

template <class S>
void NormalizeQuat(const ModelView<S>& m, S* qpos) {
  ForEachCoordinate(
      m, [](int, int) {}, [&](int adr, int) { StoreQuat(Normalized(LoadQuat(qpos + adr)), qpos + adr); });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_POSITION_KERNEL_H_
