// Worlds in which dofs are perturbed, evaluated on the threads of the pool that is bound to the world.
//
//   worlds.Run(evaluate, store):    evaluate(world 0, set 0)  store(0)     evaluate(world 0, set 3)  store(3)
//                                   evaluate(world 1, set 1)  store(1)     ...
//                                   evaluate(world 2, set 2)  store(2)
//                                   -- in parallel --         -- in order --
//
// The same dof of trees that do not depend on each other is perturbed at once
// (derivatives/finite_difference/tree_coupling.h).
#ifndef SINEW_DERIVATIVES_FINITE_DIFFERENCE_PERTURBED_WORLDS_H_
#define SINEW_DERIVATIVES_FINITE_DIFFERENCE_PERTURBED_WORLDS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "core/stack.h"
#include "derivatives/finite_difference/tree_coupling.h"
#include "model/storage/data.h"

namespace sinew::inline derivatives {

enum class Quantity { kPosition, kVelocity, kAcceleration };

// Dofs that are perturbed at once: in each tree of a group, the one at this index.
struct DofSet {
  int group, index;
  int only_tree = -1;  // of a single tree, unless -1
};

// Whether callbacks or plugins take part in forces: they may couple anything, and need not bear several threads.
bool HasUserForces(const mjModel* m);

// Copies of a world, one for each thread of its pool; none without a pool.
std::vector<DataPtr> CopiesForThreads(const mjModel* m, const mjData* d);

class PerturbedWorlds {
 public:
  // Without copies, the world itself is perturbed.
  PerturbedWorlds(const mjModel* m, mjData* d, const std::vector<DataPtr>& copies, const TreeCoupling& coupling,
                  StackFrame& frame);

  const mjModel* model() const { return m_; }
  int count() const { return count_; }
  mjData* operator[](int i) const { return slot_[i].d; }

  // For all dofs: bool evaluate(i, set) in world i, then store(i, set, what evaluate returned). The calls of evaluate
  // do not depend on each other; those of store come in the order of the sets.
  template <class Evaluate, class Store>
  void Run(const Evaluate& evaluate, const Store& store) const;

  // Calls body(tree, dof) for the dofs of a set.
  template <class Body>
  void ForEachDof(const DofSet& set, const Body& body) const;

 private:
  struct Slot {
    mjData* d;
    DofSet set;
    bool result;
  };

  bool HasDof(const DofSet& set) const;

  const mjModel* m_;
  mjThreadPool* pool_;
  const TreeCoupling& coupling_;
  int count_;
  Slot* slot_;
};

// Moves a quantity of the dofs of a set in a world, until the end of the scope.
class MovedDofs {
 public:
  MovedDofs(const PerturbedWorlds& worlds, int i, const DofSet& set, Quantity quantity, double step);
  ~MovedDofs() { std::copy_n(kept_, size_, values_); }
  MovedDofs(const MovedDofs&) = delete;
  MovedDofs& operator=(const MovedDofs&) = delete;

 private:
  StackFrame frame_;
  double* values_;
  mjtSize size_;
  double* kept_;
};

template <class Body>
void PerturbedWorlds::ForEachDof(const DofSet& set, const Body& body) const {
  for (int tree = 0; tree < m_->ntree; ++tree) {
    if (set.only_tree >= 0 && tree != set.only_tree) continue;
    if (coupling_.GroupOf(tree) == set.group && set.index < m_->tree_dofnum[tree]) {
      body(tree, m_->tree_dofadr[tree] + set.index);
    }
  }
}

template <class Evaluate, class Store>
void PerturbedWorlds::Run(const Evaluate& evaluate, const Store& store) const {
  struct Batch {
    Slot* slot;
    const Evaluate& evaluate;
    static void Piece(void* self, int i) {
      const Batch& batch = *static_cast<Batch*>(self);
      batch.slot[i].result = batch.evaluate(i, batch.slot[i].set);
    }
  } batch = {slot_, evaluate};
  int pending = 0;
  const auto finish = [&] {
    if (pending > 1) {
      PooledFor(*pool_, pending, &Batch::Piece, &batch);
    } else if (pending == 1) {
      Batch::Piece(&batch, 0);
    }
    for (int i = 0; i < pending; ++i) store(i, slot_[i].set, slot_[i].result);
    pending = 0;
  };

  const int longest = m_->ntree > 0 ? *std::max_element(m_->tree_dofnum, m_->tree_dofnum + m_->ntree) : 0;
  for (int group = 0; group < coupling_.groups(); ++group) {
    for (int index = 0; index < longest; ++index) {
      if (!HasDof({group, index})) continue;
      slot_[pending].set = {group, index};
      if (++pending == count_) finish();
    }
  }
  finish();
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_FINITE_DIFFERENCE_PERTURBED_WORLDS_H_
