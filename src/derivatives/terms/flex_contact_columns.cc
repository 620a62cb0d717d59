#include "derivatives/terms/flex_contact_columns.h"

#include <algorithm>
#include <utility>

#include "kinematics/com_kernel.h"
#include "kinematics/contact_carriers.h"
#include "kinematics/flex_cell.h"
#include "model/kinds/chain.h"
#include "model/kinds/contact_exclude.h"

namespace sinew::inline derivatives {
namespace {

// The rotation of a contact's frame, whose tangents follow from the normal.
Vec3<double> TurnOfNormal(const mjContact& contact, const Vec3<double>& change) {
  ContactPoint<PairNumber> point = {PairNumber(0.0), {}, {}};
  const Vec3<double> n = LoadVec3(contact.frame);
  Vec3<PairNumber> none;
  for (int k = 0; k < 3; ++k) {
    point.normal[k] = PairNumber(n[k]);
    point.normal[k].slope[0] = change[k];
    point.pos[k] = none[k] = PairNumber(0.0);
  }
  ContactShift by[kPairNumbers];
  StoreShifts(point, none, by);
  return by[0].turn;
}

}  // namespace

Spatial<double> FlexContactColumns::AtPoint(const Spatial<double>& motion, int body) const {
  return ShiftMotion(motion, point_ - LoadVec3(d_->subtree_com + 3 * m_->body_rootid[body]));
}

bool FlexContactColumns::Moves(int dof, int body) const {
  int i = LastDof(m_, body);
  while (i > dof) i = m_->dof_parentid[i];
  return i == dof;
}

bool FlexContactColumns::MovesAxis(const Dof& j, const Dof& i) const {
  if (FirstOfTurn(m_, i.dof) == FirstOfTurn(m_, j.dof)) return true;
  return j.dof < i.dof && Moves(j.dof, m_->dof_bodyid[i.dof]);
}

void FlexContactColumns::AddAnchors(int flex, int vertex, Corner& corner) const {
  if (m_->flex_interp[flex] == 0) {
    corner.anchors = {{m_->flex_vertbodyid[vertex], 1, corner.place}};
    return;
  }
  LatticeOf(m_, flex).ForWeights(InFlexBox(corner.coordinates), [&](int n, double weight) {
    const int node = m_->flex_nodeadr[flex] + n;
    if (weight != 0) corner.anchors.push_back({m_->flex_nodebodyid[node], weight, NodePosition(m_, d_, node)});
  });
}

void FlexContactColumns::LoadCorners(const mjContact& contact) {
  const std::vector<ContactCorner> ids = CornersOf(m_, contact);
  const std::vector<CornerShifts> shifts = DifferentiateCorners(m_, d_, contact, ids);
  double share[2][4] = {{1}, {1}};
  for (int side = 0; side < 2; ++side) {
    if (contact.elem[side] >= 0) CornerShares(m_, d_, contact, side, share[side]);
  }
  corner_.clear();
  int of_side[2] = {0, 0};
  for (size_t c = 0; c < ids.size(); ++c) {
    const int side = ids[c].side, flex = contact.flex[side], vertex = m_->flex_vertadr[flex] + ids[c].vertex;
    Corner corner = {ids[c],
                     LoadVec3(d_->flexvert_xpos + 3 * vertex),
                     LoadVec3(m_->flex_vert0 + 3 * vertex),
                     share[side][of_side[side]++],
                     {},
                     shifts[c]};
    AddAnchors(flex, vertex, corner);
    corner_.push_back(std::move(corner));
  }
}

// Bodies come as the corners or nodes of a side do, but for those that have no share.
void FlexContactColumns::LoadCarriers(const mjContact& contact) {
  carrier_.clear();
  StackFrame frame(d_);
  const ContactCarriers carriers(m_, d_, contact, frame);
  const WeightedBody* next = carriers.begin();
  const auto add = [&](int side, int corner, const Vec3<double>& gradient) {
    const int body = next->body;
    carrier_.push_back({body, side, corner, next->weight, gradient, AtPoint(motions_.moving().velocity[body], body),
                        AtPoint(motions_.accelerating().acceleration[body], body)});
    ++next;
  };
  for (int side = 0; side < 2; ++side) {
    const int flex = contact.flex[side];
    if (contact.geom[side] >= 0 || (contact.elem[side] < 0 && m_->flex_interp[flex] == 0)) {
      add(side, -1, Zero3<double>());
    } else if (m_->flex_interp[flex] == 0) {
      for (size_t c = 0; c < corner_.size(); ++c) {
        if (corner_[c].id.side == side && corner_[c].share > 0) add(side, static_cast<int>(c), Zero3<double>());
      }
    } else {
      Vec3<double> at = Zero3<double>();
      for (const Corner& corner : corner_) {
        if (corner.id.side == side) at += corner.coordinates * corner.share;
      }
      std::vector<Vec3<double>> gradient;
      const NodeLattice lattice = LatticeOf(m_, flex);
      lattice.ForGradients(InFlexBox(at), [&](int, const Vec3<double>& g) { gradient.push_back(g); });
      size_t n = 0;
      lattice.ForWeights(InFlexBox(at), [&](int node, double weight) {
        const bool carries = next != carriers.end() && Abs(next->weight) == weight &&
                             next->body == m_->flex_nodebodyid[m_->flex_nodeadr[flex] + node];
        if (carries) add(side, -1, gradient[n]);
        ++n;
      });
    }
  }
}

void FlexContactColumns::Load(const mjContact& contact) {
  point_ = LoadVec3(contact.pos);
  LoadCorners(contact);
  LoadCarriers(contact);
  LoadDofs();
}

void FlexContactColumns::LoadDofs() {
  dof_.clear();
  std::vector<int> dofs;
  const auto add = [&](int body) {
    for (int i = LastDof(m_, body); i >= 0; i = m_->dof_parentid[i]) dofs.push_back(i);
  };
  for (const Carrier& b : carrier_) add(b.body);
  for (const Corner& corner : corner_) {
    for (const Anchor& anchor : corner.anchors) add(anchor.body);
  }
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  const DataView<double> data(d_);
  for (const int j : dofs) {
    const int body = m_->dof_bodyid[j];
    double weight = 0;
    for (const Carrier& b : carrier_) weight += Moves(j, b.body) ? b.weight : 0;
    dof_.push_back({j, weight, AtPoint(data.cdof(j), body), AtPoint(motions_.moving().p[j], body),
                    AtPoint(motions_.accelerating().q[j], body)});
  }
}

FlexContactColumns::Change FlexContactColumns::ChangeBy(const mjContact& contact, const Dof& j) const {
  // corners move with the dof, and all of them against a geom that does
  const int geom = contact.geom[0];
  const bool moves_geom = geom >= 0 && Moves(j.dof, m_->geom_bodyid[geom]);
  NormalShift sum = {0, Zero3<double>(), Zero3<double>()};
  if (moves_geom) sum = {0, j.s.lin, Cross(j.s.rot, LoadVec3(contact.frame))};
  std::vector<Vec3<double>> motion(corner_.size(), Zero3<double>());
  for (size_t c = 0; c < corner_.size(); ++c) {
    const Corner& corner = corner_[c];
    for (const Anchor& anchor : corner.anchors) {
      if (Moves(j.dof, anchor.body)) motion[c] += PointVelocity(j.s, anchor.place - point_) * anchor.weight;
    }
    Vec3<double> against = motion[c];
    if (moves_geom) against -= PointVelocity(j.s, corner.place - point_);
    for (int k = 0; k < 3; ++k) sum += corner.shift.by[k] * against[k];
  }
  Change change = {{sum.dist, sum.pos, TurnOfNormal(contact, sum.normal)}, std::vector<double>(carrier_.size()), 0};
  ChangeWeights(motion, change);
  return change;
}

void FlexContactColumns::ChangeWeights(const std::vector<Vec3<double>>& motion, Change& change) const {
  std::vector<double> share(corner_.size());
  double mean[2] = {0, 0};
  for (size_t c = 0; c < corner_.size(); ++c) {
    const Vec3<double> arm = point_ - corner_[c].place;
    const double square = Dot(arm, arm);
    share[c] = square > mjMINVAL * mjMINVAL ? -Dot(arm, change.shift.pos - motion[c]) / square : 0;
    mean[corner_[c].id.side] += corner_[c].share * share[c];
  }
  Vec3<double> at[2] = {Zero3<double>(), Zero3<double>()};
  for (size_t c = 0; c < corner_.size(); ++c) {
    const int side = corner_[c].id.side;
    share[c] = corner_[c].share * (share[c] - mean[side]);
    at[side] += corner_[c].coordinates * share[c];
  }
  double inverse = 0, rate = 0;
  for (size_t b = 0; b < carrier_.size(); ++b) {
    const Carrier& carrier = carrier_[b];
    const double of_body = m_->body_invweight0[2 * carrier.body], sign = carrier.side == 0 ? -1 : 1;
    const double shift = carrier.corner >= 0 ? share[Size(carrier.corner)] : Dot(carrier.gradient, at[carrier.side]);
    change.weight[b] = sign * shift;
    inverse += sign * carrier.weight * of_body;
    rate += shift * of_body;
  }
  change.regularization = inverse > 0 ? rate / inverse : 0;
}

void FlexContactColumns::ChangeMotion(const Dof& j, const Change& change, Spatial<double>& dV,
                                      Spatial<double>& dY) const {
  for (size_t b = 0; b < carrier_.size(); ++b) {
    const Carrier& carrier = carrier_[b];
    dV += carrier.V * change.weight[b];
    dY += carrier.Y * change.weight[b];
    if (!Moves(j.dof, carrier.body)) continue;
    dV += (CrossMotion(j.s, carrier.V) + j.p) * carrier.weight;
    dY += (CrossMotion(j.s, carrier.Y) + j.m) * carrier.weight;
  }
}

void FlexContactColumns::SubtractWrench(const Dof& j, const Change& change, const Spatial<double>& present,
                                        const Spatial<double>& by_position, Columns& out) const {
  std::vector<double> weight(dof_.size());
  for (size_t b = 0; b < carrier_.size(); ++b) {
    for (size_t i = 0; change.weight[b] != 0 && i < dof_.size(); ++i) {
      if (Moves(dof_[i].dof, carrier_[b].body)) weight[i] += change.weight[b];
    }
  }
  const Spatial<double> moved = by_position - CrossForce(j.s, present);
  double* column = out[j.dof];
  for (size_t i = 0; i < dof_.size(); ++i) {
    const Spatial<double>& acting = MovesAxis(j, dof_[i]) ? moved : by_position;
    column[dof_[i].dof] -= dof_[i].weight * Dot(dof_[i].s, acting) + weight[i] * Dot(dof_[i].s, present);
  }
}

ContactColumns::Response FlexContactColumns::ResponseOf(const mjContact& contact,
                                                        const ContactColumns::Law& law) const {
  Spatial<double> V = ZeroSpatial<double>(), Y = ZeroSpatial<double>();
  for (const Carrier& b : carrier_) {
    V += b.V * b.weight;
    Y += b.Y * b.weight;
  }
  return {law, ContactColumns::AxesOf(contact), V, Y};
}

void FlexContactColumns::SubtractDof(const mjContact& contact, const ContactColumns::Response& response, const Dof& j,
                                     Columns& out, ContactChange* kept) const {
  const Change change = ChangeBy(contact, j);
  Spatial<double> dV = ZeroSpatial<double>(), dY = ZeroSpatial<double>();
  ChangeMotion(j, change, dV, dY);
  const auto by_position = sinew::ChangeBy(response, change.shift, dV, dY, -change.regularization);
  SubtractWrench(j, change, response.wrench, by_position.wrench, out);
  const auto by_velocity = ChangeByVelocity(response, j.s * j.weight);
  double* column = out.FromVelocity()[j.dof];
  for (const Dof& i : dof_) column[i.dof] -= i.weight * Dot(i.s, by_velocity.wrench);
  if (!kept) return;
  kept->by_state.push_back({j.dof, by_position.wrench, by_position.normal});
  kept->by_state.push_back({static_cast<int>(m_->nv) + j.dof, by_velocity.wrench, by_velocity.normal});
}

void FlexContactColumns::Subtract(int id, Columns& out, ForceChanges* changes) {
  const mjContact& contact = d_->contact[id];
  const ContactColumns::Law law = contacts_.LawOf(contact);
  if (!ContactColumns::Acts(law)) return;
  Load(contact);
  const ContactColumns::Response response = ResponseOf(contact, law);
  ContactChange* const kept = changes ? &changes->contacts.emplace_back() : nullptr;
  if (kept) {
    kept->contact = id;
    kept->point = point_;
    for (const Carrier& b : carrier_) kept->carriers.push_back({b.body, b.weight});
    KeepInertia(response, *kept);
  }
  for (const Dof& j : dof_) SubtractDof(contact, response, j, out, kept);
}

// A spring and a damper exert the force f n at the contact's point, f = -k dist - b n.v (force/flex_force.h). Where the
// damper would pull, f is zero.
void FlexContactColumns::SubtractPassive(int id, const PassivePush& push, Columns& out) {
  const mjContact& contact = d_->contact[id];
  if (contact.dist >= 0) return;
  Load(contact);
  Spatial<double> V = ZeroSpatial<double>();
  for (const Carrier& b : carrier_) V += b.V * b.weight;
  const Vec3<double> n = LoadVec3(contact.frame);
  const double f = push.Spring(contact.dist) - push.damping * Dot(n, V.lin);
  if (f <= 0) return;
  const Vec3<double> force = n * f;
  const Spatial<double> wrench = {Zero3<double>(), force};
  for (const Dof& j : dof_) {
    const Change change = ChangeBy(contact, j);
    const ContactShift& shift = change.shift;
    Spatial<double> dV = ZeroSpatial<double>(), dY = ZeroSpatial<double>();
    ChangeMotion(j, change, dV, dY);
    const Spatial<double> dn = {Cross(shift.pos, n), Cross(shift.turn, n)};
    const double df = -push.stiffness * shift.dist - push.damping * (Dot(dn, V) + Dot(n, dV.lin));
    const Vec3<double> turned = n * df + Cross(shift.turn, force);
    SubtractWrench(j, change, wrench, {Cross(shift.pos, force), turned}, out);
    const Vec3<double> with_velocity = n * (-push.damping * j.weight * Dot(n, j.s.lin));
    double* column = out.FromVelocity()[j.dof];
    for (const Dof& i : dof_) column[i.dof] -= i.weight * Dot(i.s.lin, with_velocity);
  }
}

void AddPassiveContacts(const mjModel* m, mjData* d, const double* a, Columns& force) {
  const auto is_passive = [](const mjContact& contact) { return contact.exclude == contact_exclude::kPassive; };
  if (std::none_of(d->contact, d->contact + d->ncon, is_passive)) return;
  const RowForces rows(m, d, a);
  const PairMotions motions(m, d, a);
  PairColumns pair(m, d, motions);
  const ContactColumns contacts(m, d, rows, pair);
  FlexContactColumns flexes(m, d, motions, contacts);
  StackFrame frame(d);
  const PassivePushes pushes(m, d, frame);
  const bool damps = !(m->opt.disableflags & mjDSBL_DAMPER);
  for (int i = 0; i < d->ncon; ++i) {
    if (!is_passive(d->contact[i])) continue;
    PassivePush push = pushes.Of(d->contact[i]);
    if (!damps) push.damping = 0;
    flexes.SubtractPassive(i, push, force);
  }
}

}  // namespace sinew::inline derivatives
