#include "gradient/flex_contact_columns.h"

#include <algorithm>

#include "kinematics/com_kernel.h"
#include "kinematics/contact_carriers.h"
#include "model/chain.h"

namespace sinew {
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

void FlexContactColumns::AddCarrier(int body, int side, int corner, double weight) {
  carrier_.push_back({body, side, corner, weight, AtPoint(motions_.moving().velocity[body], body),
                      AtPoint(motions_.accelerating().acceleration[body], body)});
}

void FlexContactColumns::Load(const mjContact& contact) {
  point_ = LoadVec3(contact.pos);
  corner_ = CornersOf(m_, contact);
  shift_ = DifferentiateCorners(m_, d_, contact, corner_);
  place_.clear();
  for (const ContactCorner& c : corner_) {
    const int vertex = m_->flex_vertadr[contact.flex[c.side]] + c.vertex;
    place_.emplace_back(m_, d_, m_->flex_vertbodyid[vertex], LoadVec3(d_->flexvert_xpos + 3 * vertex));
  }

  // bodies come as the corners do, but for a corner that is the other side of the contact
  carrier_.clear();
  StackFrame frame(d_);
  const ContactCarriers carriers(m_, d_, contact, frame);
  const WeightedBody* next = carriers.begin();
  for (int side = 0; side < 2; ++side) {
    if (contact.elem[side] < 0) {
      AddCarrier(next->body, side, -1, next->weight);
      ++next;
      continue;
    }
    for (size_t c = 0; c < corner_.size(); ++c) {
      const bool is_other = contact.flex[1 - side] == contact.flex[side] && contact.vert[1 - side] == corner_[c].vertex;
      if (corner_[c].side != side || is_other) continue;
      AddCarrier(next->body, side, static_cast<int>(c), next->weight);
      ++next;
    }
  }
  LoadDofs();
}

void FlexContactColumns::LoadDofs() {
  dof_.clear();
  std::vector<int> dofs;
  const auto add = [&](int body) {
    for (int i = LastDof(m_, body); i >= 0; i = m_->dof_parentid[i]) dofs.push_back(i);
  };
  for (const Carrier& b : carrier_) add(b.body);
  for (const BodyPoint& p : place_) add(p.body);
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
    const Vec3<double> swing = PointVelocity(j.s, place_[c].place - point_);
    if (Moves(j.dof, place_[c].body)) motion[c] = swing;
    const Vec3<double> against = moves_geom ? motion[c] - swing : motion[c];
    for (int k = 0; k < 3; ++k) sum += shift_[c].by[k] * against[k];
  }
  Change change = {{sum.dist, sum.pos, TurnOfNormal(contact, sum.normal)}, std::vector<double>(carrier_.size()), 0};

  // shares
  std::vector<double> relative(carrier_.size());
  double mean[2] = {0, 0};
  for (size_t b = 0; b < carrier_.size(); ++b) {
    const int c = carrier_[b].corner;
    if (c < 0) continue;
    const Vec3<double> arm = point_ - place_[Size(c)].place;
    const double square = Dot(arm, arm);
    relative[b] = square > mjMINVAL * mjMINVAL ? -Dot(arm, sum.pos - motion[Size(c)]) / square : 0;
    mean[carrier_[b].side] += Abs(carrier_[b].weight) * relative[b];
  }
  double inverse = 0, rate = 0;
  for (size_t b = 0; b < carrier_.size(); ++b) {
    const Carrier& carrier = carrier_[b];
    if (carrier.corner >= 0) change.weight[b] = carrier.weight * (relative[b] - mean[carrier.side]);
    const double of_body = m_->body_invweight0[2 * carrier.body], sign = carrier.side == 0 ? -1 : 1;
    inverse += sign * carrier.weight * of_body;
    rate += sign * change.weight[b] * of_body;
  }
  change.regularization = inverse > 0 ? rate / inverse : 0;
  return change;
}

void FlexContactColumns::SubtractPosition(const mjContact& contact, const ContactColumns::Touch& touch, const Dof& j,
                                          Columns& out) const {
  const Change change = ChangeBy(contact, j);
  Spatial<double> dV = ZeroSpatial<double>(), dY = ZeroSpatial<double>();
  std::vector<double> weight(dof_.size());
  for (size_t b = 0; b < carrier_.size(); ++b) {
    const Carrier& carrier = carrier_[b];
    dV += carrier.V * change.weight[b];
    dY += carrier.Y * change.weight[b];
    if (Moves(j.dof, carrier.body)) {
      dV += (CrossMotion(j.s, carrier.V) + j.p) * carrier.weight;
      dY += (CrossMotion(j.s, carrier.Y) + j.m) * carrier.weight;
    }
    for (size_t i = 0; change.weight[b] != 0 && i < dof_.size(); ++i) {
      if (Moves(dof_[i].dof, carrier.body)) weight[i] += change.weight[b];
    }
  }
  const Spatial<double> wrench = ContactColumns::ChangeBy(touch, change.shift, dV, dY, -change.regularization).wrench;
  const Spatial<double> moved = wrench - CrossForce(j.s, touch.wrench);
  double* column = out[j.dof];
  for (size_t i = 0; i < dof_.size(); ++i) {
    const Spatial<double>& felt = MovesAxis(j, dof_[i]) ? moved : wrench;
    column[dof_[i].dof] -= dof_[i].weight * Dot(dof_[i].s, felt) + weight[i] * Dot(dof_[i].s, touch.wrench);
  }
}

void FlexContactColumns::Subtract(int id, Columns& out) {
  const mjContact& contact = d_->contact[id];
  const ContactColumns::Directions at = contacts_.DirectionsOf(contact);
  if (!ContactColumns::Acts(at)) return;
  Load(contact);
  ContactColumns::Touch touch = {at, ContactColumns::AxesOf(contact), ZeroSpatial<double>(), ZeroSpatial<double>(),
                                 ZeroSpatial<double>()};
  for (const Carrier& b : carrier_) {
    touch.V += b.V * b.weight;
    touch.Y += b.Y * b.weight;
  }
  touch.wrench = ContactColumns::WrenchOf(touch, at.force);
  for (const Dof& j : dof_) {
    SubtractPosition(contact, touch, j, out);
    const Spatial<double> wrench = ContactColumns::ChangeByVelocity(touch, j.s * j.weight).wrench;
    double* column = out[static_cast<int>(m_->nv) + j.dof];
    for (const Dof& i : dof_) column[i.dof] -= i.weight * Dot(i.s, wrench);
  }
}

}  // namespace sinew
