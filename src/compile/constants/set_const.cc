// Order of the computation:
//
//     masses of subtrees, kinds of frames                   no configuration
//     qpos0: M ──> dof_M0, invweight0, meaninertia          with cameras and lights fixed to their bodies
//            lengths, poses of cameras and lights, equality data, damping ratios
//            extent and sizes
//     qpos_spring: lengths of tendon springs
#include "compile/constants/set_const.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "compile/constants/tendon_rates.h"
#include "compile/topology/same_frame.h"
#include "core/stack.h"
#include "force/actuation.h"
#include "inertia/inertia.h"
#include "kinematics/jacobian.h"
#include "kinematics/transmission.h"
#include "math/dense.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "model/state/awake.h"
#include "model/storage/extension.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "model/view/view_of.h"
#include "step/partial_stages.h"

namespace sinew::inline compile {
namespace {

using Model = ModelView<mjtNum>;
using Data = DataView<mjtNum>;

// Cameras and lights stay on their bodies while a guard lives, whatever their tracking modes.
class FixedCamerasAndLights {
 public:
  explicit FixedCamerasAndLights(mjModel* m)
      : m_(m), cameras_(m->cam_mode, m->cam_mode + m->ncam), lights_(m->light_mode, m->light_mode + m->nlight) {
    std::fill_n(m->cam_mode, m->ncam, mjCAMLIGHT_FIXED);
    std::fill_n(m->light_mode, m->nlight, mjCAMLIGHT_FIXED);
  }
  ~FixedCamerasAndLights() {
    std::copy(cameras_.begin(), cameras_.end(), m_->cam_mode);
    std::copy(lights_.begin(), lights_.end(), m_->light_mode);
  }
  FixedCamerasAndLights(const FixedCamerasAndLights&) = delete;

 private:
  mjModel* m_;
  std::vector<int> cameras_, lights_;
};

// Children have larger ids than their parents, so one backward pass sums up subtrees.
void SetSubtreeMass(mjModel* m) {
  std::copy_n(m->body_mass, m->nbody, m->body_subtreemass);
  for (auto b = m->nbody - 1; b > 0; --b) m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
}

// ---- inertia at qpos0

// Sums the squared gear times the armature of the actuators on each joint: what they add to its inertia.
void SumActuatorArmature(const mjModel* m, mjtNum* armature) {
  Zero(armature, static_cast<int>(m->njnt));
  for (int i = 0; i < m->nu; ++i) {
    const bool on_joint = m->actuator_trntype[i] == mjTRN_JOINT || m->actuator_trntype[i] == mjTRN_JOINTINPARENT;
    if (!on_joint || m->actuator_armature[i] == 0) continue;
    const mjtNum gear = m->actuator_gear[6 * i];
    armature[m->actuator_trnid[2 * i]] += m->actuator_armature[i] * gear * gear;
  }
}

// dof_M0 = armature + s' I_crb s: the diagonal of M without the armature of tendons.
void SetDofInertia(mjModel* m, mjData* d) {
  StackFrame frame(d);
  mjtNum* of_actuators = frame.Doubles(m->njnt);
  SumActuatorArmature(m, of_actuators);
  const Data data(d);
  for (int i = 0; i < m->nv; ++i) {
    const Spatial<mjtNum>& axis = data.cdof(i);
    m->dof_M0[i] = m->dof_armature[i] + of_actuators[m->dof_jntid[i]] + Dot(axis, data.crb(m->dof_bodyid[i]) * axis);
  }
}

// The diagonal is the last entry of each row of M.
void SetMeanInertia(mjModel* m, const mjData* d) {
  mjtNum sum = 0;
  for (int i = 0; i < m->nv; ++i) sum += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  m->stat.meaninertia = m->nv > 0 ? sum / static_cast<mjtNum>(m->nv) : 1;
}

// ---- inverse inertia at qpos0

// A compressed row of length nv: columns ascend.
struct Row {
  int count;
  const int* columns;
  const mjtNum* values;
};

// Solves with M tree by tree, since a row has numbers in few of them; the factor of M is in `d`.
class InverseInertia {
 public:
  InverseInertia(const mjModel* m, mjData* d) : m_(m), d_(d), frame_(d) {
    r_ = frame_.Doubles(m->nv);
    x_ = frame_.Doubles(m->nv);
  }

  // r' M^-1 r
  mjtNum Weight(const Row& row) { return Sum(row, r_); }
  // |M^-1 r|
  mjtNum Acceleration(const Row& row) { return std::sqrt(Sum(row, x_)); }

 private:
  // The product of M^-1 r with r_, which is r, or with itself. Sums begin and end where one over all dofs takes four of
  // them at once, by which they have its order.
  mjtNum Sum(const Row& row, const mjtNum* with) {
    mjtNum sum = 0;
    for (int i = 0; i < row.count;) {
      const DofRange tree = TreeOfDof(m_, row.columns[i]);
      const int first = tree.begin & ~3, end = std::min((tree.end + 3) & ~3, static_cast<int>(m_->nv));
      const int count = end - first;
      Zero(r_ + first, count);
      for (; i < row.count && row.columns[i] < tree.end; ++i) r_[row.columns[i]] += row.values[i];
      std::copy_n(r_ + first, count, x_ + first);
      SolveTreeM(m_, d_, x_, tree);
      sum += Dot(with + first, x_ + first, count);
    }
    return sum;
  }

  const mjModel* m_;
  mjData* d_;
  StackFrame frame_;
  mjtNum *r_, *x_;
};

// A body that only slides, without rotating ancestors or descendants, has the inverse inertia 1/m.
bool OnlySlides(const mjModel* m, int body) { return m->body_simple[body] == 2; }

// The weight of translation is the mean of J M^-1 J' over the three axes, about the centre of mass; that of rotation
// likewise. Units are 1/kg and 1/(kg m^2).
void SetBodyWeight(mjModel* m, mjData* d) {
  StackFrame frame(d);
  mjtNum* jacobian = frame.Doubles(6 * m->nv);
  int* chain = frame.Alloc<int>(m->nv);
  InverseInertia inverse(m, d);
  for (int b = 0; b < m->nbody; ++b) {
    mjtNum* weight = m->body_invweight0 + 2 * b;
    weight[0] = weight[1] = 0;
    if (m->body_weldid[b] == 0) continue;
    if (OnlySlides(m, b)) {
      weight[0] = 1 / std::max(mjMINVAL, m->body_mass[b]);
      continue;
    }
    const int count = BodyChain(m, b, chain);
    JacSparse(m, d, jacobian, jacobian + 3 * count, d->xipos + 3 * b, b, count, chain);
    for (int i = 0; i < 6; ++i) weight[i / 3] += inverse.Weight({count, chain, jacobian + i * count});
    for (int i = 0; i < 2; ++i) weight[i] /= 3;
  }
}

// Mean of count diagonal entries of M^-1, for dofs from `first` on.
void SetDofGroup(mjModel* m, InverseInertia& inverse, int first, int count) {
  const mjtNum one = 1;
  mjtNum sum = 0;
  for (int i = first; i < first + count; ++i) sum += inverse.Weight({1, &i, &one});
  std::fill_n(m->dof_invweight0 + first, count, sum / count);
}

// Dofs of one joint that belong together get their mean, so that the weight does not depend on axes.
void SetDofWeight(mjModel* m, mjData* d) {
  InverseInertia inverse(m, d);
  for (int j = 0; j < m->njnt; ++j) {
    const int dof = m->jnt_dofadr[j];
    if (OnlySlides(m, m->jnt_bodyid[j])) {
      m->dof_invweight0[dof] = 1 / std::max(mjMINVAL, m->body_mass[m->jnt_bodyid[j]]);
    } else if (m->jnt_type[j] == mjJNT_FREE) {
      SetDofGroup(m, inverse, dof, 3);
      SetDofGroup(m, inverse, dof + 3, 3);
    } else {
      SetDofGroup(m, inverse, dof, m->jnt_type[j] == mjJNT_BALL ? 3 : 1);
    }
  }
}

// Lengths at the reference configuration are kept beside the weights, since both need the tendon's path there.
void SetTendonWeight(mjModel* m, mjData* d) {
  InverseInertia inverse(m, d);
  for (int i = 0; i < m->ntendon; ++i) {
    const int adr = m->ten_J_rowadr[i];
    m->tendon_invweight0[i] = inverse.Weight({m->ten_J_rownnz[i], m->ten_J_colind + adr, d->ten_J + adr});
    m->tendon_length0[i] = d->ten_length[i];
  }
}

// actuator_acc0 = |M^-1 moment'|
void SetActuatorAcceleration(mjModel* m, mjData* d) {
  InverseInertia inverse(m, d);
  for (int i = 0; i < m->nu; ++i) {
    const int adr = d->moment_rowadr[i];
    const Row moment = {d->moment_rownnz[i], d->moment_colind + adr, d->actuator_moment + adr};
    m->actuator_acc0[i] = inverse.Acceleration(moment);
    m->actuator_length0[i] = d->actuator_length[i];
  }
}

// A positive biasprm[2] of a position servo is a damping ratio zeta; it becomes the damping of a mass mu on the spring:
//   -biasprm[2] = 2 zeta sqrt(kp mu),  mu = sum over dofs of M0 / moment^2
void SetDampingRatio(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nu; ++i) {
    const mjtNum kp = m->actuator_gainprm[mjNGAIN * i];
    mjtNum* bias = m->actuator_biasprm + mjNBIAS * i;
    if (kp != -bias[1] || !(bias[2] > 0)) continue;
    mjtNum mass = 0;
    const int adr = d->moment_rowadr[i];
    for (int k = adr; k < adr + d->moment_rownnz[i]; ++k) {
      const mjtNum square = d->actuator_moment[k] * d->actuator_moment[k];
      if (square > mjMINVAL) mass += m->dof_M0[d->moment_colind[k]] / square;
    }
    bias[2] *= -2 * std::sqrt(kp * mass);
  }
}

// ---- poses at qpos0

// Offsets of a camera or light, in the world's frame: from its body, and from the centre of mass of the subtree of its
// target, or of its body where it has none. `row`: its place in both arrays.
void SetOffsets(const Data& d, const Vec3<mjtNum>& p_W, int body, int target, int row, mjtNum* pos0, mjtNum* poscom0) {
  StoreVec3(p_W - d.xpos(body), pos0 + 3 * row);
  StoreVec3(p_W - d.subtree_com(target >= 0 ? target : body), poscom0 + 3 * row);
}

void SetCameras(mjModel* m, const mjData* data) {
  const Data d = ViewOf(data);
  for (int i = 0; i < m->ncam; ++i) {
    SetOffsets(d, d.cam_xpos(i), m->cam_bodyid[i], m->cam_targetbodyid[i], i, m->cam_pos0, m->cam_poscom0);
    std::copy_n(d.cam_xmat(i).m, 9, m->cam_mat0 + 9 * i);
  }
}

void SetLights(mjModel* m, const mjData* data) {
  const Data d = ViewOf(data);
  for (int i = 0; i < m->nlight; ++i) {
    SetOffsets(d, d.light_xpos(i), m->light_bodyid[i], m->light_targetbodyid[i], i, m->light_pos0, m->light_poscom0);
    StoreVec3(d.light_xdir(i), m->light_dir0 + 3 * i);
  }
}

// A point P given in the frame of body A, in the frame of body B.
Vec3<mjtNum> Transfer(const Data& d, const Vec3<mjtNum>& p_AP, int A, int B) {
  const Vec3<mjtNum> p_WP = d.xpos(A) + d.xmat(A) * p_AP;
  return MulTransposed(d.xmat(B), p_WP - d.xpos(B));
}

// Anchors of connect, and relative poses of weld that were not given (zero quaternion), as they are at qpos0.
void SetEqualityData(mjModel* m, const mjData* world) {
  const Data d = ViewOf(world);
  for (int i = 0; i < m->neq; ++i) {
    if (m->eq_objtype[i] == mjOBJ_SITE) continue;
    mjtNum* data = m->eq_data + mjNEQDATA * i;
    const int body1 = m->eq_obj1id[i], body2 = m->eq_obj2id[i];
    if (m->eq_type[i] == mjEQ_CONNECT) {
      StoreVec3(Transfer(d, LoadVec3(data), body1, body2), data + 3);
    } else if (m->eq_type[i] == mjEQ_WELD) {
      const bool given = std::any_of(data + 6, data + 10, [](mjtNum x) { return x != 0; });
      if (given) continue;
      StoreVec3(Transfer(d, LoadVec3(data), body2, body1), data + 3);
      const Quat<mjtNum> relative = Conjugate(d.xquat(body1)) * d.xquat(body2);
      StoreQuat(relative, data + 6);
    }
  }
}

// ---- the two configurations

// The order is that in which stages depend on each other; nothing here depends on velocities.
void SetAtReference(mjModel* m, mjData* d) {
  std::copy_n(m->qpos0, m->nq, d->qpos);
  PosesAndInertia(m, d);
  SetDofInertia(m, d);
  MakeM(m, d);  // again: rows of simple dofs are taken from dof_M0
  FactorMadeM(m, d);
  Transmission(m, d);
  SetMeanInertia(m, d);
  SetBodyWeight(m, d);
  SetDofWeight(m, d);
  SetTendonWeight(m, d);
  SetFlexEdges(m, d);
  SetActuatorAcceleration(m, d);
  SetTendonRates(m, d);
  SetDampingRatio(m, d);
  SetCameras(m, d);
  SetLights(m, d);
  SetEqualityData(m, d);
  SetStatistics(m, d);
}

// A spring length that is not given is the length of the tendon.
void SetAtSpring(mjModel* m, mjData* d) {
  std::copy_n(m->qpos_spring, m->nq, d->qpos);
  PosesAndTendons(m, d);
  for (int i = 0; i < m->ntendon; ++i) {
    mjtNum* spring = m->tendon_lengthspring + 2 * i;
    if (spring[0] == -1 && spring[1] == -1) spring[0] = spring[1] = d->ten_length[i];
  }
}

}  // namespace

// Sleeping trees would keep positions of an earlier configuration.
void SetConst(mjModel* m, mjData* d) {
  const FixedCamerasAndLights guard(m);
  WakeAll(*m, d);  // stages would pass over what sleeps
  SetSubtreeMass(m);
  UpdateFrameKinds(m);
  SetAtReference(m, d);
  SetAtSpring(m, d);
}

}  // namespace sinew::inline compile
