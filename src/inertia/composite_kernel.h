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
#include "math/block.h"
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
    if (parent > 0) AddRow(d.crb(b), d.crb(parent));
  }
}

// Armature of a dof, with that of the actuators of its joint.
template <class S>
S TotalDofArmature(const ModelView<S>& m, int dof) {
  S armature = m.dof_armature(dof);
  ForActuatorsOfJoint(m, m.dof_jntid(dof), [&](int u) { armature += ReflectedArmature(m, u); });
  return armature;
}

// The dofs [begin, end) of neighbouring trees, with scratch for them.
template <class S>
struct TreeRange {
  int begin, end;
  Spatial<S>* momentum;  // of the composite body of each dof at unit velocity: I_b cdof_i
  S* axes;               // cdof transposed: six rows, `stride` apart
  int stride;            // a block may write beyond the last dof

  // Dofs of a range, unless a single tree has more.
  static constexpr int kDofs = 64;
};

// The end of the tree that begins with this dof: only first dofs have no parent.
inline int TreeEnd(const mjModel* m, int first) {
  int end = first + 1;
  while (end < m->nv && m->dof_parentid[end] >= 0) ++end;
  return end;
}

// Vectors of scratch that a model needs. Simple dofs need none.
inline int CompositeScratchSize(const mjModel* m) {
  const int nv = static_cast<int>(m->nv);
  int dofs = TreeRange<mjtNum>::kDofs < nv ? TreeRange<mjtNum>::kDofs : nv;
  for (int first = 0; dofs < nv && first < nv;) {
    const int run = m->dof_simplenum[first], end = run > 0 ? first + run : TreeEnd(m, first);
    if (run == 0 && end - first > dofs) dofs = end - first;
    first = end;
  }
  return 2 * dofs + kBlockSize<mjtNum>;
}

// The trees from dof `begin` on that are handled together, up to the next simple dof.
template <class S>
TreeRange<S> NextTrees(const ModelView<S>& m, int begin, Spatial<S>* scratch) {
  int end = TreeEnd(m.raw(), begin);
  while (end < m.nv() && m.dof_simplenum(end) == 0) {
    const int next = TreeEnd(m.raw(), end);
    if (next - begin > TreeRange<S>::kDofs) break;
    end = next;
  }
  const int count = end - begin;
  return {begin, end, scratch, reinterpret_cast<S*>(scratch + count), count + kBlockSize<S>};
}

template <class S>
void CompositeMomenta(const ModelView<S>& m, const DataView<S>& d, const TreeRange<S>& range) {
  ForBlocks<S>(range.begin, range.end, [&](const Items<S>& dofs) {
    const int first = dofs.id[0];
    const auto axis = Gather(dofs, [&](int i) -> decltype(auto) { return d.cdof(i); });
    const auto inertia = Gather(dofs, [&](int i) -> decltype(auto) { return d.crb(m.dof_bodyid(i)); });
    Scatter(dofs, inertia * axis, [&](int i) -> Spatial<S>& { return range.momentum[i - range.begin]; });
    for (int k = 0; k < 6; ++k) StoreBlock(axis[k], range.axes + k * range.stride + (first - range.begin));
  });
}

// The axes of dof j and its neighbours.
template <class S>
Spatial<Block<S>> AxesFrom(const TreeRange<S>& range, int j) {
  const auto row = [&](int k) { return LoadBlock(range.axes + k * range.stride + (j - range.begin)); };
  return {{row(0), row(1), row(2)}, {row(3), row(4), row(5)}};
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

// The row of a dof that is not simple.
template <class S>
void InertiaRow(const ModelView<S>& m, const DataView<S>& d, const TreeRange<S>& range, InertiaLayouts layouts, int i) {
  constexpr int kSize = kBlockSize<S>;
  const bool with_legacy = layouts == InertiaLayouts::kRowsAndLegacy;
  const int adr = m.M_rowadr(i), count = m.M_rownnz(i);
  const int* column = m.raw()->M_colind + adr;
  S *row = d.M_data() + adr, *legacy = d.qM_data() + m.dof_Madr(i);
  const Spatial<S> momentum = range.momentum[i - range.begin];
  const Spatial<Block<S>> momenta = Broadcast(momentum);

  // Ancestors come in runs of neighbours: a block of them at once. The last block may overlap the one before.
  for (int k = 0; k < count;) {
    const int first = k + kSize <= count || count < kSize ? k : count - kSize;
    if (first + kSize <= count && column[first + kSize - 1] - column[first] == kSize - 1) {
      const Block<S> entries = Dot(AxesFrom(range, column[first]), momenta);
      StoreBlock(entries, row + first);
      if (with_legacy) StoreBlock(Reversed<S>(entries), legacy + count - first - kSize);
      k = first + kSize;
    } else {
      row[k] = Dot(d.cdof(column[k]), momentum);
      if (with_legacy) legacy[count - 1 - k] = row[k];
      ++k;
    }
  }
  row[count - 1] += TotalDofArmature(m, i);
  if (with_legacy) legacy[0] = row[count - 1];
}

// Adds a J'J of one tendon, in the pattern of M: products of dofs on different branches find no place and are dropped.
template <class S>
void AddTendonArmature(const ModelView<S>& m, const DataView<S>& d, int tendon, S armature) {
  const int first = m.ten_J_rowadr(tendon), end = first + m.ten_J_rownnz(tendon);
  for (int a = first; a < end; ++a) {
    const int i = m.ten_J_colind(a);
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

// crb and M of bodies and dofs, without tendons. `scratch`: CompositeScratchSize vectors.
template <class S>
void CompositeRigidBody(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* scratch,
                        InertiaLayouts layouts = InertiaLayouts::kRows) {
  CompositeInertia(m, d);
  for (int i = 0; i < m.nv();) {
    const int simple = m.dof_simplenum(i);
    if (simple > 0) {
      SimpleRows(m, d, layouts, i, simple);
      i += simple;
      continue;
    }
    const TreeRange<S> range = NextTrees(m, i, scratch);
    CompositeMomenta(m, d, range);
    for (; i < range.end; ++i) InertiaRow(m, d, range, layouts, i);
  }
}

template <class S>
void MakeM(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* scratch) {
  CompositeRigidBody(m, d, scratch, InertiaLayouts::kRowsAndLegacy);
  for (int t = 0; t < m.ntendon(); ++t) {
    const S armature = TotalTendonArmature(m, t);
    if (Any(armature != S(0))) AddTendonArmature(m, d, t, armature);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_INERTIA_COMPOSITE_KERNEL_H_
