// Pairs of bodies (pair_columns_kernel.h) of one world, with memory of their own.
#ifndef SINEW_DERIVATIVES_BASE_PAIR_COLUMNS_H_
#define SINEW_DERIVATIVES_BASE_PAIR_COLUMNS_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "derivatives/base/columns.h"
#include "derivatives/base/pair_columns_kernel.h"

namespace sinew::inline derivatives {

using PairDof = PairDofOf<double>;
using PairWrench = PairWrenchOf<double>;

// Motions that all pairs need: of the accelerations alone, and with velocities.
class PairMotions {
 public:
  PairMotions(const mjModel* m, mjData* d, const double* a);

  const PairMotionsOf<double>& motions() const { return motions_; }
  const TreeDerivative<double>& accelerating() const { return motions_.accelerating; }
  const TreeDerivative<double>& moving() const { return motions_.moving; }

 private:
  std::vector<Spatial<double>> spatial_;
  std::vector<TurnOperator<double>> turn_;
  PairMotionsOf<double> motions_;
};

class PairMemory {
 protected:
  explicit PairMemory(const mjModel* m) : dofs_(Size(m->nv)), ints_(Size(2 * m->nv)) {}
  PairColumnsOf<double>::Memory memory() { return {dofs_.data(), ints_.data(), ints_.data() + dofs_.size()}; }

 private:
  std::vector<PairDof> dofs_;
  std::vector<int> ints_;
};

class PairColumns : private PairMemory, public PairColumnsOf<double> {
 public:
  PairColumns(const mjModel* m, mjData* d, const PairMotions& motions)
      : PairMemory(m), PairColumnsOf(ModelView<double>(m), DataView<double>(d), motions.motions(), memory()) {}
  PairColumns(const PairColumns&) = delete;
  PairColumns& operator=(const PairColumns&) = delete;

  using PairColumnsOf::SubtractPosition;
  using PairColumnsOf::SubtractVelocity;
  void SubtractPosition(const PairDof& j, const PairWrench& wrench, const PairWrench& change, Columns& out) const {
    SubtractPosition(j, wrench, change, out.From(0));
  }
  void SubtractVelocity(const PairDof& j, const PairWrench& change, Columns& out) const {
    SubtractVelocity(j, change, out.FromVelocity());
  }
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_PAIR_COLUMNS_H_
