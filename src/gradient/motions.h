// Motions of bodies from speeds of dofs.
#ifndef SINEW_GRADIENT_MOTIONS_H_
#define SINEW_GRADIENT_MOTIONS_H_

#include <vector>

#include "gradient/columns.h"
#include "math/spatial.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {

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

}  // namespace sinew

#endif  // SINEW_GRADIENT_MOTIONS_H_
