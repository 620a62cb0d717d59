// The last step of every equality that makes its rows one by one.
#ifndef SINEW_CONSTRAINT_EQUALITY_ROW_H_
#define SINEW_CONSTRAINT_EQUALITY_ROW_H_

#include "constraint/row_builder.h"

namespace sinew {

// Residual, weight and impedance of one row of equality `id`.
inline void CloseScalar(RowBuilder& build, const RowBlock& rows, int id, double residual, double weight) {
  const mjModel* m = build.model();
  RowLaw law;
  law.type = mjCNSTR_EQUALITY;
  law.id = id;
  law.solref = m->eq_solref + mjNREF * id;
  law.solimp = m->eq_solimp + mjNIMP * id;
  law.pos[0] = law.distance = residual;
  law.weight[0] = weight;
  build.Close(rows, law);
}

}  // namespace sinew

#endif  // SINEW_CONSTRAINT_EQUALITY_ROW_H_
