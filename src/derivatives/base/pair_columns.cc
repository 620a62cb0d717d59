#include "derivatives/base/pair_columns.h"

#include <utility>

namespace sinew::inline derivatives {

PairMotions::PairMotions(const mjModel* m, mjData* d, const double* a)
    : spatial_(static_cast<size_t>(6 * (m->nbody + m->nv))), turn_(static_cast<size_t>(m->nbody)) {
  Spatial<double>* next = spatial_.data();
  const auto take = [&](mjtSize n) { return std::exchange(next, next + n); };
  for (TreeDerivative<double>* tree : {&motions_.accelerating, &motions_.moving}) {
    *tree = {take(m->nbody), take(m->nbody), take(m->nbody), turn_.data(),
             nullptr,        take(m->nv),    take(m->nv),    take(m->nv)};
  }
  const std::vector<double> rest(static_cast<size_t>(m->nv));
  PassPairMotions(ModelView<double>(m), DataView<double>(d), a, rest.data(), motions_);
}

}  // namespace sinew::inline derivatives
