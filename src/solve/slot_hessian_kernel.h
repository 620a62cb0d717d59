// The Hessian of the cost of slots (slots.h), and its factors.
//
// H = M + J' W J is kept between iterations: of the slots, those whose weights W changed in some lane are added, as
// J' (W - W_assembled) J; contacts in the middle zone of an elliptic cone, whose weights change with every step, are
// added to a copy of it. The copy is factored along the tree of the pattern (inertia/ldl_kernel.h).
#ifndef SINEW_SOLVE_SLOT_HESSIAN_KERNEL_H_
#define SINEW_SOLVE_SLOT_HESSIAN_KERNEL_H_

#include "constraint/cost_kernel.h"
#include "inertia/ldl_kernel.h"
#include "math/columns.h"
#include "simd/unroll.h"
#include "solve/slot_cost_kernel.h"
#include "solve/slot_islands_kernel.h"
#include "solve/slot_products_kernel.h"
#include "solve/slots.h"

namespace sinew::inline solve {
inline namespace SINEW_ISA {

// H += sum_k y_k(r) J_k(c) over the entries (r, c) of a slot's columns; row(r, y) gives y.
template <int N, class S, class Row>
void AddProducts(const SlotProblem<S>& p, const Slot& slot, const S* J, S* H, const Row& row) {
  const S* direction[N];
  Unroll<0, N>([&](auto k) { direction[k] = J + k * slot.ncol; });
  for (int r = 0; r < slot.ncol; ++r) {
    S y[N];
    row(r, y);
    S* entries = H + p.pattern.rowadr[slot.col[r]];
    if (slot.is_path) {
      ForColumns<S>(r + 1, [&](const auto& at) {
        auto sum = at.Load(entries);
        Unroll<0, N>([&](auto k) { sum += at.InAll(y[k]) * at.Load(direction[k]); });
        at.Store(sum, entries);
      });
    } else {
      for (int c = 0; c <= r; ++c) {
        S& entry = entries[p.pattern.depth[slot.col[c]]];
        S sum = entry;
        Unroll<0, N>([&](auto k) { sum += y[k] * direction[k][c]; });
        entry = sum;
      }
    }
  }
}

// H = M in the pattern of H, which has fill where constraints join branches.
template <class S>
void CopyInertia(const SlotProblem<S>& p, S* H) {
  if (p.pattern.is_inertia) {
    for (int k = 0; k < p.pattern.nonzeros; ++k) H[k] = p.M[k];
    return;
  }
  for (int k = 0; k < p.pattern.nonzeros; ++k) H[k] = S(0);
  for (int i = 0; i < p.nv; ++i) {
    const S* row = p.M + p.inertia.rowadr[i];
    for (int k = 0; k < p.inertia.rownnz[i]; ++k) {
      H[p.pattern.rowadr[i] + p.pattern.depth[p.inertia.Columns(i)[k]]] = row[k];
    }
  }
}

// base += J' (W - W_assembled) J, from M alone on when `is_first`; returns whether any lane had a change, and leaves in
// `changed` of the trees which lanes had.
template <class S>
bool AddChangedSlots(const SlotProblem<S>& p, const SlotList<S>& slots, bool is_first) {
  if (is_first) {
    CopyInertia(p, p.base);
    for (int k = 0; k < p.weights; ++k) p.assembled[k] = S(0);
  }
  for (int t = 0; t < p.pattern.trees; ++t) p.tree[t].changed = S(1) < S(0);
  bool any = false;
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    S change[2 * kMaxSlotDim - 1];
    const int count = WeightCount(slot);
    S *now = p.weight + slot.weight, *then = p.assembled + slot.weight;
    MaskOf<S> changed = S(1) < S(0);
    for (int k = 0; k < count; ++k) {
      change[k] = now[k] - then[k];
      changed = changed | (now[k] != then[k]);
      then[k] = now[k];
    }
    if (!Any(changed)) return;
    any = true;
    ForOwner(p, s, [&](int t, MaskOf<S> lanes) { p.tree[t].changed = p.tree[t].changed | (changed & lanes); });
    const S* J = p.jacobian[s];
    const int n = slot.ncol;
    WithCount<kMaxSlotDim>(slot.dim, [&](auto dim) {
      if (slot.kind == SlotKind::kPyramid) {
        AddProducts<dim>(p, slot, J, p.base, [&](int r, S* y) {
          y[0] = change[0] * J[r];
          Unroll<1, dim>([&](auto k) {
            y[0] += change[2 * k - 1] * J[k * n + r];
            y[k] = change[2 * k - 1] * J[r] + change[2 * k] * J[k * n + r];
          });
        });
      } else {
        AddProducts<dim>(p, slot, J, p.base,
                         [&](int r, S* y) { Unroll<0, dim>([&](auto k) { y[k] = change[k] * J[k * n + r]; }); });
      }
    });
  });
  return any;
}

// Computes the Hessian of a contact's cost in the middle zone, dim x dim, symmetric.
template <class S>
void ConeHessian(const SlotProblem<S>& p, const Slot& slot, const ConePoint<S>& cone, S (*H)[kMaxSlotDim]) {
  for (int i = 0; i < slot.dim; ++i) {
    for (int j = 0; j <= i; ++j) {
      H[i][j] = H[j][i] = ConeHessianEntry(cone, p.scale + slot.first, p.bound[slot.first], i, j);
    }
  }
}

// H += J' H_c J of the contacts in the middle zone; returns whether any lane has one.
template <class S>
bool AddCones(const SlotProblem<S>& p, const SlotList<S>& slots, S* H) {
  bool any = false;
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    if (slot.kind != SlotKind::kElliptic) return;
    const ConePoint<S> cone = ConeOf(p, slot, p.residual + slot.first);
    if (!Any(cone.zone.middle)) return;
    any = true;
    S hessian[kMaxSlotDim][kMaxSlotDim];
    ConeHessian(p, slot, cone, hessian);
    const S* J = p.jacobian[s];
    const int n = slot.ncol;
    WithCount<kMaxSlotDim>(slot.dim, [&](auto dim) {
      AddProducts<dim>(p, slot, J, H, [&](int r, S* y) {
        Unroll<0, dim>([&](auto k) {
          y[k] = hessian[k][0] * J[r];
          Unroll<1, dim>([&](auto j) { y[k] += hessian[k][j] * J[j * n + r]; });
        });
      });
    });
  });
  return any;
}

// Returns the pattern of H as rows, for the factorization that inertia matrices have, too.
template <class S>
RowPattern HessianRows(const SlotProblem<S>& p) {
  return {p.nv, p.pattern.rownnz, p.pattern.rowadr, p.pattern.colind};
}

// The factors of H at the point, unless they are those that are there: nothing has `changed` (AddChangedSlots).
// `has_cones`: whether the factors that are there contain cones.
template <class S>
void FactorHessian(const SlotProblem<S>& p, const SlotList<S>& slots, bool changed, bool& has_cones) {
  if (!changed && !has_cones && p.cones == 0) return;
  for (int k = 0; k < p.pattern.nonzeros; ++k) p.factor[k] = p.base[k];
  has_cones = AddCones(p, slots, p.factor);
  FactorLDL<S>(p.factor, p.diaginv, HessianRows(p), p.M_diaginv);
}

// x <- L^-1 x. Columns in ascending order, whichever of them the pattern counts to a chain: lanes must not depend on
// it.
template <int N, class S>
void SolveChainLower(S* __restrict x, const S* __restrict ld, const RowPattern& pattern, int k) {
  const Chain<N, const S> chain(ld, pattern, k);
  S own[N];
  Unroll<0, N>([&](auto r) { own[r] = x[k - r]; });
  for (int a = 0; a < chain.ancestors; ++a) {
    const S entry = x[chain.ancestor[a]];
    Unroll<0, N>([&](auto r) { own[r] -= chain.row[r][a] * entry; });
  }
  Unroll<0, N>([&](auto i) {
    constexpr int r = N - 1 - i;
    x[k - r] = own[r];
    Unroll<0, r>([&](auto lower) { own[lower] -= chain.At(lower, r) * own[r]; });
  });
}

// x <- H^-1 x with the factors L' D L.
template <class S>
void SolveHessian(const SlotProblem<S>& p, S* x) {
  const RowPattern pattern = HessianRows(p);
  SolveTransposed(x, p.factor, pattern);
  for (int k = 0; k < p.nv; ++k) x[k] *= p.diaginv[k];
  for (int first = 0; first < p.nv;) {
    const int length = LengthOfChainFrom(pattern, first);
    WithCount<kMaxChain>(length, [&](auto count) { SolveChainLower<count>(x, p.factor, pattern, first + length - 1); });
    first += length;
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOT_HESSIAN_KERNEL_H_
