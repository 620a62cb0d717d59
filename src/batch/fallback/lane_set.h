// The lanes of a pack, with what they have in common: pairs of geoms that may collide, equalities, and the rows that
// are no contacts.
#ifndef SINEW_BATCH_FALLBACK_LANE_SET_H_
#define SINEW_BATCH_FALLBACK_LANE_SET_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <vector>

#include "batch/fallback/lane_worlds.h"
#include "batch/fallback/world_lane.h"
#include "batch/pairs/lane_equalities.h"
#include "batch/pairs/lane_pairs.h"
#include "model/view/model_field_generated.h"

namespace sinew::inline batch {

struct LaneSet {
  LaneSet(const mjModel& model, int width);

  size_t width() const { return lanes.size(); }
  void SetParameter(int lane, const ModelParameter& parameter, const void* row);
  void NoteOwn(ModelField field);
  // Whether there is room for all rows of a lane that has so many contacts.
  bool LooksForRoom(WorldLane& lane, int contacts) const;
  bool ContactsAreDisabled() const { return m.opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT); }
  int DirectionsOf(const LaneJointRow& row) const {
    return row.type == mjCNSTR_EQUALITY ? equalities.table()[row.id].dim : 1;
  }

  const mjModel& m;
  EqualityList equalities;
  std::vector<WorldLane> lanes;
  std::unique_ptr<PairList> pairs;
  std::unique_ptr<bool[]> read_geoms;  // of each geom, whether steps read its pose
  OwnLaws own{};                       // what has been set of lanes

  // of the present step
  std::vector<LaneJointRow> joint_rows;
  bool in_lanes = false;  // all rows are made there
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FALLBACK_LANE_SET_H_
