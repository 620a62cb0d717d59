// Factorization of the inertia matrix of deep trees in O(n depth), from spatial quantities.
//
//   in:  crb, cdof, the kinematic tree          out: L below the diagonal and D on it, 1/D, with M + diag(extra) = L'D
//   L
//
// The matrix of a chain is dense, so that elimination costs O(n^3), but it has rank six off the diagonal: for an
// ancestor j of dof i, M_ij = cdof_j . p_i with p_i = I_b cdof_i, the momentum of the composite body that dof i moves.
// Eliminating dof k subtracts (cdof_i . p_k)(cdof_j . p_k) / D_k, which keeps that form:
//
//   L_ki = cdof_i . p_k / D_k,     p_i -= p_k L_ki        for each ancestor i of k
//
// D_k = cdof_k . p_k + armature is then the inertia of the articulated body below dof k (Rodriguez, Jain and
// Kreutz-Delgado, A spatial operator algebra for manipulator modeling and control, IJRR 10, 1991; Featherstone 2008,
// 7).
#ifndef SINEW_INERTIA_DEEP_TREE_KERNEL_H_
#define SINEW_INERTIA_DEEP_TREE_KERNEL_H_

#include "inertia/acceleration_kernel.h"
#include "inertia/composite_kernel.h"

namespace sinew::inline inertia {
inline namespace SINEW_ISA {

// Whether trees are so deep that this is faster than elimination, whose inner loops are simpler. Depth is the mean
// length of rows, weighted by length.
inline bool IsDeep(const mjModel* m) {
  constexpr mjtSize kDepth = 64;
  if (m->nv < kDepth) return false;
  mjtSize squares = 0, sum = 0;
  for (int i = 0; i < m->nv; ++i) {
    const mjtSize length = m->M_rownnz[i];
    squares += length * length;
    sum += length;
  }
  return squares > kDepth * sum;
}

// Armature of tendons couples dofs in ways that spatial inertia does not have.
template <class S>
bool HasTendonArmature(const ModelView<S>& m) {
  for (int t = 0; t < m.ntendon(); ++t) {
    if (Any(TotalTendonArmature(m, t) != S(0))) return true;
  }
  return false;
}

// ld (nC, pattern of M) and diaginv (nv). extra(i) is added to the diagonal. `momentum`: scratch for nv vectors.
template <class S, class Extra>
void FactorDeepTree(const ModelView<S>& m, const DataView<S>& d, Extra&& extra, Spatial<S>* momentum, S* ld,
                    S* diaginv) {
  const RowPattern pattern = InertiaPattern(m.raw());
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    for (int i = dofs.begin(); i < dofs.end(); ++i) momentum[i] = d.crb(m.dof_bodyid(i)) * d.cdof(i);
    for (int k = dofs.end() - 1; k >= dofs.begin(); --k) {
      const bool simple = m.dof_simplenum(k) > 0;
      const S inertia = simple ? m.dof_M0(k) : Dot(d.cdof(k), momentum[k]) + TotalDofArmature(m, k);
      S* row = ld + pattern.rowadr[k];
      const int* column = pattern.Columns(k);
      const int ancestors = pattern.rownnz[k] - 1;
      row[ancestors] = inertia + extra(k);
      diaginv[k] = S(1) / row[ancestors];
      const Spatial<S> scaled = momentum[k] * diaginv[k];
      for (int a = 0; a < ancestors; ++a) {
        row[a] = Dot(d.cdof(column[a]), scaled);
        momentum[column[a]] -= momentum[k] * row[a];
      }
    }
  }
}

// qLD and qLDiagInv of the matrix that MakeM has made.
template <class S>
void FactorMadeM(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* momentum) {
  if (!IsDeep(m.raw()) || HasTendonArmature(m)) return FactorM(m, d);
  FactorDeepTree(
      m, d, [](int) { return S(0); }, momentum, d.qLD_data(), d.qLDiagInv_data());
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_DEEP_TREE_KERNEL_H_
