// Takes numbers of a model back into its specification: what stands outside of the tree, such as assets, constraints,
// tendons, actuators, sensors, custom data and keyframes.
#include <algorithm>
#include <cmath>

#include "compile/copy_back/copy_back.h"
#include "compile/rows.h"
#include "model/storage/extension.h"
#include "simd/functions.h"
#include "spec/actuator_kinds.h"

namespace sinew::inline compile {
namespace {

// The numbers of a list that the model has; a program may have made the list longer since.
template <class T>
void CopyFront(const T* from, size_t count, std::vector<T>& to) {
  std::copy_n(from, std::min(count, to.size()), to.begin());
}

// ---- assets

void CopyMaterial(const mjModel& m, Material& material) {
  const int id = material.id;
  material.emission = m.mat_emission[id];
  material.specular = m.mat_specular[id];
  material.shininess = m.mat_shininess[id];
  material.reflectance = m.mat_reflectance[id];
  material.metallic = m.mat_metallic[id];
  material.roughness = m.mat_roughness[id];
  GetRow(m.mat_texrepeat, id, material.texrepeat);
  GetRow(m.mat_rgba, id, material.rgba);
}

// The heights of the model are normalized, and normalizing them again changes nothing.
void CopyHField(const mjModel& m, HField& hfield) {
  GetRow(m.hfield_size, hfield.id, hfield.size);
  const float* data = m.hfield_data + m.hfield_adr[hfield.id];
  const auto count = static_cast<size_t>(m.hfield_nrow[hfield.id]) * static_cast<size_t>(m.hfield_ncol[hfield.id]);
  CopyFront(data, count, *hfield.userdata);
}

// ---- constraints

void CopyPair(const mjModel& m, Pair& pair) {
  const int id = pair.id;
  pair.margin = MarginOf(m.pair_margin[id], m.pair_gap[id], pair.home->level);
  pair.gap = m.pair_gap[id];
  GetRow(m.pair_solref, id, pair.solref);
  GetRow(m.pair_solreffriction, id, pair.solreffriction);
  GetRow(m.pair_solimp, id, pair.solimp);
  GetRow(m.pair_friction, id, pair.friction);
}

// Sites say where they are tied; of the data of a weld they leave the scale of rotations.
void CopyEquality(const mjModel& m, Equality& equality) {
  constexpr int kWeldTorqueScale = 10;
  const int id = equality.id;
  const mjtNum* data = m.eq_data + mjNEQDATA * id;
  const bool tied = equality.type == mjEQ_CONNECT || equality.type == mjEQ_WELD;
  if (!tied || equality.objtype != mjOBJ_SITE) {
    std::copy_n(data, equality.type == mjEQ_CONNECT ? 3 : mjNEQDATA, equality.data);
  } else if (equality.type == mjEQ_WELD) {
    equality.data[kWeldTorqueScale] = data[kWeldTorqueScale];
  }
  GetRow(m.eq_solref, id, equality.solref);
  GetRow(m.eq_solimp, id, equality.solimp);
}

// ---- tendons, actuators, sensors

// Solver parameters of limits and of friction are separate.
void CopyTendon(const mjModel& m, Tendon& tendon) {
  const int id = tendon.id;
  tendon.margin = m.tendon_margin[id];
  tendon.armature = m.tendon_armature[id];
  tendon.frictionloss = m.tendon_frictionloss[id];
  tendon.width = m.tendon_width[id];
  GetPolynomial(m.tendon_stiffness, m.tendon_stiffnesspoly, id, tendon.stiffness);
  GetPolynomial(m.tendon_damping, m.tendon_dampingpoly, id, tendon.damping);
  // A negative length of rest is found at the reference configuration, again at every compilation.
  if (tendon.springlength[0] >= 0) GetRow(m.tendon_lengthspring, id, tendon.springlength);
  GetRow(m.tendon_range, id, tendon.range);
  GetRow(m.tendon_actfrcrange, id, tendon.actfrcrange);
  GetRow(m.tendon_solref_lim, id, tendon.solref_limit);
  GetRow(m.tendon_solimp_lim, id, tendon.solimp_limit);
  GetRow(m.tendon_solref_fri, id, tendon.solref_friction);
  GetRow(m.tendon_solimp_fri, id, tendon.solimp_friction);
  GetRow(m.tendon_rgba, id, tendon.rgba);
  GetUser(m.tendon_user, id, m.nuser_tendon, *tendon.userdata);
}

void CopyActuator(const mjModel& m, Actuator& actuator) {
  const int id = actuator.id;
  actuator.armature = m.actuator_armature[id];
  actuator.cranklength = m.actuator_cranklength[id];
  actuator.inheritrange = 0;  // the ranges replace it
  GetPolynomial(m.actuator_damping, m.actuator_dampingpoly, id, actuator.damping);
  GetRow(m.actuator_dynprm, id, actuator.dynprm);
  GetRow(m.actuator_gainprm, id, actuator.gainprm);
  // models have the sine of this angle
  if (IsMusculotendon(actuator)) {
    actuator.gainprm[kPennation] = Asin(actuator.gainprm[kPennation]) * (actuator.compiler().degree ? 180 / kPi : 1);
  }
  if (!IsMusculotendon(actuator)) GetRow(m.actuator_biasprm, id, actuator.biasprm);  // of muscles, it is computed
  GetRow(m.actuator_ctrlrange, id, actuator.ctrlrange);
  GetRow(m.actuator_forcerange, id, actuator.forcerange);
  GetRow(m.actuator_actrange, id, actuator.actrange);
  GetRow(m.actuator_lengthrange, id, actuator.lengthrange);
  GetRow(m.actuator_gear, id, actuator.gear);
  GetUser(m.actuator_user, id, m.nuser_actuator, *actuator.userdata);
}

void CopySensor(const mjModel& m, Sensor& sensor) {
  const int id = sensor.id;
  sensor.cutoff = m.sensor_cutoff[id];
  sensor.noise = m.sensor_noise[id];
  GetUser(m.sensor_user, id, m.nuser_sensor, *sensor.userdata);
}

// ---- keyframes

// Numbers that are those of every fresh state (null: zeros) are as good as not given.
void GetState(const mjtNum* row, const mjtNum* fresh, mjtSize width, std::vector<double>& values) {
  bool is_fresh = true;
  for (mjtSize i = 0; i < width; ++i) is_fresh = is_fresh && row[i] == (fresh ? fresh[i] : 0);
  values.clear();
  if (!is_fresh) values.assign(row, row + width);
}

// Poses of mocap bodies as their bodies have them.
std::vector<mjtNum> MocapRows(const mjModel& m, const mjtNum* body_values, int columns) {
  std::vector<mjtNum> rows(static_cast<size_t>(m.nmocap * columns));
  for (int b = 0; b < m.nbody; ++b) {
    if (m.body_mocapid[b] < 0) continue;
    std::copy_n(body_values + columns * b, columns, rows.begin() + columns * m.body_mocapid[b]);
  }
  return rows;
}

void CopyKey(const mjModel& m, int id, Key& key) {
  key.time = m.key_time[id];
  GetState(m.key_qpos + id * m.nq, m.qpos0, m.nq, *key.qpos);
  GetState(m.key_qvel + id * m.nv, nullptr, m.nv, *key.qvel);
  GetState(m.key_act + id * m.na, nullptr, m.na, *key.act);
  GetState(m.key_ctrl + id * m.nu, nullptr, m.nu, *key.ctrl);
  GetState(m.key_mpos + id * m.nmocap * 3, MocapRows(m, m.body_pos, 3).data(), m.nmocap * 3, *key.mpos);
  GetState(m.key_mquat + id * m.nmocap * 4, MocapRows(m, m.body_quat, 4).data(), m.nmocap * 4, *key.mquat);
}

}  // namespace

void CopyBackRelations(const mjModel& m, Spec& spec) {
  CopyAll(m, spec.List<Material>(), CopyMaterial);
  CopyAll(m, spec.List<HField>(), CopyHField);
  CopyAll(m, spec.List<Pair>(), CopyPair);
  CopyAll(m, spec.List<Equality>(), CopyEquality);
  CopyAll(m, spec.List<Tendon>(), CopyTendon);
  CopyAll(m, spec.List<Actuator>(), CopyActuator);
  CopyAll(m, spec.List<Sensor>(), CopySensor);
}

// Custom data and keyframes stand in the model in the order of the specification.
void CopyBackCustom(const mjModel& m, Spec& spec) {
  int id = 0;
  for (const auto& numeric : spec.List<Numeric>()) {
    const mjtNum* data = m.numeric_data + m.numeric_adr[id];
    CopyFront(data, static_cast<size_t>(m.numeric_size[id++]), *numeric->data);
  }
  id = 0;
  for (const auto& tuple : spec.List<Tuple>()) {
    const mjtNum* prm = m.tuple_objprm + m.tuple_adr[id];
    CopyFront(prm, static_cast<size_t>(m.tuple_size[id++]), *tuple->objprm);
  }
  id = 0;
  for (const auto& key : spec.List<Key>()) CopyKey(m, id++, *key);
}

}  // namespace sinew::inline compile
