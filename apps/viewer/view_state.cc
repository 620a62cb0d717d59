#include "viewer/view_state.h"

namespace sinew {

std::optional<double> WatchedNumber(const mjModel* m, const mjData* d, const std::string& field, int index) {
  struct Field {
    const char* name;
    const mjtNum* values;
    long long count;
  };
  const Field fields[] = {
      {"time", &d->time, 1},
      {"qpos", d->qpos, m->nq},
      {"qvel", d->qvel, m->nv},
      {"qacc", d->qacc, m->nv},
      {"act", d->act, m->na},
      {"ctrl", d->ctrl, m->nu},
      {"sensordata", d->sensordata, m->nsensordata},
      {"xpos", d->xpos, 3LL * m->nbody},
      {"xquat", d->xquat, 4LL * m->nbody},
      {"xipos", d->xipos, 3LL * m->nbody},
      {"subtree_com", d->subtree_com, 3LL * m->nbody},
      {"geom_xpos", d->geom_xpos, 3LL * m->ngeom},
      {"site_xpos", d->site_xpos, 3LL * m->nsite},
      {"ten_length", d->ten_length, m->ntendon},
      {"ten_velocity", d->ten_velocity, m->ntendon},
      {"actuator_force", d->actuator_force, m->nu},
      {"actuator_length", d->actuator_length, m->nu},
      {"qfrc_actuator", d->qfrc_actuator, m->nv},
      {"qfrc_bias", d->qfrc_bias, m->nv},
      {"qfrc_passive", d->qfrc_passive, m->nv},
      {"qfrc_constraint", d->qfrc_constraint, m->nv},
      {"qfrc_applied", d->qfrc_applied, m->nv},
      {"xfrc_applied", d->xfrc_applied, 6LL * m->nbody},
      {"energy", d->energy, 2},
  };
  for (const Field& known : fields) {
    if (field == known.name && index >= 0 && index < known.count) return known.values[index];
  }
  return std::nullopt;
}

}  // namespace sinew
