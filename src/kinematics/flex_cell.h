// Cells of flexes that are moved by nodes (node_lattice.h), in axes that turn with the cell. With the positions x of
// its nodes, their places X at rest and the rotation R of the cell, a cell that is only turned and moved has  R'x - X
// equal for all nodes. R is the rotation part of
//
//     A = sum_i x_i (grad N_i)'
//
// at the centre of the cell, N_i the functions that interpolate between the nodes, in coordinates that run from 0 to 1
// along its edges.
#ifndef SINEW_KINEMATICS_FLEX_CELL_H_
#define SINEW_KINEMATICS_FLEX_CELL_H_

#include <mujoco/mujoco.h>

#include "kinematics/node_lattice.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "model/view/view_of.h"

namespace sinew::inline kinematics {

// Where a node is.
Vec3<mjtNum> NodePosition(const mjModel* m, const mjData* d, int node);

// A cell as its nodes are now.
struct FlexCell {
  static constexpr int kMaxNodes = 27;

  int count;            // nodes
  int node[kMaxNodes];  // rows of flex_node
  Vec3<mjtNum> position[kMaxNodes];
  Quat<mjtNum> turn;
  Mat3<mjtNum> rotation;  // the same as a matrix

  // Vectors are turned by the quaternion, by which forces of cells at rest are those of MuJoCo 3.8.0 to the last bit.
  Vec3<mjtNum> FromWorld(const Vec3<mjtNum>& v) const { return Rotate(Conjugate(turn), v); }
  Vec3<mjtNum> ToWorld(const Vec3<mjtNum>& v) const { return Rotate(turn, v); }

  // R'x - X of one node.
  Vec3<mjtNum> Displacement(const mjModel* m, int i) const {
    return FromWorld(position[i]) - ViewOf(m).flex_node0(node[i]);
  }
};

FlexCell LoadCell(const mjModel* m, const mjData* d, int flex, int cell);

// grad N_i at the centre of a cell, for its nodes in their order.
void CellGradients(int order, Vec3<mjtNum> (&gradient)[FlexCell::kMaxNodes]);
// sum_i x_i (grad N_i)', of which the rotation of the cell is the rotation part.
Mat3<mjtNum> CellDeformation(const FlexCell& cell, const Vec3<mjtNum> (&gradient)[FlexCell::kMaxNodes]);

// The cell that an equality of strain names; -1: the flex has no such cell, as programs may write what they like into
// eq_data.
int CellOfEquality(const mjModel* m, int id);

// The numbers of a cell in flex_stiffness: its stiffness, or under strain constraints the count and the rows of the
// modes that these hold. The first is zero for a cell without either.
const mjtNum* CellNumbers(const mjModel* m, int flex, int cell);

// The dofs whose accelerations cells determine implicitly, of one node: those of its body or, where this has none, all
// that move it. Ascending; `dofs` has room for nv. Returns their number.
int NodeDofs(const mjModel* m, int body, int* dofs);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_FLEX_CELL_H_
