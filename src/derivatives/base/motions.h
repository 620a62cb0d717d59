// Motions of bodies from speeds of dofs.
#ifndef SINEW_DERIVATIVES_BASE_MOTIONS_H_
#define SINEW_DERIVATIVES_BASE_MOTIONS_H_

#include <vector>

#include "derivatives/base/columns.h"
#include "math/spatial.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline derivatives {

// Motions at the speeds x of dofs, each about the centre of the body's tree.
inline std::vector<Spatial<double>> SpreadOverBodies(const ModelView<double>& m, const DataView<double>& d,
                                                     const double* x) {
  std::vector<Spatial<double>> motion(Size(m.nbody()), ZeroSpatial<double>());
  for (int b = 1; b < m.nbody(); ++b) {
    Spatial<double> sum = motion[Size(m.body_parentid(b))];
    for (int i = m.body_dofadr(b); i < m.body_dofadr(b) + m.body_dofnum(b); ++i) sum += d.cdof(i) * x[i];
    motion[Size(b)] = sum;
  }
  return motion;
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_MOTIONS_H_
