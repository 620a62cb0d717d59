// Rows of strain equalities: each holds one cell of a flex that is moved by nodes, in axes that turn with the cell
// (kinematics/flex_cell.h). The compiler gives the modes w_i of the cell's deformation, scaled by the roots of their
// stiffness:
//
//     r_i = w_i . (R'x - X),     J_i = (R w_i)' J_x
//
// with R taken as constant.
#include <algorithm>

#include "constraint/equality_row.h"
#include "constraint/kinds.h"
#include "core/stack.h"
#include "kinematics/flex_cell.h"
#include "kinematics/jacobian.h"

namespace sinew::inline constraint {
namespace {

// The dofs that move any node of the cell, ascending; returns their number.
int CellDofs(const RowBuilder& build, int flex, int cell) {
  const mjModel* m = build.model();
  const int nv = static_cast<int>(m->nv);
  int *marked = build.sides(), *dofs = build.dofs();
  std::fill_n(marked, nv, 0);
  LatticeOf(m, flex).ForNodes(cell, [&](int, int node) {
    const int body = m->flex_nodebodyid[m->flex_nodeadr[flex] + node];
    for (int dof = LastDof(m, body); dof >= 0 && !marked[dof]; dof = m->dof_parentid[dof]) marked[dof] = 1;
  });
  int count = 0;
  for (int dof = 0; dof < nv; ++dof) {
    if (marked[dof]) dofs[count++] = dof;
  }
  return count;
}

// One mode: a direction for each node. `displacement` has R'x - X of each.
void AddMode(RowBuilder& build, int id, const FlexCell& cell, const mjtNum* displacement, const mjtNum* mode,
             double weight, int count) {
  const mjModel* m = build.model();
  mjData* d = build.data();
  RowBlock rows;
  if (!build.Open(1, count, build.dofs(), &rows)) return;
  StackFrame frame(d);
  const SparseRow row = {count, build.dofs(), frame.Doubles(count)};
  std::fill_n(row.values, count, 0.0);
  double residual = 0;
  for (int i = 0; i < cell.count; ++i) {
    const Vec3<mjtNum> w = LoadVec3(mode + 3 * i);
    for (int a = 0; a < 3; ++a) residual += w[a] * displacement[3 * i + a];
    AddPointRow(m, d, cell.ToWorld(w), cell.position[i], m->flex_nodebodyid[cell.node[i]], row);
  }
  for (int c = 0; c < count; ++c) rows(0, c) = row.values[c];
  CloseScalar(build, rows, id, residual, weight);
}

}  // namespace

void AddFlexStrain(RowBuilder& build, int id) {
  const mjModel* m = build.model();
  const int flex = m->eq_obj1id[id], cell = CellOfEquality(m, id);
  if (cell < 0) return;
  const mjtNum* numbers = CellNumbers(m, flex, cell);
  const int count = CellDofs(build, flex, cell);
  if (!(numbers[0] > 0) || count == 0) return;

  const FlexCell now = LoadCell(m, build.data(), flex, cell);
  double weight = 0;
  mjtNum displacement[3 * FlexCell::kMaxNodes];
  for (int i = 0; i < now.count; ++i) {
    weight += m->body_invweight0[2 * m->flex_nodebodyid[now.node[i]]];
    StoreVec3(now.Displacement(m, i), displacement + 3 * i);
  }
  const int modes = static_cast<int>(std::min(numbers[0], 3.0 * now.count - 1));
  for (int k = 0; k < modes; ++k) {
    AddMode(build, id, now, displacement, numbers + 1 + k * 3 * now.count, weight / now.count, count);
  }
}

}  // namespace sinew::inline constraint
