#include "derivatives/finite_difference/tree_coupling.h"

#include <algorithm>

#include "collision/broad/broadphase.h"
#include "collision/broad/filter.h"
#include "constraint/jacobian_product.h"
#include "model/kinds/bushing.h"

namespace sinew::inline derivatives {

TreeCoupling::TreeCoupling(const mjModel* m, mjData* d, StackFrame& frame, Coupling coupling)
    : ntree_(static_cast<int>(m->ntree)), words_((ntree_ + 63) / 64) {
  const auto make_sets = [&](mjtSize count) {
    const ptrdiff_t size = static_cast<ptrdiff_t>(count) * words_;
    uint64_t* sets = frame.Alloc<uint64_t>(size);
    if (sets) std::fill_n(sets, size, uint64_t{0});
    return sets;
  };
  neighbors_ = make_sets(ntree_);
  drivers_ = make_sets(m->nu);
  noted_ = make_sets(1);
  group_ = frame.Ints(ntree_);
  uint64_t* taken = make_sets(ntree_);
  if (frame.full()) return;

  for (int tree = 0; tree < ntree_; ++tree) {
    Note(tree);
    JoinNoted();
  }
  JoinNear(m, d);
  JoinRows(m, d);
  JoinTendons(m, d);
  JoinActuators(m, d);
  JoinBushings(m);
  if (m->nflex > 0 || coupling == Coupling::kAll) JoinAll();
  FormGroups(taken);
}

void TreeCoupling::Note(int tree) {
  if (tree >= 0) noted_[tree / 64] |= uint64_t{1} << tree % 64;
}

void TreeCoupling::JoinNoted() {
  for (int tree = 0; tree < ntree_; ++tree) {
    if (!Bit(noted_, 0, tree)) continue;
    for (int w = 0; w < words_; ++w) Row(neighbors_, tree)[w] |= noted_[w];
  }
  std::fill_n(noted_, words_, uint64_t{0});
}

// Trees that touch, though one of them may not be able to move along the normal, and those that a perturbation may
// bring into touch: moved together, they would keep their distance. Where the stack is too small to find them, any two
// trees count as near.
void TreeCoupling::JoinNear(const mjModel* m, mjData* d) {
  if (m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) return;
  const auto join = [&](uint32_t signature) {
    Note(m->body_treeid[LowBodyOf(signature)]);
    Note(m->body_treeid[HighBodyOf(signature)]);
    JoinNoted();
  };
  StackFrame frame(d, WhenFull::kReport);
  StackList<uint32_t> pairs(frame);
  BroadPhase(m, d, frame, pairs);
  if (frame.full()) return JoinAll();
  std::for_each(pairs.begin(), pairs.end(), join);
  std::for_each_n(m->pair_signature, m->npair, [&](int signature) { join(static_cast<uint32_t>(signature)); });
}

void TreeCoupling::JoinRows(const mjModel* m, const mjData* d) {
  const JacobianRows J = AllRows(m, d);
  for (int row = 0; row < d->nefc; ++row) {
    if (d->efc_type[row] == mjCNSTR_FRICTION_DOF || d->efc_type[row] == mjCNSTR_LIMIT_JOINT) continue;
    if (J.rownnz) {
      for (int k = 0; k < J.rownnz[row]; ++k) Note(m->dof_treeid[J.colind[J.rowadr[row] + k]]);
    } else {
      for (int dof = 0; dof < J.ncol; ++dof) {
        if (J.J[static_cast<ptrdiff_t>(row) * J.ncol + dof] != 0) Note(m->dof_treeid[dof]);
      }
    }
    JoinNoted();
  }
}

void TreeCoupling::JoinTendons(const mjModel* m, const mjData*) {
  for (int tendon = 0; tendon < m->ntendon; ++tendon) {
    for (int k = 0; k < m->ten_J_rownnz[tendon]; ++k) {
      Note(m->dof_treeid[m->ten_J_colind[m->ten_J_rowadr[tendon] + k]]);
    }
    JoinNoted();
  }
}

void TreeCoupling::JoinActuators(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nu; ++i) {
    for (int k = 0; k < d->moment_rownnz[i]; ++k) Note(m->dof_treeid[d->moment_colind[d->moment_rowadr[i] + k]]);
    std::copy_n(noted_, words_, Row(drivers_, i));
    JoinNoted();
  }
}

void TreeCoupling::JoinBushings(const mjModel* m) {
  const Bushings bushings(m);
  for (int i = 0; bushings && i < bushings.count(); ++i) {
    const mjtNum* numbers = bushings.Of(i);
    if (!numbers) continue;
    for (const BushingNumber site : {kBushingSite1, kBushingSite2}) {
      Note(m->body_treeid[m->site_bodyid[static_cast<int>(numbers[site])]]);
    }
    JoinNoted();
  }
}

void TreeCoupling::JoinAll() {
  for (int tree = 0; tree < ntree_; ++tree) Note(tree);
  JoinNoted();
}

// Each tree joins the first group in which nobody has a neighbour in common with it. `taken`: scratch for the
// neighbours of each group's trees.
void TreeCoupling::FormGroups(uint64_t* taken) {
  for (int tree = 0; tree < ntree_; ++tree) {
    const uint64_t* own = Row(neighbors_, tree);
    const auto clashes = [&](int group) {
      const uint64_t* others = Row(taken, group);
      for (int w = 0; w < words_; ++w) {
        if (own[w] & others[w]) return true;
      }
      return false;
    };
    int group = 0;
    while (group < groups_ && clashes(group)) ++group;
    if (group == groups_) std::fill_n(Row(taken, groups_++), words_, uint64_t{0});
    for (int w = 0; w < words_; ++w) Row(taken, group)[w] |= own[w];
    group_[tree] = group;
  }
}

}  // namespace sinew::inline derivatives
