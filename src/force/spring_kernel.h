// Springs, dampers and gravity compensation of joints and tendons, and bushings.
//
//   in:  qpos, qvel, ten_length, ten_velocity, ten_J; cdof, xipos, subtree_com for gravity compensation, site_xpos and
//        site_xmat for bushings
//   out: added to qfrc_spring, qfrc_damper, qfrc_gravcomp
#ifndef SINEW_FORCE_SPRING_KERNEL_H_
#define SINEW_FORCE_SPRING_KERNEL_H_

#include "force/bushing_kernel.h"
#include "force/polynomial_kernel.h"
#include "force/spring_law_kernel.h"
#include "kinematics/apply_kernel.h"
#include "math/quat.h"
#include "math/sparse.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// Displacement of a slide or hinge from the configuration in which its spring is at rest.
template <class S>
S JointDisplacement(const ModelView<S>& m, const DataView<S>& d, int joint) {
  const int adr = m.jnt_qposadr(joint);
  return d.qpos(adr) - m.qpos_spring(adr);
}

// Displacement of the three position coordinates that begin at `adr`.
template <class S>
Vec3<S> PositionDisplacement(const ModelView<S>& m, const DataView<S>& d, int adr) {
  return {d.qpos(adr) - m.qpos_spring(adr), d.qpos(adr + 1) - m.qpos_spring(adr + 1),
          d.qpos(adr + 2) - m.qpos_spring(adr + 2)};
}

// Rotation vector that leads from the rest orientation to that of the quaternion at `adr`, in the child's axes.
template <class S>
Vec3<S> RotationDisplacement(const ModelView<S>& m, const DataView<S>& d, int adr) {
  const Quat<S> rest = {m.qpos_spring(adr), m.qpos_spring(adr + 1), m.qpos_spring(adr + 2), m.qpos_spring(adr + 3)};
  return RotationVector(Conjugate(rest) * Normalized(LoadQuat(d.qpos_data() + adr)));
}

// How far a tendon is longer (positive) or shorter (negative) than the range in which its spring is slack.
template <class S>
S TendonDisplacementAt(const ModelView<S>& m, int tendon, S length) {
  const S lower = m.tendon_lengthspring(tendon)[0], upper = m.tendon_lengthspring(tendon)[1];
  return Select(length > upper, length - upper, Select(length < lower, length - lower, S(0)));
}
template <class S>
S TendonDisplacement(const ModelView<S>& m, const DataView<S>& d, int tendon) {
  return TendonDisplacementAt<S>(m, tendon, d.ten_length(tendon));
}

template <class S>
void JointSpring(const ModelView<S>& m, const DataView<S>& d, int joint, const Polynomial<S>& stiffness) {
  int adr = m.jnt_qposadr(joint), dof = m.jnt_dofadr(joint);
  const auto add = [&](const Vec3<S>& x) {
    const Vec3<S> force = SpringForce(stiffness, x);
    for (int k = 0; k < 3; ++k) d.qfrc_spring(dof + k) += force[k];
  };
  switch (m.jnt_type(joint)) {
    case mjJNT_FREE:
      add(PositionDisplacement(m, d, adr));
      adr += 3;
      dof += 3;
      [[fallthrough]];
    case mjJNT_BALL:
      add(RotationDisplacement(m, d, adr));
      break;
    default:
      d.qfrc_spring(dof) += SpringForce(stiffness, JointDisplacement(m, d, joint));
  }
}

// Adds a tendon's force to those of the dofs that are awake; what is kept of the others has its share.
template <class S>
void AddTendonForce(const ModelView<S>& m, const DataView<S>& d, int tendon, S force, S* sum) {
  const int first = m.ten_J_rowadr(tendon), count = m.ten_J_rownnz(tendon);
  if (!HasSleepers(m, d)) return AddSparse(sum, d.ten_J_data() + first, m.raw()->ten_J_colind + first, count, force);
  for (int k = first; k < first + count; ++k) {
    const int dof = m.ten_J_colind(k);
    if (IsAwakeDof(m, d, dof)) sum[dof] += d.ten_J(k) * force;
  }
}

template <class S>
void Springs(const ModelView<S>& m, const DataView<S>& d) {
  for (int joint = 0; joint < m.njnt(); ++joint) {
    if (!IsAwakeBody(m, d, m.jnt_bodyid(joint))) continue;
    const Polynomial<S> stiffness = JointStiffness(m, joint);
    if (!stiffness.IsZero()) JointSpring(m, d, joint, stiffness);
  }
  for (int t = 0; t < m.ntendon(); ++t) {
    const Polynomial<S> stiffness = TendonStiffness(m, t);
    if (stiffness.IsZero()) continue;
    AddTendonForce(m, d, t, SpringForce(stiffness, TendonDisplacement(m, d, t)), d.qfrc_spring_data());
  }
  const SpringLaws springs(m.raw());
  ForJointLaws(m, d, springs, [&](int joint, const SpringLawList& laws) {
    d.qfrc_spring(m.jnt_dofadr(joint)) += SpringOf(laws, LawCoordinate(m, d, joint)).force;
  });
  ForTendonLaws(m, springs, [&](int t, const SpringLawList& laws) {
    AddTendonForce(m, d, t, SpringOf<S>(laws, d.ten_length(t)).force, d.qfrc_spring_data());
  });
  BushingSprings(m, d);
}

template <class S>
void Dampers(const ModelView<S>& m, const DataView<S>& d) {
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    for (int dof = dofs.begin(); dof < dofs.end(); ++dof) {
      const Polynomial<S> damping = DofDamping(m, dof);
      if (!damping.IsZero()) d.qfrc_damper(dof) += DamperForce(damping, d.qvel(dof));
    }
  }
  for (int t = 0; t < m.ntendon(); ++t) {
    const Polynomial<S> damping = TendonDamping(m, t);
    if (damping.IsZero()) continue;
    AddTendonForce(m, d, t, DamperForce(damping, d.ten_velocity(t)), d.qfrc_damper_data());
  }
  const SpringLaws dampers(m.raw());
  ForJointLaws(m, d, dampers, [&](int joint, const SpringLawList& laws) {
    const int dof = m.jnt_dofadr(joint);
    d.qfrc_damper(dof) += DamperOf<S>(laws, LawCoordinate(m, d, joint), d.qvel(dof)).force;
  });
  ForTendonLaws(m, dampers, [&](int t, const SpringLawList& laws) {
    AddTendonForce(m, d, t, DamperOf<S>(laws, d.ten_length(t), d.ten_velocity(t)).force, d.qfrc_damper_data());
  });
  BushingDampers(m, d);
}

// Calls visit(body, force, present) for each body with gravity compensation: an upward force at its centre of
// mass, its share of the weight.
template <class S, class Visit>
void ForEachLift(const ModelView<S>& m, const DataView<S>& d, const Visit& visit) {
  if (m.ngravcomp() == 0 || (m.opt_disableflags() & mjDSBL_GRAVITY)) return;
  const Vec3<S> gravity = m.opt_gravity();
  if (!Any(Dot(gravity, gravity) > S(0))) return;
  for (int b = 1; b < m.nbody(); ++b) {
    const S share = m.body_gravcomp(b);
    if (!Any(share != S(0)) || !IsAwakeBody(m, d, b)) continue;
    visit(b, gravity * -(share * m.body_mass(b)), share != S(0));
  }
}

template <class S>
void GravityCompensation(const ModelView<S>& m, const DataView<S>& d) {
  ForEachLift(m, d, [&](int b, const Vec3<S>& lift, MaskOf<S> present) {
    AddWrench(m, d, WrenchAt(m, d, lift, Zero3<S>(), d.xipos(b), b), b, present, d.qfrc_gravcomp_data());
  });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_SPRING_KERNEL_H_
