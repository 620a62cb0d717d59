// Memory for derivatives of inverse dynamics (derivatives/base/rnea_derivatives_kernel.h).
#ifndef SINEW_DERIVATIVES_BASE_TREE_MEMORY_H_
#define SINEW_DERIVATIVES_BASE_TREE_MEMORY_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "derivatives/base/rnea_derivatives_kernel.h"

namespace sinew::inline derivatives {

// Owns the arrays of a TreeDerivative; one pass over the trees after the other may use them.
class TreeMemory {
 public:
  explicit TreeMemory(const mjModel* m)
      : spatial_(static_cast<size_t>(3 * (m->nbody + m->nv))), turn_(static_cast<size_t>(2 * m->nbody)) {
    Spatial<double>* next = spatial_.data();
    const auto take = [&](mjtSize n) { return std::exchange(next, next + n); };
    tree_ = {take(m->nbody), take(m->nbody), take(m->nbody), turn_.data(),
             nullptr,        take(m->nv),    take(m->nv),    take(m->nv)};
  }

  const TreeDerivative<double>& tree() const { return tree_; }
  // The same, with zeros for wrenches that do not turn.
  TreeDerivative<double> WithApplied(const mjModel* m) {
    TreeDerivative<double> tree = tree_;
    tree.applied = turn_.data() + m->nbody;
    std::fill_n(tree.applied, m->nbody, ZeroTurn<double>());
    return tree;
  }

 private:
  std::vector<Spatial<double>> spatial_;
  std::vector<TurnOperator<double>> turn_;
  TreeDerivative<double> tree_;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_TREE_MEMORY_H_
