// The joint-space inertia matrix M by the composite rigid body method (Featherstone 2008, 6.2).
//
//   in:  cinert, cdof, ten_J          out: crb (nbody x 10), M (nC), qM (nM)
//
// With I_b the inertia of body b and all its descendants, moved as one rigid body,
//   M_ij = cdof_j . (I_b cdof_i),   b the body that dof i moves, j = i or an ancestor of i,
// and M_ij = 0 for dofs on different branches. Rows hold the ancestors of a dof and, last, the dof itself.
#ifndef SINEW_INERTIA_COMPOSITE_KERNEL_H_
#define SINEW_INERTIA_COMPOSITE_KERNEL_H_

#include "kinematics/actuator_link_kernel.h"
#include "math/spatial.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
void CompositeInertia(const ModelView<S>& m, const DataView<S>& d) {
  for (int b = 0; b < m.nbody(); ++b) d.crb(b) = d.cinert(b);
  for (int b = m.nbody() - 1; b > 0; --b) {
    const int parent = m.body_parentid(b);
    if (parent > 0) d.crb(parent) += d.crb(b);
  }
}

// Armature of a dof, with that of the actuators of its joint.
template <class S>
S TotalDofArmature(const ModelView<S>& m, int dof) {
  S armature = m.dof_armature(dof);
  ForActuatorsOfJoint(m, m.dof_jntid(dof), [&](int u) { armature += ReflectedArmature(m, u); });
  return armature;
}

// One row of M. The dofs of simple bodies are independent of all others and have constant inertia.
template <class S>
void InertiaRow(const ModelView<S>& m, const DataView<S>& d, int i) {
  const int adr = m.M_rowadr(i), diagonal = m.M_rownnz(i) - 1;
  S* row = d.M_data() + adr;
  if (m.dof_simplenum(i) > 0) {
    row[diagonal] = m.dof_M0(i);
    return;
  }
  const Spatial<S> momentum = d.crb(m.dof_bodyid(i)) * d.cdof(i);
  const int* column = m.raw()->M_colind + adr;
  for (int k = 0; k < diagonal; ++k) row[k] = Dot(d.cdof(column[k]), momentum);
  row[diagonal] = Dot(d.cdof(i), momentum) + TotalDofArmature(m, i);
}

// Adds a J'J of one tendon, in the pattern of M: products of dofs on different branches find no place and are dropped.
template <class S>
void AddTendonArmature(const ModelView<S>& m, const DataView<S>& d, int tendon, S armature) {
  const int first = m.ten_J_rowadr(tendon), end = first + m.ten_J_rownnz(tendon);
  for (int a = first; a < end; ++a) {
    const int i = m.ten_J_colind(a);
    const S scaled = armature * d.ten_J(a);
    // both lists of columns ascend
    int k = m.M_rowadr(i);
    for (int b = first; b <= a; ++b) {
      while (m.M_colind(k) < m.ten_J_colind(b)) ++k;
      if (m.M_colind(k) == m.ten_J_colind(b)) d.M(k) += scaled * d.ten_J(b);
    }
  }
}

// crb and M of bodies and dofs, without tendons.
template <class S>
void CompositeRigidBody(const ModelView<S>& m, const DataView<S>& d) {
  CompositeInertia(m, d);
  for (int i = 0; i < m.nv(); ++i) InertiaRow(m, d, i);
}

// M in the documented legacy layout; there, simple dofs have room for ancestors, which stays zero.
template <class S>
void ScatterLegacyM(const ModelView<S>& m, const DataView<S>& d) {
  for (int k = 0; k < m.nM(); ++k) d.qM(k) = S(0);
  for (int k = 0; k < m.nC(); ++k) d.qM(m.mapM2M(k)) = d.M(k);
}

template <class S>
void MakeM(const ModelView<S>& m, const DataView<S>& d) {
  CompositeRigidBody(m, d);
  for (int t = 0; t < m.ntendon(); ++t) {
    const S armature = TotalTendonArmature(m, t);
    if (Any(armature != S(0))) AddTendonArmature(m, d, t, armature);
  }
  ScatterLegacyM(m, d);
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_INERTIA_COMPOSITE_KERNEL_H_
