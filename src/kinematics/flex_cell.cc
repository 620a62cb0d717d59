// A cell of a flex has the positions of its nodes in the world, and the rotation by which strain is measured in axes
// that turn along.
#include "kinematics/flex_cell.h"

#include <numeric>

#include "kinematics/jacobian.h"

#include "math/orientation.h"
#include "math/quat.h"
#include "model/view/view_of.h"

namespace sinew::inline kinematics {
namespace {

// The rotation part of A, which may turn by any angle from one state to the next: iterations start from none.
Quat<mjtNum> CellTurn(int order, const FlexCell& cell) {
  Vec3<mjtNum> gradient[FlexCell::kMaxNodes];
  CellGradients(order, gradient);
  Quat<mjtNum> q = IdentityQuat<mjtNum>();
  PolarRotation(CellDeformation(cell, gradient), q);
  return q;
}

}  // namespace

Vec3<mjtNum> NodePosition(const mjModel* m, const mjData* d, int node) {
  const int body = m->flex_nodebodyid[node];
  return ViewOf(d).xpos(body) + ViewOf(d).xmat(body) * ViewOf(m).flex_node(node);
}

void CellGradients(int order, Vec3<mjtNum> (&gradient)[FlexCell::kMaxNodes]) {
  const LagrangeBasis middle = Lagrange(order, 0.5);
  const auto n = static_cast<size_t>(order) + 1;
  int local = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t k = 0; k < n; ++k, ++local) {
        gradient[local] = {middle.slope[i] * middle.value[j] * middle.value[k],
                           middle.value[i] * middle.slope[j] * middle.value[k],
                           middle.value[i] * middle.value[j] * middle.slope[k]};
      }
    }
  }
}

Mat3<mjtNum> CellDeformation(const FlexCell& cell, const Vec3<mjtNum> (&gradient)[FlexCell::kMaxNodes]) {
  Mat3<mjtNum> A = {};
  for (int i = 0; i < cell.count; ++i) {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) A(r, c) += cell.position[i][r] * gradient[i][c];
    }
  }
  return A;
}

FlexCell LoadCell(const mjModel* m, const mjData* d, int flex, int cell) {
  const NodeLattice lattice = LatticeOf(m, flex);
  FlexCell loaded;
  loaded.count = lattice.nodes_per_cell();
  lattice.ForNodes(cell, [&](int local, int node) {
    loaded.node[local] = m->flex_nodeadr[flex] + node;
    loaded.position[local] = NodePosition(m, d, loaded.node[local]);
  });
  loaded.turn = CellTurn(lattice.order, loaded);
  loaded.rotation = ToMat3(loaded.turn);
  return loaded;
}

int CellOfEquality(const mjModel* m, int id) {
  const NodeLattice lattice = LatticeOf(m, m->eq_obj1id[id]);
  const mjtNum* at = m->eq_data + mjNEQDATA * id;
  for (int axis = 0; axis < 3; ++axis) {
    if (lattice.order == 0 || !(at[axis] >= 0 && at[axis] < lattice.cells[axis])) return -1;
  }
  return lattice.Cell(static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2]));
}

const mjtNum* CellNumbers(const mjModel* m, int flex, int cell) {
  const int width = 3 * LatticeOf(m, flex).nodes_per_cell();
  return m->flex_stiffness + m->flex_stiffnessadr[flex] + cell * width * width;
}

int NodeDofs(const mjModel* m, int body, int* dofs) {
  const int own = m->body_dofnum[body];
  if (own == 0) return BodyChain(m, body, dofs);
  std::iota(dofs, dofs + own, m->body_dofadr[body]);
  return own;
}

}  // namespace sinew::inline kinematics
