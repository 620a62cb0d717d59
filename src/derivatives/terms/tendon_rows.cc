#include "derivatives/terms/tendon_rows.h"

#include <algorithm>

#include "derivatives/base/residual.h"
#include "derivatives/terms/tendon_armature.h"
#include "force/passive_kernel.h"
#include "force/spring_kernel.h"
#include "kinematics/tendon.h"
#include "kinematics/tendon_kernel.h"
#include "model/kinds/chain.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;

// Whether dof j moves a body.
bool Moves(const mjModel* m, int j, int body) {
  int i = LastDof(m, body);
  while (i > j) i = m->dof_parentid[i];
  return i == j;
}

// Makes the velocities of bodies and the rates of axes those that dof j causes at unit speed.
void SetUnitMotion(const mjModel* m, mjData* d, int j) {
  const DataView<double> data(d);
  for (int b = 0; b < m->nbody; ++b) data.cvel(b) = Moves(m, j, b) ? data.cdof(j) : ZeroSpatial<double>();
  for (int i = 0; i < m->nv; ++i) {
    const int joint = m->dof_jntid[i];
    const bool free = m->jnt_type[joint] == mjJNT_FREE && i < m->jnt_dofadr[joint] + 3;
    const bool moved = i != j && !free && Moves(m, j, m->dof_bodyid[i]) && j < i;
    data.cdof_dot(i) = moved ? CrossMotion(data.cdof(j), data.cdof(i)) : ZeroSpatial<double>();
  }
}

// The velocities of a world, which are restored at the end of the scope.
class SavedVelocities {
 public:
  SavedVelocities(const mjModel* m, mjData* d)
      : d_(d), cvel_(d->cvel, d->cvel + 6 * m->nbody), cdof_dot_(d->cdof_dot, d->cdof_dot + 6 * m->nv) {}
  ~SavedVelocities() {
    std::copy(cvel_.begin(), cvel_.end(), d_->cvel);
    std::copy(cdof_dot_.begin(), cdof_dot_.end(), d_->cdof_dot);
  }
  SavedVelocities(const SavedVelocities&) = delete;
  SavedVelocities& operator=(const SavedVelocities&) = delete;

 private:
  mjData* d_;
  std::vector<double> cvel_, cdof_dot_;
};

// The places in a spatial tendon's row of the dofs that move some of the bodies of its path, and not all of them.
std::vector<int> PlacesOfShape(const mjModel* m, int tendon) {
  const int count = m->ten_J_rownnz[tendon], *dof = m->ten_J_colind + m->ten_J_rowadr[tendon];
  std::vector<int> moved(Size(count)), places;
  int points = 0;
  for (int w = m->tendon_adr[tendon]; w < m->tendon_adr[tendon] + m->tendon_num[tendon]; ++w) {
    const int type = m->wrap_type[w], id = m->wrap_objid[w];
    if (type != mjWRAP_SITE && type != mjWRAP_SPHERE && type != mjWRAP_CYLINDER) continue;
    ++points;
    // columns and dofs descend alike
    int k = count - 1;
    for (int i = LastDof(m, type == mjWRAP_SITE ? m->site_bodyid[id] : m->geom_bodyid[id]); i >= 0;
         i = m->dof_parentid[i]) {
      while (k >= 0 && dof[k] > i) --k;
      if (k >= 0 && dof[k] == i) ++moved[Size(k)];
    }
  }
  for (int k = 0; k < count; ++k) {
    if (moved[Size(k)] > 0 && moved[Size(k)] < points) places.push_back(k);
  }
  return places;
}

// All of a fixed tendon, and what changes the shape of another one.
OwnRow RowAt(const mjModel* m, const mjData* d, int tendon) {
  const int adr = m->ten_J_rowadr[tendon];
  const Row all = {m->ten_J_rownnz[tendon], m->ten_J_colind + adr, d->ten_J + adr, nullptr};
  OwnRow row;
  if (IsFixedTendon(Model(m), tendon)) {
    row.Assign(all, 1);
    return row;
  }
  for (const int k : PlacesOfShape(m, tendon)) {
    row.dof.push_back(all.dof[k]);
    row.J.push_back(all.J[k]);
  }
  row.K.resize(row.dof.size() * row.dof.size());
  return row;
}

}  // namespace

// A row changes with time by sum_j (dJ/dq_j) v_j, which the kinematics of tendons compute from velocities: those that
// one dof causes give one column of all tendons that it moves.
TendonRows::TendonRows(const mjModel* m, mjData* d) : rows_(Size(m->ntendon)) {
  struct Column {
    int tendon, place;
  };
  std::vector<std::vector<Column>> moved(Size(m->nv));
  for (int t = 0; t < m->ntendon; ++t) {
    OwnRow& row = rows_[Size(t)] = RowAt(m, d, t);
    for (size_t k = 0; !row.K.empty() && k < row.dof.size(); ++k) {
      moved[Size(row.dof[k])].push_back({t, static_cast<int>(k)});
    }
  }
  if (!HasSpatialTendons(Model(m))) return;
  const SavedVelocities kept(m, d);
  std::vector<double> dot(Size(m->nv));
  for (int j = 0; j < m->nv; ++j) {
    if (moved[Size(j)].empty()) continue;
    SetUnitMotion(m, d, j);
    for (const auto& [t, place] : moved[Size(j)]) {
      TendonDot(m, d, t, dot.data());
      OwnRow& row = rows_[Size(t)];
      const size_t n = row.dof.size();
      for (size_t i = 0; i < n; ++i) row.K[i * n + Size(place)] = dot[Size(row.dof[i])];
    }
  }
}

void AddTendonColumns(const mjModel* model, const mjData* d, const TendonRows& rows, const ResidualPoint& at,
                      ResidualColumns& out) {
  const Model m(model);
  const DataView<double> data(const_cast<mjData*>(d));
  AddArmatureColumns(model, const_cast<mjData*>(d), rows, at, out);
  if (PassiveDisabled(model)) return;
  const bool implicit = at.HasStep() && model->opt.integrator != mjINT_EULER && model->opt.integrator != mjINT_RK4;
  for (int t = 0; t < m.ntendon(); ++t) {
    const TendonForces<double> forces = ForcesOfTendon(m, data, t);
    if (!forces.any) continue;
    const Row row = rows[t];
    AddScalarForce<double>(row, forces.along, row.J, d->qvel, FullShare(), out.force.From(0), out.force.FromVelocity());
    if (!implicit) continue;
    AddImplicitScalarForce<double>(row, ImplicitRow(model, row, at.b), forces.slope, row.J, d->qvel,
                                   model->opt.timestep, out.step.From(0), out.step.FromVelocity());
  }
}

}  // namespace sinew::inline derivatives
