#include "batch/fallback/lane_set.h"

#include <cstring>
#include <optional>

#include "batch/plan/lane_parameters.h"
#include "batch/plan/worlds_fields.h"
#include "model/storage/data.h"

namespace sinew::inline batch {
namespace {

std::unique_ptr<bool[]> FindReadGeoms(const mjModel& m) {
  auto read = std::make_unique<bool[]>(static_cast<size_t>(m.ngeom));
  for (int g = 0; g < m.ngeom; ++g) {
    read[g] = m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0 || m.geom_fluid[mjNFLUID * g] > 0;
  }
  for (int i = 0; i < m.npair; ++i) read[m.pair_geom1[i]] = read[m.pair_geom2[i]] = true;
  for (int i = 0; i < m.nwrap; ++i) {
    if (m.wrap_type[i] == mjWRAP_SPHERE || m.wrap_type[i] == mjWRAP_CYLINDER) read[m.wrap_objid[i]] = true;
  }
  for (int i = 0; i < m.nsensor; ++i) {
    if (m.sensor_objtype[i] == mjOBJ_GEOM) read[m.sensor_objid[i]] = true;
    if (m.sensor_reftype[i] == mjOBJ_GEOM && m.sensor_refid[i] >= 0) read[m.sensor_refid[i]] = true;
  }
  return read;
}

}  // namespace

LaneSet::LaneSet(const mjModel& model, int width)
    : m(model), equalities(model, width), lanes(static_cast<size_t>(width)), read_geoms(FindReadGeoms(model)) {
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
  const std::optional<ModelField> field = FindLaneField(parameter);
  if (field == ModelField::geom_rbound) pairs->SetRadiiDiffer();
  if (field == ModelField::geom_margin || field == ModelField::pair_margin) pairs->SetMarginsDiffer();
  if (field) NoteOwn(*field);
}

void LaneSet::NoteOwn(ModelField field) {
  using enum ModelField;
  switch (field) {
    case opt_timestep:
      own.rows = own.contacts = true;
      break;
    case geom_margin:
    case geom_gap:
    case pair_margin:
    case pair_gap:
      own.contacts = own.distances = true;
      pairs->SetDistancesDiffer();
      break;
    case geom_solmix:
    case geom_solref:
    case geom_solimp:
    case pair_solref:
    case pair_solreffriction:
    case pair_solimp:
      own.contacts = true;
      break;
    case jnt_solref:
    case jnt_solimp:
    case dof_solref:
    case dof_solimp:
    case tendon_solref_lim:
    case tendon_solimp_lim:
    case tendon_solref_fri:
    case tendon_solimp_fri:
    case eq_solref:
    case eq_solimp:
      own.rows = true;
      break;
    default:
      break;
  }
}

bool LaneSet::LooksForRoom(WorldLane& lane, int contacts) const {
  const bool has_room = HasRoom(m, *lane.world, contacts, pairs->BytesOfFeet());
  lane.is_short_of_room = lane.is_short_of_room || !has_room;
  return has_room;
}

}  // namespace sinew::inline batch
