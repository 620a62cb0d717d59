// Rows of connect and weld: two points, or two frames, of a pair of bodies coincide.
#include "constraint/equality_pose.h"
#include "constraint/kinds.h"
#include "constraint/pair_jacobian.h"
#include "math/dense.h"
#include "model/state/awake.h"
#include "model/view/view_of.h"

namespace sinew::inline constraint {
namespace {

template <int kRows>
void FillRows(const mjModel* m, const mjData* d, const EqualityPose& pose, const MovingDofs& dofs,
              const RowBlock& rows) {
  Spatial<double> wrench[2][kRows];
  PoseWrenches<kRows>(ViewOf(m), ViewOf(d), pose, wrench);
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

// Rows of a connect, which has three, or of a weld, which has six.
template <int kRows>
void AddPair(RowBuilder& build, const EqualityPose& pose, int id) {
  const mjModel* m = build.model();
  MovingDofs dofs;
  RowBlock rows;
  if (!OpenPair(build, pose, kRows, &dofs, &rows)) return;
  FillRows<kRows>(m, build.data(), pose, dofs, rows);

  RowParameters parameters = EqualityParameters(m, id);
  PoseResiduals(pose, kRows, parameters.pos);
  for (int k = 0; k < kRows; ++k) {
    const int turns = k >= 3;
    parameters.weight[k] = m->body_invweight0[2 * pose.body[0] + turns] + m->body_invweight0[2 * pose.body[1] + turns];
  }
  parameters.distance = Norm(parameters.pos, kRows);
  build.Close(rows, parameters);
}

}  // namespace

void AddConnect(RowBuilder& build, int id) { AddPair<3>(build, ConnectPose(build.model(), build.data(), id), id); }
void AddWeld(RowBuilder& build, int id) { AddPair<6>(build, WeldPose(build.model(), build.data(), id), id); }

}  // namespace sinew::inline constraint
