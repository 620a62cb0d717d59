#include "batch/fallback/lane_forces.h"

#include "batch/fallback/world_lane.h"
#include "constraint/cost.h"
#include "constraint/update.h"
#include "core/stack.h"
#include "sensor/evaluate.h"
#include "step/partial_stages.h"

namespace sinew::inline batch {

// Contacts of a lane that push, with what touch sensors read of them, and their normal forces: of a slot, the force
// along its first direction.
void LaneForces::FindPushes(size_t l, const LaneNumbers& force) {
  const size_t width = set_.width();
  pushes_.clear();
  push_force_.clear();
  const auto normal_force = [&](int slot) {
    return NumberAt(force, static_cast<size_t>(union_.slot(slot).first) * width + l);
  };
  const auto add = [&](const mjContact& contact, double push) {
    pushes_.push_back(contact);
    push_force_.push_back(push);
  };
  for (const LaneSlot& slot : set_.lanes[l].slots) {
    if (slot.contact < 0 || !(normal_force(slot.merged) > 0)) continue;
    add(set_.lanes[l].world->contact[slot.contact], normal_force(slot.merged));
  }
  if (!found_.are_found()) return;
  found_.ForLane(l, [&](int, const FoundContact& contact) {
    if (!(contact.with_rows >> l & 1) || !(normal_force(contact.merged) > 0)) return;
    add(contact.of->parameters, normal_force(contact.merged));
    const LaneNumbers geometry = {contact.geometry, force.is_single};
    for (size_t k = 0; k < 3; ++k) pushes_.back().pos[k] = NumberAt(geometry, (LaneContact::kPoint + k) * width + l);
    for (size_t k = 0; k < 9; ++k) {
      pushes_.back().frame[k] = NumberAt(geometry, (LaneContact::kFrame + k) * width + l);
    }
  });
}

// Poses of sites are needed where a contact pushes.
void LaneForces::EvaluateTouches(size_t l, const LaneTouch& touch) {
  const mjModel& m = set_.m;
  mjData* d = set_.lanes[l].world.get();
  const size_t width = set_.width();
  FindPushes(l, touch.force);
  for (int i = 0; !pushes_.empty() && i < m.nsensor; ++i) {
    if (m.sensor_type[i] != mjSENS_TOUCH) continue;
    const auto site = static_cast<size_t>(m.sensor_objid[i]);
    for (size_t k = 3 * site; k < 3 * site + 3; ++k) d->site_xpos[k] = NumberAt(touch.site_xpos, k * width + l);
    for (size_t k = 9 * site; k < 9 * site + 9; ++k) d->site_xmat[k] = NumberAt(touch.site_xmat, k * width + l);
  }
  sinew::EvaluateTouches(set_.lanes[l].model, d,
                         {pushes_.data(), push_force_.data(), static_cast<int>(pushes_.size())});
}

// Contacts and rows of a world that were made in lanes.
void LaneForces::WriteRows(size_t l) {
  WorldLane& lane = set_.lanes[l];
  mjData* d = lane.world.get();
  if (lane.has_rows) return;
  lane.has_rows = true;
  if (!found_.are_found() && lane.rows_in_lanes == 0) return;
  if (found_.are_found()) CollideLane(*lane.model, *set_.pairs, l, d);
  lane.rows_in_lanes = 0;
  RowsWithReference(lane.model, d);
}

// Residuals of directions become those of rows: a pyramid of dimension n has 2 (n - 1) edges, normal plus and minus
// each tangent.
void LaneForces::Write(size_t l, const LaneNumbers& residual) {
  WorldLane& lane = set_.lanes[l];
  mjData* d = lane.world.get();
  WriteRows(l);
  if (d->nefc == 0 || !residual.data) return;
  StackFrame frame(d);
  double* jar = frame.Doubles(d->nefc);
  const auto write = [&](int row, int merged) {
    const Slot& slot = union_.slot(merged);
    const auto at = [&](int k) { return NumberAt(residual, static_cast<size_t>(slot.first + k) * set_.width() + l); };
    if (slot.kind != SlotKind::kPyramid) {
      for (int k = 0; k < slot.dim; ++k) jar[row + k] = at(k);
      return;
    }
    for (int k = 1; k < slot.dim; ++k) {
      jar[row + 2 * k - 2] = at(0) + at(k);
      jar[row + 2 * k - 1] = at(0) - at(k);
    }
  };
  int next = 0;
  for (const LaneJointRow& row : set_.joint_rows) {
    if (!(row.lanes >> l & 1)) continue;
    write(next, row.slot);
    next += set_.DirectionsOf(row);
  }
  for (const LaneSlot& from : lane.slots) write(from.slot.row, from.merged);
  next = lane.first_contact_row;
  for (const FoundContact& contact : found_.list()) {
    if (!found_.are_found() || !(contact.with_rows >> l & 1)) continue;
    write(next, contact.merged);
    next += contact.of->rows;
  }
  EvaluateRows(AllConstraintRows(d), jar, d->efc_force, d->efc_state, /*cone_hessian=*/true);
}

}  // namespace sinew::inline batch
