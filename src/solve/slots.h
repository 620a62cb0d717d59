// Slots: a primal problem (problem.h) in the form that worlds share lanes in. A slot holds the rows of one constraint;
// the integers below are the same in all lanes, and a lane whose world has no such constraint has zeros there.
//
// Directions instead of rows. A contact has dim directions: the normal n and the friction directions u_k, those of a
// pyramid multiplied by their coefficients, so that its edges are the residuals n + u_k and n - u_k: 3 directions for 4
// rows, 6 for 10. The other kinds have a direction for each row.
#ifndef SINEW_SOLVE_SLOTS_H_
#define SINEW_SOLVE_SLOTS_H_

#include "inertia/ldl_kernel.h"
#include "simd/pack.h"

namespace sinew {

enum class SlotKind : int { kEquality, kFriction, kOneSided, kPyramid, kElliptic };

inline constexpr int kMaxSlotDim = 6;    // directions of a slot
inline constexpr int kMaxSlotDofs = 64;  // dofs of a problem: columns are bits of a word

struct Slot {
  SlotKind kind;
  int dim;         // directions
  int first;       // the first of them, counted over all slots
  int weight;      // its first number among the weights of all slots
  int row;         // in one world: the first row
  int ncol;        // columns of the Jacobian
  const int* col;  // their dofs, ascending
  bool is_path;    // they are all the dofs from a root to the last of them
};

// The pattern of M plus the products of the slots' columns, with its fill, as that of a tree: the dofs' elimination
// tree, in which constraints between branches have put one branch above the other. Row i has all ancestors of i, so
// that its entry for column j is the depth[j]-th, whichever i is.
struct SlotPattern {
  const int *rownnz, *rowadr, *colind;
  const int* depth;  // of each dof: number of its ancestors
  int nonzeros;
  bool is_inertia;  // the same as the pattern of M
};

// What a pattern asks of its memory: so many ints, for a problem of nv dofs.
int SlotPatternInts(int nv);

// `parent`: of each dof, or -1. The pattern of M: rows of ascending columns. `memory`: SlotPatternInts(nv) ints, which
// the result refers to. Sets is_path of the slots.
SlotPattern FindSlotPattern(int nv, const int* parent, const int* M_rownnz, const int* M_rowadr, const int* M_colind,
                            Slot* slots, int count, int* memory);

inline namespace SINEW_ISA {

// Numbers that say how much of a slot is in the Hessian: the diagonal, and of a pyramid also the products of the normal
// with the friction directions, in the order 00, 01, 11, 02, 22, ...
inline int WeightCount(const Slot& slot) { return slot.kind == SlotKind::kPyramid ? 2 * slot.dim - 1 : slot.dim; }
inline int RowCount(const Slot& slot) { return slot.kind == SlotKind::kPyramid ? 2 * (slot.dim - 1) : slot.dim; }

// The problem and its point. Arrays over directions, weights, dofs, or entries of the pattern.
template <class S>
struct SlotProblem {
  int nv, count, directions, weights;
  int trees;
  int cones;  // elliptic slots
  const Slot* slot;
  const unsigned* lanes;  // of each slot: a bit for each lane that has it; not of one world alone
  RowPattern inertia;     // of M
  SlotPattern pattern;    // of the Hessian

  // given
  const S *M, *qfrc_smooth, *qacc_smooth;
  const S* const* jacobian;  // of each slot: dim x ncol, row-major
  const S* aref;
  const S* D;              // of pyramids, that of all edges at each direction
  const S *scale, *bound;  // friction loss: eta, R eta; elliptic: the coefficients mu, mu_1, ... and, first, Dm
  S size;                  // makes improvement and gradient independent of the size of the system
  MaskOf<S> present;       // lanes with any slot

  // point: J a - aref, M a, J' f
  S *qacc, *Ma, *residual, *qfrc_constraint;
  S* smooth_residual;  // at qacc_smooth

  // scratch
  S *gradient, *direction, *Mv, *rate, *force, *weight, *assembled, *base, *factor, *diaginv;
  int *live, *open;  // numbers of slots (SlotList), not of one world alone
};

// Takes memory for the point's residuals and the scratch of a problem whose sizes are known, from `allocate`, which
// gives room for so many S.
template <class S, class Allocate>
void TakeSlotMemory(SlotProblem<S>& p, const Allocate& allocate) {
  for (S** array : {&p.residual, &p.smooth_residual, &p.rate, &p.force}) *array = allocate(p.directions);
  for (S** array : {&p.gradient, &p.direction, &p.Mv, &p.diaginv}) *array = allocate(p.nv);
  for (S** array : {&p.weight, &p.assembled}) *array = allocate(p.weights);
  for (S** array : {&p.base, &p.factor}) *array = allocate(p.pattern.nonzeros);
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_SOLVE_SLOTS_H_
