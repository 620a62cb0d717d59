// Contact sensors: the contacts that match two objects, reduced to a number of slots.
//
// Each slot holds the chosen fields (mjtConDataField) of one contact. The normal points from the first object to the
// second; a contact found the other way round is reversed.
#include <algorithm>
#include <cmath>

#include "constraint/contact_force.h"
#include "core/stack.h"
#include "core/warning.h"
#include "kinematics/contact_carriers.h"
#include "math/mat3.h"
#include "math/spatial.h"
#include "model/kinds/sensor_kinds.h"
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

constexpr int kVelocityFields = 1 << sinewCONDATA_LINVEL | 1 << sinewCONDATA_ANGVEL;

enum Reduction { kNone, kMinDistance, kMaxForce, kNetForce };

struct Match {
  int contact;
  bool reversed;
  double key;  // slots are sorted by it, ascending
};

// The values of one slot of a contact sensor.
struct Slot {
  double found;
  Vec3<double> force, torque;
  double dist;
  Vec3<double> pos, normal, tangent, linvel, angvel;
};

// Ids of ancestors are smaller than those of their descendants, so climbing up ends at or below the root.
bool IsInSubtree(const mjModel* m, int body, int root) {
  while (body > root) body = m->body_parentid[body];
  return body == root;
}

// Whether a side of a contact (a geom, or -1 for a flex) belongs to an object.
bool Matches(const mjModel* m, int geom, int type, int id) {
  if (type == mjOBJ_UNKNOWN || type == mjOBJ_SITE) return true;
  if (geom < 0) return false;
  switch (type) {
    case mjOBJ_GEOM:
      return geom == id;
    case mjOBJ_BODY:
      return m->geom_bodyid[geom] == id;
    case mjOBJ_XBODY:
      return IsInSubtree(m, m->geom_bodyid[geom], id);
    default:
      return false;
  }
}

// Whether the contact matches, and which way round. With one object only, the normal points away from the first or
// towards the second.
bool MatchContact(const mjModel* m, const mjData* d, const SensorSpec& s, const mjContact& contact, bool& reversed) {
  if (s.objtype == mjOBJ_SITE && !IsInsideSite(m, d, s.objid, contact.pos)) return false;
  const auto fits = [&](int a, int b) {
    return Matches(m, contact.geom[a], s.objtype, s.objid) && Matches(m, contact.geom[b], s.reftype, s.refid);
  };
  const bool regular = fits(0, 1);
  reversed = !regular;
  return regular || fits(1, 0);
}

// Contact force and torque in the contact frame; a reversed frame has the opposite normal and tangent, the same third
// axis.
void FrameForce(const mjModel* m, const mjData* d, const Match& match, Vec3<double>& force, Vec3<double>& torque) {
  double wrench[6];
  ContactForce(m, d, match.contact, wrench);
  force = LoadVec3(wrench);
  torque = LoadVec3(wrench + 3);
  if (match.reversed) {
    force.z = -force.z;
    torque.z = -torque.z;
  }
}

// Velocity and rotation of the second object at the contact relative to the first, in the frame of the contact: where
// that is reversed, so is the velocity.
void FrameVelocity(const mjModel* m, mjData* d, const Match& match, Slot& slot) {
  const mjContact& contact = d->contact[match.contact];
  StackFrame frame(d);
  Spatial<double> relative = ZeroSpatial<double>();
  for (const WeightedBody& carrier : ContactCarriers(m, d, contact, frame)) {
    const double* velocity = d->cvel + 6 * carrier.body;
    const Vec3<double> arm = LoadVec3(contact.pos) - LoadVec3(d->subtree_com + 3 * m->body_rootid[carrier.body]);
    relative += ShiftMotion(Spatial<double>{LoadVec3(velocity), LoadVec3(velocity + 3)}, arm) * carrier.weight;
  }
  const Mat3<double> axes = LoadMat3(contact.frame);
  slot.linvel = axes * relative.lin;
  slot.angvel = axes * relative.rot;
  if (match.reversed) {
    slot.linvel.z = -slot.linvel.z;
    slot.angvel.z = -slot.angvel.z;
  }
}

// Vectors of force and torque are in the frame of the contact, position and directions in the world's frame.
Slot SlotOf(const mjModel* m, mjData* d, const Match& match, int found, int fields) {
  const mjContact& contact = d->contact[match.contact];
  const double sign = match.reversed ? -1 : 1;
  Slot slot;
  slot.found = found;
  FrameForce(m, d, match, slot.force, slot.torque);
  slot.dist = contact.dist;
  slot.pos = LoadVec3(contact.pos);
  slot.normal = LoadVec3(contact.frame) * sign;
  slot.tangent = LoadVec3(contact.frame + 3) * sign;
  if (fields & kVelocityFields) FrameVelocity(m, d, match, slot);
  return slot;
}

// Sum of all forces in world axes, at the centroid that their sizes weigh.
Slot NetForce(const mjModel* m, const mjData* d, const Match* match, int found) {
  Slot net{static_cast<double>(found), {0, 0, 0}, {0, 0, 0}, 0, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 0}};
  double weight = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < found; ++i) {
      const mjContact& contact = d->contact[match[i].contact];
      double wrench[6];
      ContactForce(m, d, match[i].contact, wrench);
      const Vec3<double> local = LoadVec3(wrench), p = LoadVec3(contact.pos);
      if (pass == 0) {
        // centroid
        weight += Norm(local);
        net.pos += p * Norm(local);
        continue;
      }
      // forces on the second object, moved to the centroid
      const double sign = match[i].reversed ? -1 : 1;
      const Mat3<double> R = LoadMat3(contact.frame);
      const Vec3<double> force = MulTransposed(R, local) * sign;
      net.force += force;
      net.torque += MulTransposed(R, LoadVec3(wrench + 3)) * sign + Cross(p - net.pos, force);
    }
    if (pass == 0) net.pos = weight > kMinVal ? net.pos * (1 / weight) : Zero3<double>();
  }
  return net;
}

// Writes the chosen fields and returns the position behind them.
double* Write(const Slot& slot, int fields, double* out) {
  const double* source[sinewNCONDATA] = {&slot.found,    &slot.force.x,   &slot.torque.x, &slot.dist,    &slot.pos.x,
                                         &slot.normal.x, &slot.tangent.x, &slot.linvel.x, &slot.angvel.x};
  for (int f = 0; f < sinewNCONDATA; ++f) {
    if (fields & (1 << f)) out = std::copy(source[f], source[f] + kContactDataSizes[f], out);
  }
  return out;
}

// Slots are filled in ascending order of this key; contacts with equal keys keep their own order.
double SortKey(const mjModel* m, const mjData* d, const Match& match, int reduction) {
  if (reduction == kMinDistance) return d->contact[match.contact].dist;
  if (reduction != kMaxForce) return 0;
  Vec3<double> force, torque;
  FrameForce(m, d, match, force, torque);
  return -Norm(force);
}

}  // namespace

// Without memory for the list of matches the sensor reads zero, with a warning.
void EvaluateContact(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  const int* parameters = m->sensor_intprm + mjNSENS * static_cast<ptrdiff_t>(s.id);
  const int fields = parameters[0], reduction = parameters[1];

  // all matches
  std::fill(out, out + m->sensor_dim[s.id], 0.0);
  StackFrame frame(d, WhenFull::kReport);
  Match* match = frame.Alloc<Match>(d->ncon);
  if (frame.full()) return RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
  int found = 0;
  for (int i = 0; i < d->ncon; ++i) {
    Match candidate{i, false, 0};
    if (!MatchContact(m, d, s, d->contact[i], candidate.reversed)) continue;
    candidate.key = SortKey(m, d, candidate, reduction);
    match[found++] = candidate;
  }

  // slots
  if (reduction == kNetForce) {
    Write(NetForce(m, d, match, found), fields, out);
    return;
  }
  std::sort(match, match + found,
            [](const Match& a, const Match& b) { return a.key != b.key ? a.key < b.key : a.contact < b.contact; });
  const int slots = std::min(found, parameters[2]);
  for (int i = 0; i < slots; ++i) out = Write(SlotOf(m, d, match[i], found, fields), fields, out);
}

}  // namespace sinew::inline sensor
