// Quantities about the centre of mass of each kinematic tree.
//
//   in:  poses of bodies and joints
//   out: subtree_com (nbody x 3), cinert (nbody x 10), cdof (nv x 6)
//
// All spatial vectors and inertias of a tree are expressed in world axes about one common point o, the centre of mass
// of the whole tree: they then add without any transformation, and stay accurate far from the world's origin.
#ifndef SINEW_KINEMATICS_COM_KERNEL_H_
#define SINEW_KINEMATICS_COM_KERNEL_H_

#include "kinematics/motion_kernel.h"
#include "math/block.h"
#include "math/spatial.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

// The common point o of the tree that body b belongs to.
template <class S>
const Vec3<S>& TreeCenter(const ModelView<S>& m, const DataView<S>& d, int b) {
  return d.subtree_com(m.body_rootid(b));
}

// Centres of mass of subtrees. A subtree without mass has its body's own centre.
template <class S>
void SubtreeCenters(const ModelView<S>& m, const DataView<S>& d) {
  for (int b = 0; b < m.nbody(); ++b) {
    if (!KeepsCenter(m, d, b)) d.subtree_com(b) = d.xipos(b) * m.body_mass(b);
  }

  // from the leaves: a body's sum is complete when its turn comes
  for (int b = m.nbody() - 1; b >= 0; --b) {
    Vec3<S>& sum = d.subtree_com(b);
    if (KeepsCenter(m, d, b)) {
      if (m.body_parentid(b) == 0) d.subtree_com(0) += sum * m.body_subtreemass(b);
      continue;
    }
    if (b > 0) AddRow(sum, d.subtree_com(m.body_parentid(b)));
    const S mass = m.body_subtreemass(b);
    const MaskOf<S> massless = mass < S(kMinVal);
    const S inverse = S(1) / Select(massless, S(1), mass);
    StoreRow(Select<S>(massless, d.xipos(b), sum * inverse), sum);
  }
}

// Motion of the body per unit velocity of each dof of a joint; `offset` leads from its anchor to o.
// A rotation about axis a through the anchor moves o with velocity a x offset.
template <class S>
void JointMotion(const DataView<S>& d, int type, int joint, int body, int dof, const Vec3<S>& offset) {
  const Vec3<S> zero = Zero3<S>();
  switch (type) {
    case mjJNT_SLIDE:
      d.cdof(dof) = {zero, d.xaxis(joint)};
      return;
    case mjJNT_HINGE:
      d.cdof(dof) = {d.xaxis(joint), Cross(d.xaxis(joint), offset)};
      return;
    case mjJNT_FREE:
      // three translations along the world's axes, then a ball
      for (int k = 0; k < 3; ++k) {
        d.cdof(dof + k) = ZeroSpatial<S>();
        d.cdof(dof + k).lin[k] = S(1);
      }
      dof += 3;
      [[fallthrough]];
    default:
      // three rotations about the body's axes
      for (int k = 0; k < 3; ++k) {
        const Vec3<S> axis = d.xmat(body).Column(k);
        d.cdof(dof + k) = {axis, Cross(axis, offset)};
      }
  }
}

// cdof of all joints.
template <class S, class Motions>
void JointMotionsAboutCenters(const ModelView<S>& m, const DataView<S>& d, const Motions& motions) {
  for (int joint = 0; joint < m.njnt(); ++joint) {
    const int body = m.jnt_bodyid(joint);
    if (KeepsCenter(m, d, body)) continue;
    const Vec3<S> offset = TreeCenter(m, d, body) - d.xanchor(joint);
    if (const FunctionMotion motion = motions.Of(joint)) {
      d.cdof(m.jnt_dofadr(joint)) = WorldAxisOfMotion(m, d, motions, motion, joint, offset).axis;
    } else {
      JointMotion(d, m.jnt_type(joint), joint, body, m.jnt_dofadr(joint), offset);
    }
  }
}

template <class S>
void ComPos(const ModelView<S>& m, const DataView<S>& d) {
  SubtreeCenters(m, d);

  for (int k = 0; k < 10; ++k) d.cinert(0)[k] = S(0);
  const auto shift = [&](const auto& bodies) {
    const auto R = Gather(bodies, [&](int b) -> decltype(auto) { return d.ximat(b); });
    const auto position = Gather(bodies, [&](int b) -> decltype(auto) { return d.xipos(b); });
    const auto center = Gather(bodies, [&](int b) -> decltype(auto) { return TreeCenter(m, d, b); });
    const auto inertia = Gather(bodies, [&](int b) -> decltype(auto) { return m.body_inertia(b); });
    const auto mass = Gather(bodies, [&](int b) { return m.body_mass(b); });
    Scatter(bodies, ShiftInertia(R, inertia, position - center, mass),
            [&](int b) -> Inertia10<S>& { return d.cinert(b); });
  };
  if (HasSleepers(m, d)) {
    ForBlocks<S>(
        1, m.nbody(), [&](int b) { return !KeepsCenter(m, d, b); }, shift);
  } else {
    ForBlocks<S>(1, m.nbody(), shift);
  }
  WithJointMotions(m.raw(), [&](const auto& motions) { JointMotionsAboutCenters(m, d, motions); });
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_COM_KERNEL_H_
