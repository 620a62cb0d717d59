// Newton's method on slots (slots.h), for one world and for lanes.
//
// H = M + J' W J is kept between iterations: of the slots, those whose weights W changed in some lane are added, as
// J' (W - W_assembled) J; contacts in the middle zone of an elliptic cone, whose weights change with every step, are
// added to a copy of it. The copy is factored along the tree of the pattern (inertia/ldl_kernel.h).
//
// Lanes are independent of each other: slots and columns are visited in one order, a world without a slot adds exact
// zeros, every sum over columns runs in their order, whichever dofs the pattern puts together, and a lane that has
// converged keeps its point. Slots that only such lanes have are left out from then on.
#ifndef SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_
#define SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_

#include "constraint/cost_kernel.h"
#include "math/columns.h"
#include "math/interleaved.h"
#include "math/vec3.h"
#include "simd/lane_bits.h"
#include "simd/unroll.h"
#include "solve/options.h"
#include "solve/slots.h"

namespace sinew {
inline namespace SINEW_ISA {

// ---- slots that count

// The slots of some lanes, in their order; of one world alone, all.
template <class S>
class SlotList {
 public:
  // All slots. `memory`: an int for each, or null for one world.
  SlotList(const SlotProblem<S>& p, int* memory) : p_(p), number_(memory), count_(p.count) {
    for (int s = 0; s < count_ && kIsPack; ++s) number_[s] = s;
  }
  // Those of `from` that some of these lanes has.
  SlotList(const SlotList& from, int* memory, MaskOf<S> lanes) : p_(from.p_), number_(memory), count_(from.count_) {
    if constexpr (kIsPack) Choose(from, lanes);
  }
  void Keep(MaskOf<S> lanes) {
    if constexpr (kIsPack) Choose(*this, lanes);
  }
  // use(number of the slot) for each.
  template <class Use>
  void For(const Use& use) const {
    for (int i = 0; i < count_; ++i) {
      if constexpr (kIsPack) {
        use(number_[i]);
      } else {
        use(i);
      }
    }
  }

 private:
  static constexpr bool kIsPack = LaneTraits<S>::kWidth > 1;

  // Without branches, which would be guessed wrong. `from` may be this list.
  void Choose(const SlotList& from, MaskOf<S> lanes) {
    const unsigned wanted = BitsOfLanes(lanes);
    const int count = from.count_;
    count_ = 0;
    for (int i = 0; i < count; ++i) {
      const int s = from.number_[i];
      number_[count_] = s;
      count_ += (p_.lanes[s] & wanted) != 0;
    }
  }

  const SlotProblem<S>& p_;
  int* number_;
  int count_;
};

// ---- products

// out (N) = J v for one slot, whose dimension is known when compiling.
template <int N, class S>
void MulSlot(const Slot& slot, const S* J, const S* v, S* out) {
  S sum[N];
  Unroll<0, N>([&](auto k) { sum[k] = S(0); });
  for (int c = 0; c < slot.ncol; ++c) {
    const S x = v[slot.col[c]];
    Unroll<0, N>([&](auto k) { sum[k] += J[k * slot.ncol + c] * x; });
  }
  Unroll<0, N>([&](auto k) { out[k] = sum[k]; });
}

// out (directions) = J v
template <class S>
void MulSlots(const SlotProblem<S>& p, const SlotList<S>& slots, const S* v, S* out) {
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    WithCount<kMaxSlotDim>(slot.dim, [&](auto dim) { MulSlot<dim>(slot, p.jacobian[s], v, out + slot.first); });
  });
}

// out (nv) = J' f
template <class S>
void MulSlotsTransposed(const SlotProblem<S>& p, const SlotList<S>& slots, const S* f, S* out) {
  for (int i = 0; i < p.nv; ++i) out[i] = S(0);
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    const S *J = p.jacobian[s], *force = f + slot.first;
    WithCount<kMaxSlotDim>(slot.dim, [&](auto dim) {
      for (int c = 0; c < slot.ncol; ++c) {
        S sum = J[c] * force[0];
        Unroll<1, dim>([&](auto k) { sum += J[k * slot.ncol + c] * force[k]; });
        out[slot.col[c]] += sum;
      }
    });
  });
}

// ---- the cost of slots at a point: forces, weights, and what one world wants to know of its rows

// Packs record nothing.
template <class S>
struct NoRecord {
  void Row(int, const RowCost<S>&, S) const {}
  void Cone(const Slot&, const ConeZones<S>&, const S*) const {}
  void Begin() const {}
  void Iteration(S, S, S, int) const {}
};

// Costs of the edges n + u_k and n - u_k; forces and weights are those of directions: f_n is the sum of all, f_k the
// difference of a pair. Returns twice the cost.
template <class S, class Record>
S PyramidCost(const SlotProblem<S>& p, const Slot& slot, const S* x, Record& record) {
  S *f = p.force + slot.first, *w = p.weight + slot.weight;
  const S D = p.D[slot.first];
  S twice(0);
  f[0] = w[0] = S(0);
  for (int k = 1; k < slot.dim; ++k) {
    const RowCost<S> plus = OneSidedCost(x[0] + x[k], D), minus = OneSidedCost(x[0] - x[k], D);
    twice += plus.twice;
    twice += minus.twice;
    f[0] += plus.force + minus.force;
    f[k] = plus.force - minus.force;
    w[2 * k] = plus.weight + minus.weight;
    w[0] += w[2 * k];
    w[2 * k - 1] = plus.weight - minus.weight;
    record.Row(slot.row + 2 * k - 2, plus, x[0] + x[k]);
    record.Row(slot.row + 2 * k - 1, minus, x[0] - x[k]);
  }
  return twice;
}

// Tells where a residual is with respect to the friction cone (constraint/cost.h).
template <class S>
ConePoint<S> ConeOf(const SlotProblem<S>& p, const Slot& slot, const S* x) {
  return ConePoint<S>(slot.dim, x, p.scale + slot.first);
}

// The cost is that of the cone's zone: nothing, a sum of squares, or the squared distance from the cone.
template <class S, class Record>
S EllipticCost(const SlotProblem<S>& p, const Slot& slot, const S* x, Record& record) {
  const ConePoint<S> cone = ConeOf(p, slot, x);
  S* force = p.force + slot.first;
  const S twice = ConeCost(cone, slot.dim, x, p.scale + slot.first, p.D + slot.first, p.bound[slot.first], force,
                           p.weight + slot.weight);
  record.Cone(slot, cone.zone, force);
  return twice;
}

// Returns twice the cost of a slot, and its forces and weights, whichever kind it is.
template <class S, class Record>
S SlotCost(const SlotProblem<S>& p, const Slot& slot, const S* x, Record& record) {
  if (slot.kind == SlotKind::kPyramid) return PyramidCost(p, slot, x, record);
  if (slot.kind == SlotKind::kElliptic) return EllipticCost(p, slot, x, record);
  S twice(0);
  for (int k = 0; k < slot.dim; ++k) {
    const int i = slot.first + k;
    const RowCost<S> row = slot.kind == SlotKind::kEquality   ? EqualityCost(x[k], p.D[i])
                           : slot.kind == SlotKind::kFriction ? FrictionCost(x[k], p.D[i], p.scale[i], p.bound[i])
                                                              : OneSidedCost(x[k], p.D[i]);
    twice += row.twice;
    p.force[i] = row.force;
    p.weight[slot.weight + k] = row.weight;
    record.Row(slot.row + k, row, x[k]);
  }
  return twice;
}

// The cost of slots at the residual x, with forces and weights.
template <class S, class Record>
S ConstraintCost(const SlotProblem<S>& p, const SlotList<S>& slots, const S* x, Record& record) {
  S twice(0);
  slots.For([&](int s) { twice += SlotCost(p, p.slot[s], x + p.slot[s].first, record); });
  return S(0.5) * twice;
}

// 1/2 (a - a_s)' (M a - M a_s)
template <class S>
S InertiaCost(const SlotProblem<S>& p) {
  S cost(0);
  for (int i = 0; i < p.nv; ++i) cost += (p.Ma[i] - p.qfrc_smooth[i]) * (p.qacc[i] - p.qacc_smooth[i]);
  return S(0.5) * cost;
}

// ---- where to start

// residual (directions) = J qacc - aref
template <class S>
void Residual(const SlotProblem<S>& p, const S* qacc, S* residual) {
  MulSlots(p, SlotList<S>(p, p.live), qacc, residual);
  for (int i = 0; i < p.directions; ++i) residual[i] -= p.aref[i];
}

// From the previous acceleration, in qacc: by how much it costs more than the unconstrained one. The record sees the
// rows at the unconstrained one last.
template <class S, class Record>
S Disadvantage(const SlotProblem<S>& p, Record& record) {
  MulSymmetric(p.Ma, p.M, p.qacc, p.inertia);
  Residual(p, p.qacc, p.residual);
  const SlotList<S> all(p, p.live);
  const S warm = InertiaCost(p) + ConstraintCost(p, all, p.residual, record);
  return warm - ConstraintCost(p, all, p.smooth_residual, record);
}

// Moves the starting point of some lanes to the unconstrained acceleration, with M a and the residual there.
template <class S>
void StartSmooth(const SlotProblem<S>& p, MaskOf<S> lanes) {
  MulSymmetric(p.Mv, p.M, p.qacc_smooth, p.inertia);
  for (int i = 0; i < p.nv; ++i) {
    p.qacc[i] = Select(lanes, p.qacc_smooth[i], p.qacc[i]);
    p.Ma[i] = Select(lanes, p.Mv[i], p.Ma[i]);
  }
  for (int i = 0; i < p.directions; ++i) p.residual[i] = Select(lanes, p.smooth_residual[i], p.residual[i]);
}

// ---- Hessian

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

// base += J' (W - W_assembled) J; returns whether any lane had a change.
template <class S>
bool AddChangedSlots(const SlotProblem<S>& p, const SlotList<S>& slots) {
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

// The factors of H at the point, unless they are those that are there. `has_cones`: whether these contain cones.
template <class S>
void FactorHessian(const SlotProblem<S>& p, const SlotList<S>& slots, bool is_first, bool& has_cones) {
  if (is_first) {
    CopyInertia(p, p.base);
    for (int k = 0; k < p.weights; ++k) p.assembled[k] = S(0);
  }
  const bool changed = AddChangedSlots(p, slots);
  if (!is_first && !changed && !has_cones && p.cones == 0) return;
  for (int k = 0; k < p.pattern.nonzeros; ++k) p.factor[k] = p.base[k];
  has_cones = AddCones(p, slots, p.factor);
  FactorLDL<S>(p.factor, p.diaginv, HessianRows(p));
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

// ---- line search

// Slope and curvature along the line, at alpha.
template <class S>
struct LinePoint {
  S slope, curvature;
};

// Adds the slope and curvature of D min(x + alpha v, 0)^2 / 2.
template <class S>
void AddOneSidedLine(S x, S v, S D, S alpha, LinePoint<S>& point) {
  x += alpha * v;
  const S weighted = Select(x < S(0), D, S(0)) * v;
  point.slope += weighted * x;
  point.curvature += weighted * v;
}

template <class S>
void AddConeLine(const SlotProblem<S>& p, const Slot& slot, S alpha, LinePoint<S>& point) {
  const S *x = p.residual + slot.first, *v = p.rate + slot.first, *D = p.D + slot.first, *scale = p.scale + slot.first;
  const S mu = scale[0], Dm = p.bound[slot.first], dN = mu * v[0], N = mu * x[0] + alpha * dN;
  S squared(0), along(0), rates(0), slope(0), curvature(0);
  for (int j = 0; j < slot.dim; ++j) {
    const S at = x[j] + alpha * v[j], weighted = D[j] * v[j];
    slope += weighted * at;
    curvature += weighted * v[j];
    if (j == 0) continue;
    const S t = scale[j] * at, w = scale[j] * v[j];
    squared += t * t;
    along += t * w;
    rates += w * w;
  }
  const S T = Sqrt(squared);
  const ConeZones<S> zone = ZonesOf(N, T, mu);
  slope = Select(zone.bottom, slope, S(0));
  curvature = Select(zone.bottom, curvature, S(0));
  if (Any(zone.middle)) {
    const ConeLine<S> line(N, dN, Select(zone.middle, T, S(1)), along, rates, mu, Dm);
    slope = Select(zone.middle, line.slope, slope);
    curvature = Select(zone.middle, line.curvature, curvature);
  }
  point.slope += slope;
  point.curvature += curvature;
}

// `start` holds slope and curvature at zero of what is quadratic everywhere.
template <class S>
LinePoint<S> EvaluateLine(const SlotProblem<S>& p, const SlotList<S>& slots, const LinePoint<S>& start, S alpha) {
  LinePoint<S> point = {start.slope + alpha * start.curvature, start.curvature};
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    const S *x = p.residual + slot.first, *v = p.rate + slot.first;
    switch (slot.kind) {
      case SlotKind::kEquality:
        break;
      case SlotKind::kFriction: {
        const RowCost<S> row =
            FrictionCost(x[0] + alpha * v[0], p.D[slot.first], p.scale[slot.first], p.bound[slot.first]);
        point.slope -= row.force * v[0];
        point.curvature += row.weight * v[0] * v[0];
        break;
      }
      case SlotKind::kOneSided:
        AddOneSidedLine(x[0], v[0], p.D[slot.first], alpha, point);
        break;
      case SlotKind::kPyramid:
        for (int k = 1; k < slot.dim; ++k) {
          AddOneSidedLine(x[0] + x[k], v[0] + v[k], p.D[slot.first], alpha, point);
          AddOneSidedLine(x[0] - x[k], v[0] - v[k], p.D[slot.first], alpha, point);
        }
        break;
      case SlotKind::kElliptic:
        AddConeLine(p, slot, alpha, point);
        break;
    }
  });
  return point;
}

template <class S>
struct LineMinimum {
  S alpha, slope;
  int evaluations;
};

// The root of the slope, from the Newton step alpha = 1 on. The signs of the slope bracket it. Newton steps are taken
// within the bracket as long as they get shorter by half every other time; otherwise its middle is, or twice as far
// where it has no end yet (W. Press et al., Numerical Recipes, 3rd ed., 9.4). Slopes of cones turn sharply where a
// contact is about to slide: there Newton steps alone may go back and forth for long.
template <class S>
LineMinimum<S> SearchLine(const SlotProblem<S>& p, const SlotList<S>& live_slots, const LinePoint<S>& start,
                          S tolerance, int limit, MaskOf<S> live) {
  SlotList<S> slots(live_slots, p.open, live);
  const S infinity(1e30);
  LineMinimum<S> found = {S(1), S(0), 0};
  S low(0), high = infinity, last = infinity, before_last = infinity;  // ends of the bracket, lengths of steps
  MaskOf<S> open = live;
  while (found.evaluations < limit) {
    const LinePoint<S> at = EvaluateLine(p, slots, start, found.alpha);
    ++found.evaluations;
    found.slope = Select(open, at.slope, found.slope);
    open = open & (Abs(at.slope) >= tolerance);
    if (!Any(open)) return found;
    const MaskOf<S> rising = at.slope >= S(0), falling = !rising;
    low = Select(open & falling, found.alpha, low);
    high = Select(open & rising, found.alpha, high);
    const MaskOf<S> has_end = high < infinity;
    const S step = at.slope / Max(at.curvature, S(kMinVal)), newton = found.alpha - step;
    const MaskOf<S> is_short = (!has_end) | (S(2) * Abs(step) <= before_last);
    const S middle = Select(has_end, S(0.5) * (low + high), S(2) * found.alpha);
    const S next = Select((newton > low) & (newton < high) & is_short, newton, middle);
    before_last = last;
    last = Abs(next - found.alpha);
    open = open & (next > low) & (next < high);
    found.alpha = Select(open, next, found.alpha);
    if (!Any(open)) return found;
    slots.Keep(open);
  }
  found.alpha = Select(open, low, found.alpha);  // the slope is negative up to there: it costs less than the start
  return found;
}

// What is quadratic along the whole line: inertia and equalities.
template <class S>
LinePoint<S> StartOfLine(const SlotProblem<S>& p, const SlotList<S>& slots) {
  LinePoint<S> start = {S(0), InterleavedDot(p.direction, p.Mv, p.nv)};
  for (int i = 0; i < p.nv; ++i) start.slope += p.direction[i] * (p.Ma[i] - p.qfrc_smooth[i]);
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    if (slot.kind != SlotKind::kEquality) return;
    for (int i = slot.first; i < slot.first + slot.dim; ++i) {
      start.slope += p.D[i] * p.residual[i] * p.rate[i];
      start.curvature += p.D[i] * p.rate[i] * p.rate[i];
    }
  });
  return start;
}

// ---- the method

// Takes one step of length alpha for the lanes that go on; others keep their point bit for bit.
template <class S>
void Move(const SlotProblem<S>& p, const SlotList<S>& slots, S alpha, MaskOf<S> live) {
  for (int i = 0; i < p.nv; ++i) {
    p.qacc[i] = Select(live, p.qacc[i] + alpha * p.direction[i], p.qacc[i]);
    p.Ma[i] = Select(live, p.Ma[i] + alpha * p.Mv[i], p.Ma[i]);
  }
  slots.For([&](int s) {
    const Slot& slot = p.slot[s];
    for (int i = slot.first; i < slot.first + slot.dim; ++i) {
      p.residual[i] = Select(live, p.residual[i] + alpha * p.rate[i], p.residual[i]);
    }
  });
}

// Cost, forces, weights and gradient at the point. Returns the cost. `slots`: those of the lanes that go on; what the
// others have is kept.
template <class S, class Record>
S EvaluatePoint(const SlotProblem<S>& p, const SlotList<S>& slots, MaskOf<S> live, Record& record) {
  const S cost = ConstraintCost(p, slots, p.residual, record) + InertiaCost(p);
  MulSlotsTransposed(p, slots, p.force, p.gradient);
  for (int i = 0; i < p.nv; ++i) {
    p.qfrc_constraint[i] = Select(live, p.gradient[i], p.qfrc_constraint[i]);
    p.gradient[i] = p.Ma[i] - p.qfrc_smooth[i] - p.qfrc_constraint[i];
  }
  return cost;
}

// Rows or forces that are no numbers leave no minimum: the acceleration says so, where the step looks for it.
template <class S>
void MarkLost(const SlotProblem<S>& p, MaskOf<S> lost) {
  if (!Any(lost)) return;
  using Number = typename LaneTraits<S>::Lane;
  for (int i = 0; i < p.nv; ++i) p.qacc[i] = Select(lost, S(Number(__builtin_nan(""))), p.qacc[i]);
}

// From the starting point to the minimum: qacc, Ma, residual, force, qfrc_constraint. Returns the iterations of each
// lane.
template <class S, class Record>
S MinimizeSlots(const SlotProblem<S>& p, const SolverOptions& options, Record& record) {
  constexpr double kNegligible = 1e-5;  // of the tolerance: what is at rest stays at rest to 1e-12 m/s
  using Number = typename LaneTraits<S>::Lane;
  const S tolerance = S(static_cast<Number>(options.tolerance));
  const auto norm = [&p](const S* x) { return Sqrt(InterleavedDot(x, x, p.nv)); };

  SlotList<S> slots(p, p.live);
  for (int i = 0; i < p.nv; ++i) p.qfrc_constraint[i] = S(0);
  S cost = EvaluatePoint(p, slots, p.present, record), iterations(0);
  record.Begin();
  const S slope = p.size * norm(p.gradient);
  MaskOf<S> live = p.present & (slope >= S(Number(kNegligible)) * tolerance);
  MarkLost(p, p.present & !(slope < S(Number(kInfinity))));
  bool has_cones = false;
  for (int i = 0; i < options.iterations && Any(live); ++i) {
    slots.Keep(live);
    FactorHessian(p, slots, /*is_first=*/i == 0, has_cones);
    for (int k = 0; k < p.nv; ++k) p.direction[k] = -p.gradient[k];
    SolveHessian(p, p.direction);
    const S length = norm(p.direction);
    // A direction of no length leads nowhere, and the record of the iteration divides by it.
    live = live & (length >= S(Number(kMinVal)));
    if (!Any(live)) break;

    MulSymmetric(p.Mv, p.M, p.direction, p.inertia);
    MulSlots(p, slots, p.direction, p.rate);
    const LinePoint<S> start = StartOfLine(p, slots);
    S slope_tolerance = tolerance * S(static_cast<Number>(options.ls_tolerance)) * length / p.size;
    // Slopes of floats are not smaller than their rounding.
    if constexpr (std::is_same_v<Number, float>) slope_tolerance = Max(slope_tolerance, S(1e-5f) * Abs(start.slope));
    const LineMinimum<S> line = SearchLine(p, slots, start, slope_tolerance, options.ls_iterations, live);
    Move(p, slots, line.alpha, live);
    const S old_cost = cost;
    cost = EvaluatePoint(p, slots, live, record);
    const S improvement = p.size * (old_cost - cost), gradient = p.size * norm(p.gradient);
    iterations += Select(live, S(1), S(0));
    record.Iteration(improvement, gradient, Abs(line.slope) * p.size / length, line.evaluations);
    live = live & (improvement >= tolerance) & (gradient >= tolerance);
  }
  return iterations;
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_SOLVE_SLOT_NEWTON_KERNEL_H_
