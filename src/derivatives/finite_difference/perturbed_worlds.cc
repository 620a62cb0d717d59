#include "derivatives/finite_difference/perturbed_worlds.h"

#include <algorithm>

#include "derivatives/base/step_linearization.h"
#include "derivatives/finite_difference/copies.h"

namespace sinew::inline derivatives {

bool HasUserForces(const mjModel* m) {
  return mjcb_control || mjcb_passive || mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias || mjcb_contactfilter ||
         m->nplugin > 0;
}

std::vector<DataPtr> CopiesForThreads(const mjModel* m, const mjData* d) {
  std::vector<DataPtr> copies;
  if (!d->threadpool || d->pstack != 0) return copies;
  const mjThreadPool& pool = *reinterpret_cast<const mjThreadPool*>(d->threadpool);
  const int threads = 1 + pool.nworker;
  for (int i = 0; i < threads; ++i) {
    copies.emplace_back(CopyData(nullptr, *m, *d));
    copies.back()->threadpool = 0;
  }
  return copies;
}

PerturbedWorlds::PerturbedWorlds(const mjModel* m, mjData* d, const std::vector<DataPtr>& copies,
                                 const TreeCoupling& coupling, StackFrame& frame)
    : m_(m),
      pool_(reinterpret_cast<mjThreadPool*>(d->threadpool)),
      coupling_(coupling),
      count_(std::max(1, static_cast<int>(copies.size()))),
      slot_(frame.Alloc<Slot>(count_)) {
  for (int i = 0; i < count_ && slot_; ++i)
    slot_[i] = {copies.empty() ? d : copies[static_cast<size_t>(i)].get(), {}, false};
}

bool PerturbedWorlds::HasDof(const DofSet& set) const {
  bool any = false;
  ForEachDof(set, [&](int, int) { any = true; });
  return any;
}

MovedDofs::MovedDofs(const PerturbedWorlds& worlds, int i, const DofSet& set, Quantity quantity, double step)
    : frame_(worlds[i]) {
  const mjModel* m = worlds.model();
  const mjData* d = worlds[i];
  const bool position = quantity == Quantity::kPosition;
  values_ = position ? d->qpos : quantity == Quantity::kVelocity ? d->qvel : d->qacc;
  size_ = position ? m->nq : m->nv;
  kept_ = CopyOf(values_, size_, frame_);
  worlds.ForEachDof(set, [&](int, int dof) {
    if (position) {
      MoveDof(m, values_, dof, step);
    } else {
      values_[dof] += step;
    }
  });
}

}  // namespace sinew::inline derivatives
