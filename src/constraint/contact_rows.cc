// Rows of contacts. The frame's rows are the normal n, pointing from the first geom to the second, and two tangents.
// With the velocity of the second body at the contact point relative to the first, v (linear) and w (angular):
//   frictionless     n.v
//   elliptic         n.v, t1.v, t2.v, n.w, t1.w, t2.w; as many as condim
//   pyramidal        n.v +- friction_k u_k for each friction direction u_k of the elliptic cone (wrench.h)
#include "constraint/contact_rows.h"

#include <algorithm>

#include "constraint/impedance_kernel.h"
#include "constraint/kinds.h"
#include "constraint/pair_jacobian.h"
#include "kinematics/contact_carriers.h"
#include "kinematics/flex_cell.h"
#include "model/kinds/contact_exclude.h"
#include "simd/unroll.h"

namespace sinew::inline constraint {

bool IsPyramidal(const mjModel* m, const mjContact& contact) {
  return contact.dim > 1 && m->opt.cone == mjCONE_PYRAMIDAL;
}

int RowCountOf(const mjModel* m, const mjContact& contact) {
  return IsPyramidal(m, contact) ? 2 * (contact.dim - 1) : contact.dim;
}

double WeightOfFirstRow(const mjModel* m, const mjContact& contact, double linear) {
  return IsPyramidal(m, contact) ? WeightOfEdge(linear, contact.friction[0], linear) : linear;
}
namespace {

// Estimates of the inverse inertia that a contact meets along and about its axes.
struct InverseWeight {
  double linear, angular;
};

// The bodies on which a contact acts.
struct ContactPair {
  int body[2];
  Vec3<double> arm[2];  // from the centre of the body's tree to the contact point
  InverseWeight inverse;
};

ContactPair PairOf(const mjModel* m, const mjData* d, const mjContact& contact) {
  ContactPair pair;
  for (int i = 0; i < 2; ++i) {
    pair.body[i] = CarrierOf(m, contact, i);
    pair.arm[i] = LoadVec3(contact.pos) - LoadVec3(d->subtree_com + 3 * m->body_rootid[pair.body[i]]);
  }
  const double *first = m->body_invweight0 + 2 * pair.body[0], *second = m->body_invweight0 + 2 * pair.body[1];
  pair.inverse = {first[0] + second[0], first[1] + second[1]};
  return pair;
}

template <int kRows, bool kPyramidal>
void FillRows(const mjData* d, const mjContact& contact, const ContactPair& pair, const MovingDofs& dofs, bool is_stuck,
              const RowBlock& rows) {
  WrenchRows<kRows> wrenches;
  const auto axes = ContactAxes<double>::Load(contact.frame);
  const auto wrenches_on = [&](int i, Spatial<double>(&row)[kRows]) {
    ContactWrenches<kRows, kPyramidal>(axes, contact.friction, pair.arm[i], i == 0 ? -1 : 1, row);
  };
  Spatial<double> row[kRows];
  for (const Side side : {kBody1, kBody2}) {
    if (!(dofs.sides & side)) continue;
    wrenches_on(side == kBody2, row);
    wrenches.Set(side, row);
  }
  wrenches.Fill(d, dofs, rows);
  if (!is_stuck) return;
  for (int c = 0; c < dofs.count; ++c) {
    const int i = dofs.side[c] == kBody2;
    const double* axis = d->cdof + 6 * dofs.dof[c];
    const Spatial<double> motion = {LoadVec3(axis), LoadVec3(axis + 3)};
    const double reach = ReachOfArm(LoadVec3(contact.pos), pair.arm[i]);
    wrenches_on(i, row);
    for (int r = 0; r < kRows; ++r) rows(r, c) = WithoutRounding(rows(r, c), row[r], motion, reach);
  }
}

SINEW_DISPATCH void FillJacobian(const mjData* d, const mjContact& contact, const ContactPair& pair,
                                 const MovingDofs& dofs, bool pyramidal, bool is_stuck, const RowBlock& rows) {
  switch (contact.dim) {
    case 1:
      return FillRows<1, false>(d, contact, pair, dofs, is_stuck, rows);
    case 3:
      return pyramidal ? FillRows<4, true>(d, contact, pair, dofs, is_stuck, rows)
                       : FillRows<3, false>(d, contact, pair, dofs, is_stuck, rows);
    case 4:
      return pyramidal ? FillRows<6, true>(d, contact, pair, dofs, is_stuck, rows)
                       : FillRows<4, false>(d, contact, pair, dofs, is_stuck, rows);
    case 6:
      return pyramidal ? FillRows<10, true>(d, contact, pair, dofs, is_stuck, rows)
                       : FillRows<6, false>(d, contact, pair, dofs, is_stuck, rows);
    default:
      return;  // no other dimension exists
  }
}

// Distance along the normal, and estimates of the diagonal of J M^-1 J'.
RowParameters ContactRowParameters(const mjModel* m, const mjContact& contact, const InverseWeight& inverse, int id,
                                   int nrow) {
  const bool pyramidal = IsPyramidal(m, contact);
  const auto [linear, angular] = inverse;
  RowParameters parameters;
  parameters.id = id;
  parameters.distance = contact.dist;
  parameters.margin = contact.includemargin;
  parameters.solref = contact.solref;
  parameters.solimp = contact.solimp;
  if (pyramidal) {
    parameters.type = mjCNSTR_CONTACT_PYRAMIDAL;
    for (int r = 0; r < nrow; ++r) {
      const double friction = contact.friction[r / 2];
      parameters.pos[r] = contact.dist;
      parameters.weight[r] = WeightOfEdge(linear, friction, r < 4 ? linear : angular);
    }
    return parameters;
  }
  parameters.type = contact.dim == 1 ? mjCNSTR_CONTACT_FRICTIONLESS : mjCNSTR_CONTACT_ELLIPTIC;
  if (contact.dim > 1) parameters.solreffriction = contact.solreffriction;
  for (int r = 0; r < nrow; ++r) {
    parameters.pos[r] = r == 0 ? contact.dist : 0;
    parameters.weight[r] = r < 3 ? linear : angular;
  }
  return parameters;
}

// The dofs of what carries the last contact that several bodies carry, in the scratch of the builder: most contacts of
// two cells, or of a cell with a body, have those of the contact before.
class LastDofs {
 public:
  LastDofs(const mjModel* m, StackFrame& frame) : marked_(m->nflex > 0 ? frame.Ints(m->nv) : nullptr) {
    if (marked_) std::fill_n(marked_, m->nv, 0);
  }

  // Where other contacts use the scratch.
  void Forget() { count_ = -1; }

  int Find(RowBuilder& build, const ContactCarriers& carriers) {
    const auto count = static_cast<int>(carriers.end() - carriers.begin());
    const bool same = count == count_ && std::equal(body_, body_ + count, carriers.begin(),
                                                    [](int body, const WeightedBody& b) { return body == b.body; });
    if (same) return dofs_;
    count_ = -1;
    if (count <= kMost) {
      count_ = count;
      std::transform(carriers.begin(), carriers.end(), body_, [](const WeightedBody& b) { return b.body; });
    }
    return dofs_ = carriers.Dofs(build.model(), marked_, build.dofs());
  }

 private:
  static constexpr int kMost = 2 * FlexCell::kMaxNodes;
  int* marked_;  // nv zeros
  int count_ = -1, dofs_ = 0;
  int body_[kMost];
};

// Marks a contact of which neither side can move. In a model where nothing can, MuJoCo 3.8.0 marks none.
void ExcludeStatic(const mjModel* m, mjContact& contact) {
  if (m->nv > 0) contact.exclude = contact_exclude::kNoDofs;
}

// Rows of a contact with a side that several bodies carry.
void AddWeighted(RowBuilder& build, mjContact& contact, int id, LastDofs& last_dofs) {
  const mjModel* m = build.model();
  mjData* d = build.data();
  StackFrame frame(d);
  const ContactCarriers carriers(m, d, contact, frame);
  const int* dofs = build.dofs();
  const int count = last_dofs.Find(build, carriers);
  if (count == 0) return ExcludeStatic(m, contact);
  const int nrow = RowCountOf(m, contact);
  RowBlock rows;
  if (!build.Open(nrow, count, dofs, &rows)) return;
  contact.efc_address = build.rows();
  double* jacobian = frame.Doubles(contact.dim * count);
  FillFrameJacobian(m, d, contact, carriers, dofs, count, frame, jacobian);
  if (!IsPyramidal(m, contact)) {
    for (int r = 0; r < nrow; ++r) {
      for (int c = 0; c < count; ++c) rows(r, c) = jacobian[r * count + c];
    }
  } else {
    for (int k = 1; k < contact.dim; ++k) {
      for (int c = 0; c < count; ++c) {
        const double normal = jacobian[c], friction = contact.friction[k - 1] * jacobian[k * count + c];
        rows(2 * k - 2, c) = normal + friction;
        rows(2 * k - 1, c) = normal - friction;
      }
    }
  }
  build.Close(rows, ContactRowParameters(m, contact, {carriers.LinearWeight(m), carriers.AngularWeight(m)}, id, nrow));
}

// A flex of a contact pushes by a passive force, also in the gap and where nothing moves (force/flex_force.h).
bool IsPassive(const mjModel* m, const mjContact& contact) {
  const auto is_passive = [m](int flex) { return flex >= 0 && m->flex_passive[flex]; };
  return is_passive(contact.flex[0]) || is_passive(contact.flex[1]);
}

}  // namespace

void AddContacts(RowBuilder& build) {
  const mjModel* m = build.model();
  mjData* d = build.data();
  StackFrame frame(d);
  LastDofs last_dofs(m, frame);
  ContactPair pair = {{-1, -1}, {}, {}};
  MovingDofs dofs = {};
  for (int id = 0; id < d->ncon; ++id) {
    mjContact& contact = d->contact[id];
    contact.efc_address = -1;
    if (IsPassive(m, contact)) contact.exclude = contact_exclude::kPassive;
    if (contact.exclude) continue;
    if (!IsCarriedByOneBody(m, contact, 0) || !IsCarriedByOneBody(m, contact, 1)) {
      AddWeighted(build, contact, id, last_dofs);
      pair = {{-1, -1}, {}, {}};
      continue;
    }
    const ContactPair last = pair;
    pair = PairOf(m, d, contact);
    if (pair.body[0] != last.body[0] || pair.body[1] != last.body[1]) {  // most contacts have those of the last
      last_dofs.Forget();
      dofs = DofsOfPair(m, pair.body[0], pair.body[1], /*keep_common=*/false, build.dofs(), build.sides());
    }
    if (dofs.count == 0) {
      ExcludeStatic(m, contact);
      continue;
    }
    const int nrow = RowCountOf(m, contact);
    RowBlock rows;
    if (!build.Open(nrow, dofs.count, dofs.dof, &rows)) continue;
    contact.efc_address = build.rows();
    const RowParameters parameters = ContactRowParameters(m, contact, pair.inverse, id, nrow);
    FillJacobian(d, contact, pair, dofs, IsPyramidal(m, contact), parameters.weight[0] < kLeastWeight, rows);
    build.Close(rows, parameters);
  }
}

}  // namespace sinew::inline constraint
