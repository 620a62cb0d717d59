// Velocities of bodies, subtrees, tendons and actuators.
#ifndef SINEW_KINEMATICS_VELOCITY_KERNEL_H_
#define SINEW_KINEMATICS_VELOCITY_KERNEL_H_

#include "kinematics/com_kernel.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "math/wide.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

// One joint of body velocities: adds its motion to v, the velocity before the joint, and sets cdof_dot.
//   cdof_dot = v x_m cdof
// holds because an axis is carried along by what moves before the joint. The three axes of a ball share that velocity.
// The translations of a free joint stand still in the world. Motions of three dofs are summed before they are added.
template <class S>
void AddJointVelocity(const DataView<S>& d, int type, int dof, Wide<Spatial<S>>& v) {
  const auto axis = [&](int i) { return Widened(d.cdof(i)); };
  const auto three = [&](int i) {
    Wide<Spatial<S>> sum = axis(i) * d.qvel(i);
    sum += axis(i + 1) * d.qvel(i + 1);
    sum += axis(i + 2) * d.qvel(i + 2);
    return sum;
  };
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
    const Wide<Spatial<S>> only = axis(dof);
    StoreRow(CrossMotion(v, only), d.cdof_dot(dof));
    v += only * d.qvel(dof);
    return;
  }
  if (type == mjJNT_FREE) {
    for (int k = 0; k < 3; ++k) d.cdof_dot(dof + k) = ZeroSpatial<S>();
    v += three(dof);
    dof += 3;
  }
  for (int k = 0; k < 3; ++k) StoreRow(CrossMotion(v, axis(dof + k)), d.cdof_dot(dof + k));
  v += three(dof);
}

// The same for a joint of functions, whose axis also changes with its own coordinate:
//   cdof_dot = v x_m cdof + dS/dq q'
template <class S, class Motions>
void AddFunctionVelocity(const ModelView<S>& m, const DataView<S>& d, const Motions& motions,
                         const FunctionMotion& motion, int joint, Wide<Spatial<S>>& v) {
  const int dof = m.jnt_dofadr(joint);
  const Vec3<S> offset = TreeCenter(m, d, m.jnt_bodyid(joint)) - d.xanchor(joint);
  const Spatial<S> rate = WorldAxisOfMotion(m, d, motions, motion, joint, offset).rate;
  const Wide<Spatial<S>> axis = Widened(d.cdof(dof));
  Wide<Spatial<S>> sum = CrossMotion(v, axis);
  sum += Widened(rate) * d.qvel(dof);
  StoreRow(sum, d.cdof_dot(dof));
  v += axis * d.qvel(dof);
}

template <class S, class Motions>
void BodyVelocities(const ModelView<S>& m, const DataView<S>& d, const Motions& motions) {
  for (IdRuns bodies = AwakeBodies(m, d); !bodies.Done(); bodies.Next()) {
    for (int b = bodies.begin(); b < bodies.end(); ++b) {
      Wide<Spatial<S>> v = Widened(d.cvel(m.body_parentid(b)));
      const int first = m.body_jntadr(b), end = first + m.body_jntnum(b);
      for (int joint = first; joint < end; ++joint) {
        if (const FunctionMotion motion = motions.Of(joint)) {
          AddFunctionVelocity(m, d, motions, motion, joint, v);
        } else {
          AddJointVelocity<S>(d, m.jnt_type(joint), m.jnt_dofadr(joint), v);
        }
      }
      StoreRow(v, d.cvel(b));
    }
  }
}

//   in: cdof, qvel          out: cvel (nbody x 6), cdof_dot (nv x 6)
template <class S>
void ComVel(const ModelView<S>& m, const DataView<S>& d) {
  d.cvel(0) = ZeroSpatial<S>();
  WithJointMotions(m.raw(), [&](const auto& motions) { BodyVelocities(m, d, motions); });
}

// Velocity of each subtree's centre of mass, and angular momentum about it, in world axes.
//
//   in: cvel, ximat, xipos, subtree_com          out: subtree_linvel, subtree_angmom (nbody x 3), flg_subtreevel
//
// Angular momentum moves from its part's centre c_p to the centre c of the whole by adding
// (c_p - c) x m_p (v_p - v): the momenta relative to the whole have no sum, so that no other term appears.
template <class S>
void SubtreeVel(const ModelView<S>& m, const DataView<S>& d) {
  const int nbody = m.nbody();
  const auto center_velocity = [&](int b) { return PointVelocity(d.cvel(b), d.xipos(b) - TreeCenter(m, d, b)); };

  // linear momentum of subtrees, divided by their mass
  for (int b = 0; b < nbody; ++b) d.subtree_linvel(b) = center_velocity(b) * m.body_mass(b);
  for (int b = nbody - 1; b > 0; --b) d.subtree_linvel(m.body_parentid(b)) += d.subtree_linvel(b);
  for (int b = 0; b < nbody; ++b) d.subtree_linvel(b) *= S(1) / Max(S(kMinVal), m.body_subtreemass(b));

  // angular momentum: the body's spin and orbit about its subtree's centre, then its children's
  for (int b = 0; b < nbody; ++b) {
    const Vec3<S> local = MulTransposed(d.ximat(b), d.cvel(b).rot), inertia = m.body_inertia(b);
    const Vec3<S> spin = d.ximat(b) * Vec3<S>{local.x * inertia.x, local.y * inertia.y, local.z * inertia.z};
    const Vec3<S> relative = center_velocity(b) - d.subtree_linvel(b);
    d.subtree_angmom(b) = spin + Cross(d.xipos(b) - d.subtree_com(b), relative * m.body_mass(b));
  }
  for (int b = nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid(b);
    const Vec3<S> relative = d.subtree_linvel(b) - d.subtree_linvel(parent);
    const Vec3<S> orbit = Cross(d.subtree_com(b) - d.subtree_com(parent), relative * m.body_subtreemass(b));
    d.subtree_angmom(parent) += d.subtree_angmom(b) + orbit;
  }
  d.flg_subtreevel() = 1;
}

//   in: ten_J, qvel          out: ten_velocity
template <class S>
void TendonVelocity(const ModelView<S>& m, const DataView<S>& d) {
  for (int t = 0; t < m.ntendon(); ++t) {
    const int adr = m.ten_J_rowadr(t);
    d.ten_velocity(t) = SparseDot(d.ten_J_data() + adr, m.raw()->ten_J_colind + adr, m.ten_J_rownnz(t), d.qvel_data());
  }
}

//   in: actuator_moment, qvel          out: actuator_velocity; zero when actuation is disabled
template <class S>
void ActuatorVelocity(const ModelView<S>& m, const DataView<S>& d) {
  const bool disabled = (m.opt_disableflags() & mjDSBL_ACTUATION) != 0;
  for (int u = 0; u < m.nu(); ++u) {
    const int adr = d.moment_rowadr(u);
    d.actuator_velocity(u) = disabled ? S(0)
                                      : SparseDot(d.actuator_moment_data() + adr, d.moment_colind_data() + adr,
                                                  d.moment_rownnz(u), d.qvel_data());
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_VELOCITY_KERNEL_H_
