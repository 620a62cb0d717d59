#include "viewer/view_state.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sinew {

void Append(Line& line, double value) {
  if (line.size() >= kLineLength) line.erase(line.begin());
  line.push_back(static_cast<float>(value));
}

void RecordSensors(const mjModel* m, const mjData* d, std::vector<std::vector<Line>>& lines) {
  const auto count = [&](int sensor) { return static_cast<size_t>(std::min(m->sensor_dim[sensor], kSensorLines)); };
  lines.resize(static_cast<size_t>(m->nsensor));
  for (int i = 0; i < m->nsensor; ++i) {
    std::vector<Line>& values = lines[static_cast<size_t>(i)];
    if (values.size() != count(i)) values.assign(count(i), {});
    for (size_t k = 0; k < values.size(); ++k) Append(values[k], d->sensordata[m->sensor_adr[i] + static_cast<int>(k)]);
  }
}

std::string CameraAsElement(const mjvScene& scene, double fovy) {
  std::array<double, 3> place = {}, forward = {}, up = {}, right = {};
  for (size_t i = 0; i < 3; ++i) {  // the middle of both eyes
    place[i] = 0.5 * (static_cast<double>(scene.camera[0].pos[i]) + static_cast<double>(scene.camera[1].pos[i]));
    forward[i] = static_cast<double>(scene.camera[0].forward[i]);
    up[i] = static_cast<double>(scene.camera[0].up[i]);
  }
  mju_cross(right.data(), forward.data(), up.data());
  char text[256];
  std::snprintf(text, sizeof(text),
                "<camera pos=\"%.4g %.4g %.4g\" xyaxes=\"%.4g %.4g %.4g %.4g %.4g %.4g\" fovy=\"%.4g\"/>", place[0],
                place[1], place[2], right[0], right[1], right[2], up[0], up[1], up[2], fovy);
  return text;
}

std::string NameOf(const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name ? name : mju_type2Str(type) + std::string(" ") + std::to_string(id);
}

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
