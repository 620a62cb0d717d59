// Rows of connect and weld: two points, or two frames, of a pair of bodies coincide.
#include "constraint/equality_pose.h"
#include "constraint/kinds.h"
#include "constraint/pair_jacobian.h"
#include "math/dense.h"
#include "model/awake.h"

namespace sinew {
namespace {

// Wrenches of the rows on both bodies.
template <int kRows>
using Wrenches = Spatial<double>[2][kRows];

// Point rows: p1 - p2 in world axes. Row k is a unit force along axis k at p1 on body 1, and its opposite at p2 on
// body 2.
template <int kRows>
void SetPointRows(const mjModel* m, const mjData* d, const EqualityPose& pose, Wrenches<kRows>& wrench) {
  for (int i = 0; i < 2; ++i) {
    const Vec3<double> arm = pose.point[i] - LoadVec3(d->subtree_com + 3 * m->body_rootid[pose.body[i]]);
    for (int k = 0; k < 3; ++k) {
      Vec3<double> force = Zero3<double>();
      force[k] = i == 0 ? 1 : -1;
      wrench[i][k] = ForceAt(arm, force);
    }
  }
}

// Rotation rows: with w the angular velocity of body 1 relative to body 2,
//   d/dt s Im(q2* q1) = s/2 Im(q2* w q1),
// linear in w: column j of that matrix is its value for w = e_j.
void SetRotationRows(const EqualityPose& pose, Wrenches<6>& wrench) {
  Vec3<double> column[3];
  for (int j = 0; j < 3; ++j) {
    Quat<double> axis = {0, 0, 0, 0};
    axis[1 + j] = 1;
    column[j] = (Conjugate(pose.quat[1]) * axis * pose.quat[0]).Im() * (0.5 * pose.torquescale);
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> torque = {column[0][k], column[1][k], column[2][k]};
    wrench[0][3 + k] = Torque(torque);
    wrench[1][3 + k] = Torque(-torque);
  }
}

template <int kRows>
void FillRows(const mjData* d, const Wrenches<kRows>& wrench, const MovingDofs& dofs, const RowBlock& rows) {
  WrenchRows<kRows> wrenches;
  wrenches.Set(kBody1, wrench[0]);
  wrenches.Set(kBody2, wrench[1]);
  wrenches.Fill(d, dofs, rows);
}

RowParameters EqualityParameters(const mjModel* m, int id) {
  RowParameters parameters;
  parameters.type = mjCNSTR_EQUALITY;
  parameters.id = id;
  parameters.solref = m->eq_solref + mjNREF * id;
  parameters.solimp = m->eq_solimp + mjNIMP * id;
  return parameters;
}

// Opens the block of an equality between two bodies; false when there is nothing to write.
bool OpenPair(RowBuilder& build, const EqualityPose& pose, int nrow, MovingDofs* dofs, RowBlock* rows) {
  const mjModel* m = build.model();
  if (IsPairAsleep(m, build.data(), pose.body[0], pose.body[1])) return false;
  *dofs = DofsOfPair(m, pose.body[0], pose.body[1], /*keep_common=*/true, build.dofs(), build.sides());
  return build.Open(nrow, dofs->count, dofs->dof, rows);
}

// Position residual and weights of the first three rows.
void SetPointParameters(const mjModel* m, const EqualityPose& pose, RowParameters& parameters) {
  const double* invweight = m->body_invweight0;
  const Vec3<double> gap = pose.point[0] - pose.point[1];
  for (int k = 0; k < 3; ++k) {
    parameters.pos[k] = gap[k];
    parameters.weight[k] = invweight[2 * pose.body[0]] + invweight[2 * pose.body[1]];
  }
}

}  // namespace

void AddConnect(RowBuilder& build, int id) {
  const mjModel* m = build.model();
  const EqualityPose pose = ConnectPose(m, build.data(), id);
  MovingDofs dofs;
  RowBlock rows;
  if (!OpenPair(build, pose, 3, &dofs, &rows)) return;

  Wrenches<3> wrench;
  SetPointRows<3>(m, build.data(), pose, wrench);
  FillRows<3>(build.data(), wrench, dofs, rows);
  RowParameters parameters = EqualityParameters(m, id);
  SetPointParameters(m, pose, parameters);
  parameters.distance = Norm(parameters.pos, 3);
  build.Close(rows, parameters);
}

void AddWeld(RowBuilder& build, int id) {
  const mjModel* m = build.model();
  const EqualityPose pose = WeldPose(m, build.data(), id);
  MovingDofs dofs;
  RowBlock rows;
  if (!OpenPair(build, pose, 6, &dofs, &rows)) return;

  Wrenches<6> wrench;
  SetPointRows<6>(m, build.data(), pose, wrench);
  SetRotationRows(pose, wrench);
  FillRows<6>(build.data(), wrench, dofs, rows);

  RowParameters parameters = EqualityParameters(m, id);
  SetPointParameters(m, pose, parameters);
  const Vec3<double> angle = (Conjugate(pose.quat[1]) * pose.quat[0]).Im() * pose.torquescale;
  for (int k = 0; k < 3; ++k) {
    parameters.pos[3 + k] = angle[k];
    parameters.weight[3 + k] = m->body_invweight0[2 * pose.body[0] + 1] + m->body_invweight0[2 * pose.body[1] + 1];
  }
  parameters.distance = Norm(parameters.pos, 6);
  build.Close(rows, parameters);
}

}  // namespace sinew
