// Converts a problem of one world (problem.h) into slots: its rows are gathered constraint by constraint, and results
// of the kernel are written back as states and forces of rows. Memory is that of a stack frame, and functions return
// null when it is full.
#include "solve/slot_problem.h"

#include <algorithm>
#include <new>
#include <utility>

#include "solve/slot_newton_kernel.h"

namespace sinew::inline solve {
namespace {

// ---- from rows to slots

// Limits, and contacts without friction, act on one side.
SlotKind KindOf(int type) {
  switch (type) {
    case mjCNSTR_EQUALITY:
      return SlotKind::kEquality;
    case mjCNSTR_FRICTION_DOF:
    case mjCNSTR_FRICTION_TENDON:
      return SlotKind::kFriction;
    case mjCNSTR_CONTACT_PYRAMIDAL:
      return SlotKind::kPyramid;
    case mjCNSTR_CONTACT_ELLIPTIC:
      return SlotKind::kElliptic;
    default:
      return SlotKind::kOneSided;
  }
}

// Numbers of the problem, by slot and direction.
struct SlotArrays {
  Slot* slot;
  const double** jacobian;
  double *aref, *D, *scale, *bound;
};

// The rows of a block in slots, one for each constraint.
class SlotMaker {
 public:
  SlotMaker(const Problem& problem, const SlotArrays& arrays, StackFrame& frame)
      : p_(problem), to_(arrays), frame_(frame) {}

  // Appends the constraints of one dense block of the Jacobian. Rows that are not of pyramids are used where they
  // are.
  void AddBlock(const JacobianBlock& block) {
    for (int r = 0; r < block.nrow;) {
      Slot& slot = to_.slot[count_];
      slot = MakeSlot(block, r);
      const double* J = block.value + static_cast<ptrdiff_t>(r) * block.ncol;
      if (slot.kind == SlotKind::kPyramid) {
        to_.jacobian[count_] = AddPyramid(slot, J);
      } else {
        to_.jacobian[count_] = J;
        AddRows(slot);
      }
      ++count_;
      directions_ += slot.dim;
      weights_ += WeightCount(slot);
      r += RowCount(slot);
    }
  }

  int count() const { return count_; }
  int directions() const { return directions_; }
  int weights() const { return weights_; }
  int cones() const { return cones_; }

 private:
  // Rows of one equality go together, up to the most that a slot has.
  Slot MakeSlot(const JacobianBlock& block, int r) const {
    const int row = block.row + r;
    Slot slot = {KindOf(p_.rows.type[row]), 1, directions_, weights_, row, block.ncol, block.col, false, 0, 0};
    if (slot.kind == SlotKind::kPyramid || slot.kind == SlotKind::kElliptic) {
      slot.dim = p_.rows.contact[p_.rows.id[row]].dim;
    } else if (slot.kind == SlotKind::kEquality) {
      while (slot.dim < kMaxSlotDim && r + slot.dim < block.nrow && p_.rows.type[row + slot.dim] == p_.rows.type[row] &&
             p_.rows.id[row + slot.dim] == p_.rows.id[row]) {
        ++slot.dim;
      }
    }
    return slot;
  }

  // n = (J_0 + J_1) / 2,  u_k = (J_2k-2 - J_2k-1) / 2, and so for the reference.
  const double* AddPyramid(const Slot& slot, const double* rows) {
    const int n = slot.ncol;
    double* J = frame_.Doubles(static_cast<ptrdiff_t>(slot.dim) * n);
    if (frame_.full()) return nullptr;
    const double* aref = p_.aref + slot.row;
    for (int k = 0; k < slot.dim; ++k) {
      const double sign = k == 0 ? 1 : -1;
      const int edge = k == 0 ? 0 : 2 * (k - 1);
      const double *plus = rows + edge * n, *minus = plus + n;
      for (int c = 0; c < n; ++c) J[k * n + c] = 0.5 * (plus[c] + sign * minus[c]);
      to_.aref[directions_ + k] = 0.5 * (aref[edge] + sign * aref[edge + 1]);
      to_.D[directions_ + k] = p_.rows.D[slot.row];
    }
    return J;
  }

  // Numbers of each row, and what the cost of friction loss and of elliptic cones needs beside that.
  void AddRows(const Slot& slot) {
    for (int k = 0; k < slot.dim; ++k) {
      const int row = slot.row + k, i = directions_ + k;
      to_.aref[i] = p_.aref[row];
      to_.D[i] = p_.rows.D[row];
      if (slot.kind == SlotKind::kFriction) {
        to_.scale[i] = p_.rows.frictionloss[row];
        to_.bound[i] = p_.rows.R[row] * p_.rows.frictionloss[row];
      }
    }
    if (slot.kind != SlotKind::kElliptic) return;
    ++cones_;
    const EllipticContact cone = MakeElliptic(p_.rows.contact[p_.rows.id[slot.row]], p_.rows.D[slot.row]);
    for (int k = 0; k < slot.dim; ++k) to_.scale[directions_ + k] = cone.scale[k];
    to_.bound[directions_] = cone.Dm;
  }

  const Problem& p_;
  const SlotArrays& to_;
  StackFrame& frame_;
  int count_ = 0, directions_ = 0, weights_ = 0, cones_ = 0;
};

// ---- what the rows of one world become

// Takes down states and forces of rows as the cost is evaluated, and the statistics of iterations as mjData has them.
class RowRecord {
 public:
  static constexpr bool kCounts = true;

  explicit RowRecord(const Problem& p) : p_(p) {}

  void Row(int row, const RowCost<double>& cost, double) {
    const int state = StateOf(cost);
    Set(row, state, state == mjCNSTRSTATE_SATISFIED ? 0 : cost.force);
  }
  void Cone(const Slot& slot, const ConeZones<double>& zone, const double* force) {
    const int state = StateOf(zone);
    for (int j = 0; j < slot.dim; ++j) Set(slot.row + j, state, state == mjCNSTRSTATE_SATISFIED ? 0 : force[j]);
  }
  // Twice the cost of a slot. Equalities are counted along the line.
  void Cost(int s, const Slot& slot, double twice) {
    if (slot.kind == SlotKind::kEquality) return;
    gain_ += p_.slots->cost[s] - twice;
    p_.slots->cost[s] = twice;
  }
  double TakeGain() { return std::exchange(gain_, 0); }
  void Begin() {
    active_ = changed_ = 0;
    gain_ = 0;
  }
  // Later iterations than the statistics have room for are counted alone.
  void Iteration(double improvement, double gradient, double slope, double evaluations) {
    if (p_.stat && iterations_ < mjNSOLVER) {
      p_.stat[iterations_] = {improvement, gradient, slope, active_, changed_, static_cast<int>(evaluations), changed_};
    }
    ++iterations_;
    if (p_.niter) *p_.niter = iterations_;
    Begin();
  }

 private:
  void Set(int row, int state, double force) {
    changed_ += p_.state[row] != state;
    active_ += state != mjCNSTRSTATE_SATISFIED;
    p_.state[row] = state;
    p_.force[row] = force;
  }

  const Problem& p_;
  int iterations_ = 0, active_ = 0, changed_ = 0;
  double gain_ = 0;  // twice what slots have cost more before
};

// Writes to the contacts, in the form that programs read.
void StoreConeHessians(const Problem& problem) {
  const SlotProblem<double>& p = *problem.slots;
  for (int s = 0; s < p.count; ++s) {
    const Slot& slot = p.slot[s];
    if (slot.kind != SlotKind::kElliptic) continue;
    const ConePoint<double> cone = ConeOf(p, slot, p.residual + slot.first);
    if (!cone.zone.middle) continue;
    double H[kMaxSlotDim][kMaxSlotDim];
    ConeHessian(p, slot, cone, H);
    mjtNum* to = problem.rows.contact[problem.rows.id[slot.row]].H;
    for (int i = 0; i < slot.dim; ++i) std::copy_n(H[i], slot.dim, to + i * slot.dim);
  }
}

}  // namespace

// The numbers are measured; forests of many small trees gain more from the supernodes' sparsity.
bool AreSlotsFaster(int dofs, int trees) {
  constexpr int kMaxDofsOfForests = 40, kFewTrees = 3;
  return dofs <= kMaxDofsOfForests || (dofs <= kMaxSlotDofs && trees <= kFewTrees);
}
bool AreSlotsFaster(const Problem& problem) {
  return AreSlotsFaster(problem.nv, static_cast<int>(std::count(problem.parent, problem.parent + problem.nv, -1)));
}

bool IsSolvedWhole(const mjModel* m) {
  return m->opt.solver == mjSOL_NEWTON && !(m->opt.enableflags & mjENBL_SLEEP) &&
         AreSlotsFaster(static_cast<int>(m->nv), static_cast<int>(m->ntree));
}

SlotProblem<double>* GatherSlots(const Problem& problem, StackFrame& frame) {
  if (problem.nv > kMaxSlotDofs) return nullptr;
  const int nefc = problem.rows.nefc;
  const SlotArrays arrays = {frame.Alloc<Slot>(nefc), frame.Alloc<const double*>(nefc),
                             frame.Doubles(nefc),     frame.Doubles(nefc),
                             frame.Doubles(nefc),     frame.Doubles(nefc)};
  auto* slots = frame.Alloc<SlotProblem<double>>(1);
  if (frame.full()) return nullptr;
  SlotMaker make(problem, arrays, frame);
  for (int b = 0; b < problem.J.nblock; ++b) make.AddBlock(problem.J.block[b]);

  // The problem refers to the world's own arrays: the solution is written where the stage expects it.
  SlotProblem<double>& p = *new (slots) SlotProblem<double>{};
  p.nv = problem.nv;
  p.count = make.count();
  p.directions = make.directions();
  p.weights = make.weights();
  p.cones = make.cones();
  p.slot = arrays.slot;
  p.inertia = {problem.nv, problem.M_rownnz, problem.M_rowadr, problem.M_colind};
  p.M = problem.M;
  p.M_diaginv = problem.LDiagInv;
  p.qfrc_smooth = problem.qfrc_smooth;
  p.qacc_smooth = problem.qacc_smooth;
  p.jacobian = arrays.jacobian;
  p.aref = arrays.aref;
  p.D = arrays.D;
  p.scale = arrays.scale;
  p.bound = arrays.bound;
  p.size = problem.scale;
  p.present = true;
  p.qacc = problem.qacc;
  p.Ma = problem.Ma;
  p.qfrc_constraint = problem.qfrc_constraint;
  return frame.full() ? nullptr : slots;
}

const SlotProblem<double>* MakeSlots(const Problem& problem, StackFrame& frame) {
  SlotProblem<double>* slots = GatherSlots(problem, frame);
  int* ints = frame.Ints(SlotPatternInts(problem.nv));
  if (!slots || frame.full()) return nullptr;
  slots->pattern = FindSlotPattern(problem.nv, problem.parent, problem.M_rownnz, problem.M_rowadr, problem.M_colind,
                                   const_cast<Slot*>(slots->slot), slots->count, ints);
  TakeSlotMemory(*slots, [&frame](int count) { return frame.Doubles(count); });
  return frame.full() ? nullptr : slots;
}

SINEW_DISPATCH void SlotSmoothResidual(const SlotProblem<double>& slots) {
  Residual(slots, slots.qacc_smooth, slots.smooth_residual);
}

SINEW_DISPATCH double SlotExcessOfWarmStart(const Problem& problem) {
  RowRecord record(problem);
  return ExcessCostOfWarmStart(*problem.slots, record);
}

SINEW_DISPATCH void SlotStartSmooth(const SlotProblem<double>& slots) { StartSmooth(slots, true); }

void ExpandDirections(const SlotProblem<double>& slots, const double* directions, double* rows) {
  for (int s = 0; s < slots.count; ++s) {
    const Slot& slot = slots.slot[s];
    const double* x = directions + slot.first;
    if (slot.kind != SlotKind::kPyramid) {
      std::copy_n(x, slot.dim, rows + slot.row);
      continue;
    }
    for (int k = 1; k < slot.dim; ++k) {
      rows[slot.row + 2 * k - 2] = x[0] + x[k];
      rows[slot.row + 2 * k - 1] = x[0] - x[k];
    }
  }
}

SINEW_DISPATCH void SolveSlots(const Problem& problem, const SolverOptions& options) {
  RowRecord record(problem);
  std::fill_n(problem.slots->cost, problem.slots->count, 0.0);
  MinimizeSlots(*problem.slots, options, record);
  if (problem.nnz) *problem.nnz = problem.slots->pattern.nonzeros;
  if (problem.slots->cones > 0) StoreConeHessians(problem);
}

}  // namespace sinew::inline solve
