// The last step of every equality that makes its rows one by one.
#ifndef SINEW_CONSTRAINT_EQUALITY_ROW_H_
#define SINEW_CONSTRAINT_EQUALITY_ROW_H_

#include "constraint/row_builder.h"

namespace sinew::inline constraint {

// Residual, weight and impedance of one row of equality `id`.
inline void CloseScalar(RowBuilder& build, const RowBlock& rows, int id, double residual, double weight) {
  const mjModel* m = build.model();
  RowParameters parameters;
  parameters.type = mjCNSTR_EQUALITY;
  parameters.id = id;
  parameters.solref = m->eq_solref + mjNREF * id;
  parameters.solimp = m->eq_solimp + mjNIMP * id;
  parameters.pos[0] = parameters.distance = residual;
  parameters.weight[0] = weight;
  build.Close(rows, parameters);
}

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_EQUALITY_ROW_H_
