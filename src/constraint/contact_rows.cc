// Rows of contacts. The frame's rows are the normal n, pointing from the first geom to the second, and two tangents. With
// the velocity of the second body at the contact point relative to the first, v (linear) and w (angular):
//   frictionless     n.v
//   elliptic         n.v, t1.v, t2.v, n.w, t1.w, t2.w; as many as condim
//   pyramidal        n.v +- friction_k u_k for each friction direction u_k of the elliptic cone
#include "constraint/kinds.h"
#include "constraint/pair_jacobian.h"

namespace sinew {
namespace {

// What a contact acts on.
struct ContactPair {
  int body[2];
  Vec3<double> arm[2];  // from the centre of the body's tree to the contact point
};

ContactPair PairOf(const mjModel* m, const mjData* d, const mjContact& contact) {
  ContactPair pair;
  for (int i = 0; i < 2; ++i) {
    pair.body[i] = m->geom_bodyid[contact.geom[i]];
    pair.arm[i] = LoadVec3(contact.pos) - LoadVec3(d->subtree_com + 3 * m->body_rootid[pair.body[i]]);
  }
  return pair;
}

bool Pyramidal(const mjModel* m, const mjContact& contact) {
  return contact.dim > 1 && m->opt.cone == mjCONE_PYRAMIDAL;
}

int RowCount(const mjModel* m, const mjContact& contact) {
  return Pyramidal(m, contact) ? 2 * (contact.dim - 1) : contact.dim;
}

// Force and torque of row r: unit vectors of the frame, or an edge of the pyramid.
struct RowWrench {
  Vec3<double> force, torque;
};
RowWrench WrenchOfRow(const mjContact& contact, bool pyramidal, int r) {
  const auto direction = [&](int k) { return LoadVec3(contact.frame + 3 * (k % 3)); };
  if (!pyramidal) {
    return r < 3 ? RowWrench{direction(r), Zero3<double>()} : RowWrench{Zero3<double>(), direction(r)};
  }
  const int k = r / 2 + 1;
  const Vec3<double> edge = direction(k) * (r % 2 ? -contact.friction[k - 1] : contact.friction[k - 1]);
  return k < 3 ? RowWrench{direction(0) + edge, Zero3<double>()} : RowWrench{direction(0), edge};
}

// The wrench acts on the second body, and its opposite on the first.
template <int kRows>
void FillRows(const mjData* d, const mjContact& contact, const ContactPair& pair, const PairChain& chain,
              const RowBlock& rows, bool pyramidal) {
  WrenchRows<kRows> wrenches;
  for (int r = 0; r < kRows; ++r) {
    const RowWrench wrench = WrenchOfRow(contact, pyramidal, r);
    wrenches.Set(kBody1, r, -wrench.force, -wrench.torque, pair.arm[0]);
    wrenches.Set(kBody2, r, wrench.force, wrench.torque, pair.arm[1]);
  }
  wrenches.Fill(d, chain, rows);
}

void FillJacobian(const mjData* d, const mjContact& contact, const ContactPair& pair, const PairChain& chain,
                  const RowBlock& rows, bool pyramidal) {
  switch (rows.nrow) {
    case 1: return FillRows<1>(d, contact, pair, chain, rows, pyramidal);
    case 3: return FillRows<3>(d, contact, pair, chain, rows, pyramidal);
    case 4: return FillRows<4>(d, contact, pair, chain, rows, pyramidal);
    case 6: return FillRows<6>(d, contact, pair, chain, rows, pyramidal);
    case 10: return FillRows<10>(d, contact, pair, chain, rows, pyramidal);
    default: return;
  }
}

// Distance along the normal, and estimates of the diagonal of J M^-1 J' from the bodies' inverse weights.
RowLaw ContactLaw(const mjModel* m, const mjContact& contact, const ContactPair& pair, int id, int nrow) {
  const bool pyramidal = Pyramidal(m, contact);
  const double* invweight = m->body_invweight0;
  const double linear = invweight[2 * pair.body[0]] + invweight[2 * pair.body[1]];
  const double angular = invweight[2 * pair.body[0] + 1] + invweight[2 * pair.body[1] + 1];
  RowLaw law;
  law.id = id;
  law.distance = contact.dist;
  law.margin = contact.includemargin;
  law.solref = contact.solref;
  law.solimp = contact.solimp;
  if (pyramidal) {
    law.type = mjCNSTR_CONTACT_PYRAMIDAL;
    for (int r = 0; r < nrow; ++r) {
      const int k = r / 2 + 1;
      law.pos[r] = contact.dist;
      law.weight[r] = linear + contact.friction[k - 1] * contact.friction[k - 1] * (k < 3 ? linear : angular);
    }
    return law;
  }
  law.type = contact.dim == 1 ? mjCNSTR_CONTACT_FRICTIONLESS : mjCNSTR_CONTACT_ELLIPTIC;
  law.solreffriction = contact.solreffriction;
  for (int r = 0; r < nrow; ++r) {
    law.pos[r] = r == 0 ? contact.dist : 0;
    law.weight[r] = r < 3 ? linear : angular;
  }
  return law;
}

}  // namespace

void AddContacts(RowBuilder& build) {
  const mjModel* m = build.model();
  mjData* d = build.data();
  for (int id = 0; id < d->ncon; ++id) {
    mjContact& contact = d->contact[id];
    contact.efc_address = -1;
    if (contact.exclude) continue;
    const ContactPair pair = PairOf(m, d, contact);
    const PairChain chain =
        MakePairChain(m, pair.body[0], pair.body[1], /*keep_common=*/false, build.dofs(), build.sides());
    if (chain.count == 0) {
      contact.exclude = 3;  // no dof can move it
      continue;
    }
    const int nrow = RowCount(m, contact);
    RowBlock rows;
    if (!build.Open(nrow, chain.count, chain.dof, &rows)) continue;
    contact.efc_address = build.rows();
    FillJacobian(d, contact, pair, chain, rows, Pyramidal(m, contact));
    build.Close(rows, ContactLaw(m, contact, pair, id, nrow));
  }
}

}  // namespace sinew
