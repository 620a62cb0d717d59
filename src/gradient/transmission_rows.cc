#include "gradient/transmission_rows.h"

#include <algorithm>

#include "derivative/inverse_dynamics_kernel.h"
#include "gradient/contact_geometry.h"
#include "gradient/pair_columns.h"
#include "kinematics/apply_kernel.h"
#include "model/contact_exclude.h"

namespace sinew {

// With the wrench W about the centre of the tree, J_i = s_i' W. It turns with the site, so that
//   dJ_i/dq_j = s_i' (s_j x* W) unless j moves the axis s_i, which then turns as well.
OwnRow RowOfSite(const mjModel* model, mjData* data, int actuator) {
  const ModelView<double> m(model);
  const DataView<double> d(data);
  const int site = m.actuator_trnid(actuator)[0], body = m.site_bodyid(site), mover = m.body_weldid(body);
  OwnRow out;
  if (m.body_dofnum(mover) == 0) return out;
  for (int i = m.body_dofadr(mover) + m.body_dofnum(mover) - 1; i >= 0; i = m.dof_parentid(i)) out.dof.push_back(i);
  std::reverse(out.dof.begin(), out.dof.end());
  const auto gear = m.actuator_gear(actuator);
  const Mat3<double> R = d.site_xmat(site);
  const Vec3<double> force = R * Vec3<double>{gear[0], gear[1], gear[2]};
  const Vec3<double> torque = R * Vec3<double>{gear[3], gear[4], gear[5]};
  const Spatial<double> wrench = WrenchAt(m, d, force, torque, d.site_xpos(site), body);
  for (const int i : out.dof) {
    out.J.push_back(Dot(d.cdof(i), wrench));
    for (const int j : out.dof) {
      const bool turns = i < FirstOfTurn(model, j);
      out.K.push_back(turns ? Dot(d.cdof(i), CrossForce(d.cdof(j), wrench)) : 0);
    }
  }
  return out;
}

namespace {

// Sums the rows of contacts over all dofs: the rate at which the distance along the normal n grows, a wrench n on the
// second body and -n on the first, about the contact's point.
class NormalRows {
 public:
  NormalRows(const mjModel* m, mjData* d)
      : m_(m),
        rest_(Size(m->nv)),
        motions_(m, d, rest_.data()),
        pair_(m, d, motions_),
        geometry_(m, d),
        J_(Size(m->nv)),
        K_(Size(m->nv) * Size(m->nv)) {}

  void Add(const mjContact& contact) {
    pair_.Begin(m_->geom_bodyid[contact.geom[0]], m_->geom_bodyid[contact.geom[1]], LoadVec3(contact.pos));
    const ContactSides sides = geometry_.DifferentiateSides(contact, ", at which an actuator pulls,");
    const Vec3<double> normal = LoadVec3(contact.frame);
    const Spatial<double> wrench = {Zero3<double>(), normal};
    for (const PairDof& j : pair_.dofs()) {
      const ContactShift shift = sides.Along(j);
      const Spatial<double> change = {Cross(shift.pos, normal), Cross(shift.turn, normal)};
      AddColumn(j, wrench, change);
    }
  }

  // The dofs that have entries, with a factor.
  OwnRow Scaled(double factor) const {
    OwnRow out;
    const size_t n = J_.size();
    for (size_t i = 0; i < n; ++i) {
      if (touched_.empty() || !touched_[i]) continue;
      out.dof.push_back(static_cast<int>(i));
      out.J.push_back(factor * J_[i]);
    }
    for (const int i : out.dof) {
      for (const int j : out.dof) out.K.push_back(factor * K_[Size(i) * n + Size(j)]);
    }
    return out;
  }

 private:
  // (s_j x s_i)' W = -s_i' (s_j x* W) where j moves the axis s_i.
  void AddColumn(const PairDof& j, const Spatial<double>& wrench, const Spatial<double>& change) {
    touched_.resize(J_.size());
    touched_[Size(j.dof)] = true;
    J_[Size(j.dof)] += Relative(j, wrench);
    const Spatial<double> moved = change - CrossForce(j.s, wrench);
    const int turn = FirstOfTurn(m_, j.dof);
    for (const PairDof& i : pair_.dofs()) {
      const bool axis_moves = (i.side & j.side) != 0 && (j.dof < i.dof || FirstOfTurn(m_, i.dof) == turn);
      K_[Size(i.dof) * J_.size() + Size(j.dof)] += Relative(i, axis_moves ? moved : change);
    }
  }
  static double Relative(const PairDof& i, const Spatial<double>& wrench) {
    return ((i.Moves(1) ? 1 : 0) - (i.Moves(0) ? 1 : 0)) * Dot(i.s, wrench);
  }

  const mjModel* m_;
  std::vector<double> rest_;
  PairMotions motions_;
  PairColumns pair_;
  PairGeometry geometry_;
  std::vector<double> J_, K_;
  std::vector<bool> touched_;
};

bool PullsAt(const mjModel* m, int body, const mjContact& contact) {
  using contact_exclude::kActive, contact_exclude::kInGap;
  const bool of_geoms = contact.geom[0] >= 0 && contact.geom[1] >= 0;
  if (!of_geoms || (contact.exclude != kActive && contact.exclude != kInGap)) return false;
  return m->geom_bodyid[contact.geom[0]] == body || m->geom_bodyid[contact.geom[1]] == body;
}

}  // namespace

OwnRow RowOfAdhesion(const mjModel* m, mjData* d, int actuator) {
  const int body = m->actuator_trnid[2 * actuator];
  const auto count = std::count_if(d->contact, d->contact + d->ncon,
                                   [&](const mjContact& contact) { return PullsAt(m, body, contact); });
  if (count == 0) return {};
  NormalRows rows(m, d);
  for (int c = 0; c < d->ncon; ++c) {
    if (PullsAt(m, body, d->contact[c])) rows.Add(d->contact[c]);
  }
  return rows.Scaled(-1.0 / static_cast<double>(count));
}

}  // namespace sinew
