#include "derivatives/terms/constraint_columns.h"

#include <algorithm>

#include "constraint/limit_kernel.h"
#include "derivatives/base/names.h"
#include "derivatives/terms/contact_columns.h"
#include "derivatives/terms/equality_columns.h"
#include "derivatives/terms/flex_contact_columns.h"
#include "derivatives/terms/flex_rows.h"

namespace sinew::inline derivatives {
namespace {

// A row of its own: residual x = J a + B J v + K d r with dr/dq = J.
class ScalarRows {
 public:
  ScalarRows(const mjModel* m, const mjData* d, const RowForces& forces, const double* a, ForceChanges* changes,
             Columns& out)
      : m_(m), d_(d), forces_(forces), a_(a), changes_(changes), out_(out) {}

  // `position`: slopes of the position by the dofs of the row; null: J.
  void Subtract(int efc, const Row& row, const double* position = nullptr) {
    if (!position) position = row.J;
    // A row that is satisfied exerts nothing, and nothing changes that: the derivative is that of the present mode.
    const RowLoad<double> load = {forces_[efc], forces_.Weight(efc)};
    const bool acts = load.force != 0 || load.weight != 0;
    LimitChange* change = ChangeOf(efc);
    if (!acts && !change) return;
    const RowLaw<double> law = LawOfRow(d_, efc);
    for (int j = 0; j < row.count; ++j) {
      const int dof = row.dof[j];
      const RowSlopes<double> slopes = SlopesOfRow<double>(law, load, row, j, position[j], a_, d_->qvel);
      if (change) {
        change->by_dof.push_back(
            {dof, row.J[j], slopes.turned, slopes.by_position, slopes.by_velocity, -load.weight * row.J[j]});
      }
      if (acts) SubtractRow<double>(row, j, load, slopes, out_[dof], out_[static_cast<int>(m_->nv) + dof]);
    }
  }

  void SubtractDof(int efc, int dof, double sign) { Subtract(efc, {1, &dof, &sign, nullptr}); }

  void SubtractBall(int efc, int joint) {
    const ModelView<double> m(m_);
    const DataView<double> d(const_cast<mjData*>(d_));
    const int first = m_->jnt_dofadr[joint], dof[3] = {first, first + 1, first + 2};
    const Vec3<double> jacobian = LimitOfBall(m, d, joint).jacobian;
    const double J[3] = {jacobian.x, jacobian.y, jacobian.z};
    double K[9];
    TurnOfBall(m, d, joint, K);
    Subtract(efc, {3, dof, J, K});
  }

 private:
  // Where the change of a limit is kept, if it is asked for.
  LimitChange* ChangeOf(int efc) const {
    const bool limit = efc >= d_->ne + d_->nf && efc < d_->ne + d_->nf + d_->nl;
    return changes_ && limit ? &changes_->limits.emplace_back(LimitChange{efc, {}}) : nullptr;
  }

  const mjModel* m_;
  const mjData* d_;
  const RowForces& forces_;
  const double* a_;
  ForceChanges* changes_;
  Columns& out_;
};

// Evaluates the slope and the curvature that the polynomial c of an equality of joints has at x.
struct Quartic {
  double slope = 0, curvature = 0;
  Quartic(const double c[5], double x) {
    double value = c[4];
    for (int k = 3; k >= 0; --k) {
      curvature = curvature * x + 2 * slope;
      slope = slope * x + value;
      value = value * x + c[k];
    }
  }
};

// The first joint follows a polynomial of the second one, or stays where it is: J = (1, -p'), K = -p'' for the second.
void SubtractJointEquality(const mjModel* m, const mjData* d, int efc, ScalarRows& rows) {
  const int id = d->efc_id[efc], joint1 = m->eq_obj1id[id], joint2 = m->eq_obj2id[id];
  if (joint2 < 0) return rows.SubtractDof(efc, m->jnt_dofadr[joint1], 1);
  const int adr = m->jnt_qposadr[joint2], dof[2] = {m->jnt_dofadr[joint1], m->jnt_dofadr[joint2]};
  const Quartic p(m->eq_data + mjNEQDATA * id, d->qpos[adr] - m->qpos0[adr]);
  const double J[2] = {1, -p.slope}, K[4] = {0, 0, 0, -p.curvature};
  rows.Subtract(efc, {2, dof, J, K});
}

// A row over all dofs: the tendons' own have patterns of their own.
class DenseRow {
 public:
  explicit DenseRow(const mjModel* m) : n_(static_cast<int>(m->nv)), dof_(Size(n_)), J_(Size(n_)), K_(Size(n_ * n_)) {
    for (int i = 0; i < n_; ++i) dof_[Size(i)] = i;
  }
  // Adds a row, and how it turns, to those that are there.
  void Add(const Row& row, double scale) {
    for (int i = 0; i < row.count; ++i) {
      J_[Size(row.dof[i])] += scale * row.J[i];
      for (int j = 0; row.K && j < row.count; ++j) Entry(row.dof[i], row.dof[j]) += scale * row.K[i * row.count + j];
    }
  }
  // A polynomial of a length L turns its row by the curvature times the change of L, which is J itself.
  void AddOuter(const Row& row, double scale) {
    for (int i = 0; i < row.count; ++i) {
      for (int j = 0; j < row.count; ++j) Entry(row.dof[i], row.dof[j]) += scale * row.J[i] * row.J[j];
    }
  }
  Row row() const { return {n_, dof_.data(), J_.data(), K_.data()}; }

 private:
  double& Entry(int i, int j) { return K_[Size(i * n_ + j)]; }

  int n_;
  std::vector<int> dof_;
  std::vector<double> J_, K_;
};

// The first tendon's length follows a polynomial of the second one's: J = J1 - p' J2, K = K1 - p' K2 - p'' J2' J2.
void SubtractTendonEquality(const mjModel* m, const mjData* d, int efc, const TendonRows& tendons, ScalarRows& rows) {
  const int id = d->efc_id[efc], tendon1 = m->eq_obj1id[id], tendon2 = m->eq_obj2id[id];
  if (tendon2 < 0) return rows.Subtract(efc, tendons[tendon1]);
  const Quartic p(m->eq_data + mjNEQDATA * id, d->ten_length[tendon2] - m->tendon_length0[tendon2]);
  DenseRow row(m);
  row.Add(tendons[tendon1], 1);
  row.Add(tendons[tendon2], -p.slope);
  row.AddOuter(tendons[tendon2], -p.curvature);
  rows.Subtract(efc, row.row());
}

// The end of the range is not kept with the row. It shows in the distance, which was computed from one of them.
void SubtractTendonLimit(const mjModel* m, const mjData* d, int efc, const TendonRows& tendons, ScalarRows& rows) {
  const int tendon = d->efc_id[efc];
  const double low = m->tendon_range[2 * tendon], distance = d->efc_pos[efc];
  const bool lower = distance == d->ten_length[tendon] - low;  // as the row was made
  OwnRow row;
  row.Assign(tendons[tendon], lower ? 1 : -1);
  rows.Subtract(efc, row.row());
}

void SubtractJointLimit(const mjModel* m, const mjData* d, int efc, ScalarRows& rows) {
  const int joint = d->efc_id[efc];
  if (m->jnt_type[joint] == mjJNT_BALL) return rows.SubtractBall(efc, joint);
  const bool lower = d->efc_pos[efc] == d->qpos[m->jnt_qposadr[joint]] - m->jnt_range[2 * joint];
  rows.SubtractDof(efc, m->jnt_dofadr[joint], lower ? 1 : -1);
}

}  // namespace

void AddConstraintColumns(const mjModel* m, mjData* d, const TendonRows& tendons, const double* a, Columns& force,
                          const Smoothing& smoothing, ForceChanges* changes) {
  if (d->nefc == 0) return;
  const RowForces forces(m, d, a, smoothing);
  ScalarRows rows(m, d, forces, a, changes, force);
  const PairMotions motions(m, d, a);
  PairColumns pair(m, d, motions);
  ContactColumns contacts(m, d, forces, pair);
  FlexContactColumns flexes(m, d, motions, contacts);
  // Rows come in the order equality, friction, limit, contact. A pose has several rows that depend on each other.
  for (int efc = 0; efc < d->ne + d->nf + d->nl;) {
    const int id = d->efc_id[efc];
    int count = 1;
    switch (d->efc_type[efc]) {
      case mjCNSTR_EQUALITY:
        if (m->eq_type[id] == mjEQ_JOINT) {
          SubtractJointEquality(m, d, efc, rows);
        } else if (m->eq_type[id] == mjEQ_TENDON) {
          SubtractTendonEquality(m, d, efc, tendons, rows);
        } else if (m->eq_type[id] >= mjEQ_FLEX) {
          count = 0;
          ForRowsOfFlex(m, d, id, [&](const OwnRow& row) {
            rows.Subtract(efc + count++, row.row(), row.length.empty() ? nullptr : row.length.data());
          });
        } else {
          SubtractPoseEquality(m, d, efc, forces, pair, force);
          count = m->eq_type[id] == mjEQ_WELD ? 6 : 3;
        }
        break;
      case mjCNSTR_FRICTION_DOF:
        rows.SubtractDof(efc, id, 1);
        break;
      case mjCNSTR_FRICTION_TENDON:
        rows.Subtract(efc, tendons[id]);
        break;
      case mjCNSTR_LIMIT_JOINT:
        SubtractJointLimit(m, d, efc, rows);
        break;
      default:
        SubtractTendonLimit(m, d, efc, tendons, rows);
    }
    efc += count;
  }
  for (int i = 0; i < d->ncon; ++i) {
    if (d->contact[i].efc_address < 0) continue;
    if (d->contact[i].geom[0] >= 0 && d->contact[i].geom[1] >= 0) {
      contacts.Subtract(i, force, changes);
    } else {
      flexes.Subtract(i, force, changes);
    }
  }
}

}  // namespace sinew::inline derivatives
