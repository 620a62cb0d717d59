// The joint-space inertia matrix M by the composite rigid body method (Featherstone 2008, 6.2).
//
//   in:  cinert, cdof, ten_J          out: crb (nbody x 10), M (nC), qM (nM)
//
// With I_b the inertia of body b and all its descendants, moved as one rigid body,
//   M_ij = cdof_j . (I_b cdof_i),   b the body that dof i moves, j = i or an ancestor of i,
// and M_ij = 0 for dofs on different branches. Rows hold the ancestors of a dof and, last, the dof itself.
#ifndef SINEW_INERTIA_COMPOSITE_KERNEL_H_
#define SINEW_INERTIA_COMPOSITE_KERNEL_H_

#include <type_traits>

#include "kinematics/actuator_link_kernel.h"
#include "math/block.h"
#include "math/spatial.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/unroll.h"

namespace sinew::inline inertia {
inline namespace SINEW_ISA {

// Sleeping bodies on a static base count as well, since it carries them.
template <class S>
void CompositeInertia(const ModelView<S>& m, const DataView<S>& d) {
  for (int b = 0; b < m.nbody(); ++b) {
    if (!KeepsCenter(m, d, b)) CopyRow(d.cinert(b), d.crb(b));
  }
  for (int b = m.nbody() - 1; b > 0; --b) {
    const int parent = m.body_parentid(b);
    if (parent > 0 && !KeepsCenter(m, d, b)) AddRow(d.crb(b), d.crb(parent));
  }
}

// Armature of a dof, with that of the actuators of its joint.
template <class S>
S TotalDofArmature(const ModelView<S>& m, int dof) {
  S armature = m.dof_armature(dof);
  ForActuatorsOfJoint(m, m.dof_jntid(dof), [&](int u) { armature += ReflectedArmature(m, u); });
  return armature;
}

// The matrices that are made: M, and qM in the documented legacy layout, whose rows hold the dof itself and, further
// up, its ancestors.
enum class InertiaLayouts { kRows, kRowsAndLegacy };

// Rows of simple dofs [i, i + count): independent of all others, with constant inertia. In the legacy layout they have
// room for ancestors, which stays zero.
template <class S>
void SimpleRows(const ModelView<S>& m, const DataView<S>& d, InertiaLayouts layouts, int i, int count) {
  S* row = d.M_data() + m.M_rowadr(i);
  for (int k = 0; k < count; ++k) row[k] = m.dof_M0(i + k);
  if (layouts == InertiaLayouts::kRows) return;
  const int end = i + count < m.nv() ? m.dof_Madr(i + count) : m.nM();
  for (int k = m.dof_Madr(i); k < end; ++k) d.qM(k) = S(0);
  for (int k = 0; k < count; ++k) d.qM(m.dof_Madr(i + k)) = row[k];
}

// The end of a chain: dofs, not simple, each the parent of the next. They have the same ancestors, the columns of their
// rows but for those of each other.
template <class S>
int ChainEnd(const ModelView<S>& m, int begin) {
  int end = begin + 1;
  while (end < m.nv() && m.dof_parentid(end) == end - 1) ++end;
  return end;
}

// Rows of `dofs`, the first `count` of which are part of a chain.
template <class Dofs, class S>
void ChainRows(const ModelView<S>& m, const DataView<S>& d, InertiaLayouts layouts, const Dofs& dofs, int count) {
  const auto axis = Gather(dofs, [&](int i) -> decltype(auto) { return d.cdof(i); });
  const auto inertia = Gather(dofs, [&](int i) -> decltype(auto) { return d.crb(m.dof_bodyid(i)); });
  const auto momentum = inertia * axis;
  const auto column = [&](int dof) { return Dot(Spread(dofs, d.cdof(dof)), momentum); };
  using Lanes = std::remove_cvref_t<decltype(column(0))>;

  // Rows begin at `row`, and column 0 stands at `legacy` in the legacy layout.
  constexpr int kSize = Dofs::kSize;
  const bool with_legacy = layouts == InertiaLayouts::kRowsAndLegacy;
  S *row[kSize] = {}, *legacy[kSize] = {};
  for (int r = 0; r < count; ++r) {
    row[r] = d.M_data() + m.M_rowadr(dofs[r]);
    legacy[r] = d.qM_data() + m.dof_Madr(dofs[r]) + m.M_rownnz(dofs[r]) - 1;
  }

  // the columns of common ancestors: a square of entries at once, and what is left of them
  const int ancestors = m.M_rownnz(dofs[0]) - 1;
  const int* ancestor = m.raw()->M_colind + m.M_rowadr(dofs[0]);
  int k = 0;
  for (; k + kSize <= ancestors; k += kSize) {
    Lanes entries[kSize];
    Unroll<0, kSize>([&](auto c) { entries[c] = column(ancestor[k + c]); });
    Transpose(entries);
    Unroll<0, kSize>([&](auto r) {
      if (r >= count) return;
      StoreFirst<kSize>(entries[r], row[r] + k);
      if (with_legacy) StoreFirst<kSize>(ReversedFirst<kSize>(dofs, entries[r]), legacy[r] - k - (kSize - 1));
    });
  }
  for (; k < ancestors; ++k) {
    const Lanes entries = column(ancestor[k]);
    for (int r = 0; r < count; ++r) {
      row[r][k] = Lane(dofs, entries, r);
      if (with_legacy) legacy[r][-k] = row[r][k];
    }
  }

  // the triangle of the dofs themselves
  const auto armature = Gather(dofs, [&](int i) { return TotalDofArmature(m, i); });
  Lanes entries[kSize];
  Unroll<0, kSize>([&](auto c) {
    entries[c] = column(dofs[c]);
    entries[c] = WithLane<c>(dofs, entries[c], entries[c] + armature);
  });
  Transpose(entries);
  Unroll<0, kSize>([&](auto r) {
    if (r >= count) return;
    StoreFirst<r + 1>(entries[r], row[r] + ancestors);
    if (with_legacy) StoreFirst<r + 1>(ReversedFirst<r + 1>(dofs, entries[r]), legacy[r] - ancestors - r);
  });
}

// Adds a J'J of one tendon, in the pattern of M: products of dofs on different branches find no place and are dropped.
template <class S>
void AddTendonArmature(const ModelView<S>& m, const DataView<S>& d, int tendon, S armature) {
  const int first = m.ten_J_rowadr(tendon), end = first + m.ten_J_rownnz(tendon);
  for (int a = first; a < end; ++a) {
    const int i = m.ten_J_colind(a);
    if (!IsAwakeDof(m, d, i)) continue;
    const int diagonal = m.M_rowadr(i) + m.M_rownnz(i) - 1;
    const S scaled = armature * d.ten_J(a);
    // both lists of columns ascend
    int k = m.M_rowadr(i);
    for (int b = first; b <= a; ++b) {
      while (m.M_colind(k) < m.ten_J_colind(b)) ++k;
      if (m.M_colind(k) != m.ten_J_colind(b)) continue;
      d.M(k) += scaled * d.ten_J(b);
      d.qM(m.dof_Madr(i) + diagonal - k) = d.M(k);
    }
  }
}

// Rows [begin, end), which are a chain: in the lanes of a block but for one that would be alone there.
template <class S>
void AllChainRows(const ModelView<S>& m, const DataView<S>& d, InertiaLayouts layouts, int begin, int end) {
  int i = begin;
  if constexpr (kBlockSize<S> == 4) {
    for (; i + 1 < end; i += 4) {
      const int last = end - 1;
      ChainRows(m, d, layouts, FourItems{i, i + 1, i + 2 < last ? i + 2 : last, i + 3 < last ? i + 3 : last},
                end - i < 4 ? end - i : 4);
    }
  }
  for (; i < end; ++i) ChainRows(m, d, layouts, OneItem{i}, 1);
}

// crb and M of bodies and dofs, without tendons.
template <class S>
void CompositeRigidBody(const ModelView<S>& m, const DataView<S>& d, InertiaLayouts layouts = InertiaLayouts::kRows) {
  CompositeInertia(m, d);
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    for (int i = dofs.begin(); i < dofs.end();) {
      const int simple = m.dof_simplenum(i), left = dofs.end() - i;
      const int end = simple > 0 ? i + (simple < left ? simple : left) : ChainEnd(m, i);
      if (simple > 0) {
        SimpleRows(m, d, layouts, i, end - i);
      } else {
        AllChainRows(m, d, layouts, i, end);
      }
      i = end;
    }
  }
}

template <class S>
void MakeM(const ModelView<S>& m, const DataView<S>& d) {
  CompositeRigidBody(m, d, InertiaLayouts::kRowsAndLegacy);
  for (int t = 0; t < m.ntendon(); ++t) {
    const S armature = TotalTendonArmature(m, t);
    if (Any(armature != S(0))) AddTendonArmature(m, d, t, armature);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_COMPOSITE_KERNEL_H_
