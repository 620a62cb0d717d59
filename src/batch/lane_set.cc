#include "batch/lane_set.h"

#include <cstring>

#include "batch/lane_parameters.h"
#include "batch/worlds_fields.h"
#include "model/data.h"

namespace sinew {

LaneSet::LaneSet(const mjModel& model, int width)
    : m(model), equalities(model, width), lanes(static_cast<size_t>(width)) {
  for (WorldLane& lane : lanes) {
    lane.model = &m;
    lane.world.reset(MakeData(m));
  }
  pairs = std::make_unique<PairList>(m, lanes.front().world.get());
}

void LaneSet::SetParameter(int lane, const ModelParameter& parameter, const void* row) {
  WorldLane& of_lane = lanes[static_cast<size_t>(lane)];
  if (!of_lane.own) of_lane.own = std::make_unique<mjModel>(m);
  of_lane.model = of_lane.own.get();
  if (parameter.array) {
    parameter.array->SetPointer(*of_lane.own, const_cast<void*>(row));  // models of lanes are only read
  } else {
    std::memcpy(parameter.In(*of_lane.own), row, parameter.Bytes());
  }
  if (FindLaneField(parameter) == ModelField::geom_rbound) pairs->SetRadiiDiffer();
}

bool LaneSet::LooksForRoom(WorldLane& lane, int contacts) const {
  const bool has_room = HasRoom(m, *lane.world, contacts);
  lane.is_short_of_room = lane.is_short_of_room || !has_room;
  return has_room;
}

}  // namespace sinew
