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
#include "solve/slope_root_kernel.h"

namespace sinew::inline solve {

enum class SlotKind : int { kEquality, kFriction, kOneSided, kPyramid, kElliptic };

inline constexpr int kMaxSlotDim = 6;    // directions of a slot
inline constexpr int kMaxSlotDofs = 64;  // dofs of a problem: columns are bits of a word

struct Slot {
  SlotKind kind;
  int dim;                    // directions
  int first;                  // the first of them, counted over all slots
  int weight;                 // its first number among the weights of all slots
  int row;                    // in one world: the first row
  int ncol;                   // columns of the Jacobian
  const int* col;             // their dofs, ascending
  bool is_path;               // they are all the dofs from a root to the last of them
  int first_tree, last_tree;  // of the dofs
};

// The pattern of M plus the products of the slots' columns, with its fill, as that of a tree: the dofs' elimination
// tree, in which constraints between branches have put one branch above the other. Row i has all ancestors of i, so
// that its entry for column j is the depth[j]-th, whichever i is.
struct SlotPattern {
  const int *rownnz, *rowadr, *colind;
  const int* depth;  // of each dof: number of its ancestors
  int nonzeros;
  bool is_inertia;  // the same as the pattern of M
  int trees;
  const int* first_dof;  // of each tree, and at the end nv
};

// `parent`: of each dof, or -1. The pattern of M: rows of ascending columns. `memory`: SlotPatternInts(nv) ints, which
// the result refers to. Sets is_path and the trees of the slots.
SlotPattern FindSlotPattern(int nv, const int* parent, const int* M_rownnz, const int* M_rowadr, const int* M_colind,
                            Slot* slots, int count, int* memory);

inline namespace SINEW_ISA {

// The number of ints in the memory of a pattern, for a problem of nv dofs.
constexpr int SlotPatternInts(int nv) { return 4 * nv + 1 + nv * (nv + 1) / 2; }

// Numbers that say how much of a slot is in the Hessian: the diagonal, and of a pyramid also the products of the normal
// with the friction directions, in the order 00, 01, 11, 02, 22, ...
inline int WeightCount(const Slot& slot) { return slot.kind == SlotKind::kPyramid ? 2 * slot.dim - 1 : slot.dim; }
inline int RowCount(const Slot& slot) { return slot.kind == SlotKind::kPyramid ? 2 * (slot.dim - 1) : slot.dim; }

// A kinematic tree: dofs that follow each other. (Trees of which dofs alternate count as one.) Trees
// that slots join in a lane are an island there, which is a problem of its own: it has a step
// length of its own and ends by itself (slot_islands_kernel.h). Numbers below are those of the tree; OverIsland adds
// them up.
template <class S>
struct SlotTree {
  int group;            // trees of other groups are in other islands in all lanes
  bool is_alone;        // no other tree is in its group
  S label;              // the same for all trees of an island of a lane, and for no others
  MaskOf<S> live;       // where its island is not at the minimum yet
  MaskOf<S> changed;    // where weights of its slots have changed since H was factored
  MaskOf<S> stiff;      // where its island is stiff (balance_kernel.h)
  MaskOf<S> has_floor;  // where `floor` of its dofs is that of this iteration
  S trace;              // of M
  S largest, left;      // the largest force of a dof and the largest gradient, in units in which M has the diagonal 1
  S left_before;        // that gradient before the last step
  S slope, curvature;   // along the line, of what is quadratic on all of it
  S at_slope, at_curvature;  // the same of everything, at a point
  S alpha;                   // the step
  S noise;                   // what rounding leaves of the slope along the line
  S budget;                  // evaluations along the line after which its search ends
  SlopeRoot<S> root;
};

// The problem and its point. Arrays over directions, weights, dofs, or entries of the pattern.
template <class S>
struct SlotProblem {
  int nv, count, directions, weights;
  int cones;  // elliptic slots
  const Slot* slot;
  const unsigned* lanes;  // of each slot: a bit for each lane that has it; not of one world alone
  RowPattern inertia;     // of M
  SlotPattern pattern;    // of the Hessian

  // given
  const S *M, *qfrc_smooth, *qacc_smooth;
  const S* M_diaginv;        // 1 / D of the factors of M, in the order of dofs
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
  S* inverse_root;  // of each dof: 1 / sqrt(M_ii)
  S* cost;          // of each slot, twice; of one world alone
  S* floor;         // of each dof: the sizes of the terms that its gradient is the sum of, where has_floor
  S* owner;         // of each slot that touches several trees: the first one that it moves
  SlotTree<S>* tree;
  int *live, *open;  // numbers of slots (SlotList), not of one world alone
};

// How many S a tree takes of the scratch.
template <class S>
constexpr int kNumbersOfTree = static_cast<int>(sizeof(SlotTree<S>) / sizeof(S));

// Takes memory for the point's residuals and the scratch of a problem whose sizes are known, from `allocate`, which
// gives room for so many S.
template <class S, class Allocate>
void TakeSlotMemory(SlotProblem<S>& p, const Allocate& allocate) {
  for (S** array : {&p.residual, &p.smooth_residual, &p.rate, &p.force}) *array = allocate(p.directions);
  for (S** array : {&p.gradient, &p.direction, &p.Mv, &p.diaginv, &p.inverse_root, &p.floor}) *array = allocate(p.nv);
  p.owner = allocate(p.count);
  p.cost = allocate(p.count);
  p.tree = reinterpret_cast<SlotTree<S>*>(allocate(p.pattern.trees * kNumbersOfTree<S>));
  for (S** array : {&p.weight, &p.assembled}) *array = allocate(p.weights);
  for (S** array : {&p.base, &p.factor}) *array = allocate(p.pattern.nonzeros);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOTS_H_
