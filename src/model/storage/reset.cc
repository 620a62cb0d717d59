// Brings a world back to its initial state, or to a keyframe. Members are cleared by the field tables with the
// exceptions named here, so that a new field cannot be forgotten.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/stack.h"
#include "model/state/awake.h"
#include "model/state/history.h"
#include "model/storage/check.h"
#include "model/storage/data.h"
#include "model/view/fields.h"

namespace sinew::inline model {
namespace {

// Which rows of a table have one of these names: found when this file is compiled, since worlds are reset often.
template <class Row, size_t kRows, size_t kNames>
constexpr std::array<bool, kRows> Named(const Row (&rows)[kRows], const std::string_view (&names)[kNames]) {
  std::array<bool, kRows> named{};
  for (size_t i = 0; i < kRows; ++i) {
    for (const std::string_view name : names) named[i] = named[i] || name == rows[i].name;
  }
  return named;
}

// Members that a reset keeps: what describes the memory, and what the user bound.
constexpr std::string_view kKeptNames[] = {"narena", "nbuffer", "nplugin", "threadpool"};
constexpr auto kKept = Named(kDataScalars, kKeptNames);

// Arrays that belong to plugins, and outlive a reset.
constexpr std::string_view kPluginNames[] = {"plugin", "plugin_state", "plugin_data"};
constexpr auto kOfPlugins = Named(kDataFields, kPluginNames);

// State, inputs, and what is read before a step computes it.
constexpr std::string_view kInputNames[] = {"qpos",       "qvel",         "act",          "history",   "qacc_warmstart",
                                            "ctrl",       "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos",
                                            "mocap_quat", "qacc",         "act_dot",      "userdata",  "qM"};
constexpr auto kInput = Named(kDataFields, kInputNames);

// Statistics and timers start anew, as if the world had just been made.
void ClearMembers(mjData* d) {
  for (size_t i = 0; i < std::size(kDataScalars); ++i) {
    if (!kKept[i]) std::memset(kDataScalars[i].In(*d), 0, kDataScalars[i].Bytes());
  }
  for (const StructMember& member : kDataVectors) std::memset(member.In(*d), 0, member.Bytes());
  std::memset(d->solver, 0, sizeof(d->solver));
  std::memset(d->warning, 0, sizeof(d->warning));
  std::memset(d->timer, 0, sizeof(d->timer));
}

// Inputs are zero in any case: what fills the rest for debugging must not act as a force. Addresses, ids and flags are
// zero too, since a single stage follows them. Without plugins, all arrays of the buffer are cleared at once.
void FillArrays(const mjModel& m, mjData* d, unsigned char fill) {
  if (fill == 0 && d->nplugin == 0 && d->nbuffer > 0) {
    std::memset(d->buffer, 0, static_cast<size_t>(d->nbuffer));
    return;
  }
  for (size_t i = 0; i < std::size(kDataFields); ++i) {
    const DataArray& array = kDataFields[i];
    const size_t bytes = array.Bytes(m, *d);
    if (bytes == 0 || kOfPlugins[i]) continue;
    std::memset(array.Pointer(*d), kInput[i] || array.kind != ElementKind::kNum ? 0 : fill, bytes);
  }
}

// Mocap bodies start where the model puts them.
void ResetMocap(const mjModel& m, mjData* d) {
  for (int b = 0; b < m.nbody; ++b) {
    const int i = m.body_mocapid[b];
    if (i < 0) continue;
    std::copy_n(m.body_pos + 3 * b, 3, d->mocap_pos + 3 * i);
    std::copy_n(m.body_quat + 4 * b, 4, d->mocap_quat + 4 * i);
  }
}

// Plugins set their own state, also where it is not zero.
void ResetPlugins(const mjModel& m, mjData* d) {
  for (int i = 0; i < d->nplugin; ++i) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(d->plugin[i]);
    if (!plugin || !plugin->reset) continue;
    void* const handle = reinterpret_cast<void*>(d->plugin_data[i]);
    mjtNum* const state = m.plugin_statenum[i] > 0 ? d->plugin_state + m.plugin_stateadr[i] : nullptr;
    plugin->reset(&m, state, handle, i);
  }
}

// The block of a history buffer (model/state/history.h) lies in mjData.history.
void RequireHistory(const mjModel& m, const char* array, const int* history, const int* address, const int* dims,
                    mjtSize count) {
  for (mjtSize i = 0; i < count; ++i) {
    const mjtSize samples = history[2 * i], dim = dims ? dims[i] : 1;
    if (samples > 0) CheckBlock(array, address, i, dim < 0 ? -1 : 2 + samples * (1 + dim), m.nhistory);
  }
}

// Programs may write to the arrays of the model. What a reset follows of them lies inside of the world's arrays.
void RequireStructure(const mjModel& m) {
  CheckValues("body_mocapid", m.body_mocapid, m.nbody, kNone, m.nmocap);
  CheckValues("body_treeid", m.body_treeid, m.nbody, kNone, m.ntree);
  CheckValues("body_rootid", m.body_rootid, m.nbody, 0, m.nbody);
  CheckValues("body_parentid", m.body_parentid, m.nbody, 0, m.nbody);
  CheckValues("dof_treeid", m.dof_treeid, m.nv, 0, m.ntree);
  RequireHistory(m, "actuator_historyadr", m.actuator_history, m.actuator_historyadr, nullptr, m.nu);
  RequireHistory(m, "sensor_historyadr", m.sensor_history, m.sensor_historyadr, m.sensor_dim, m.nsensor);
  for (mjtSize i = 0; i < m.nplugin; ++i) {
    CheckBlock("plugin_stateadr", m.plugin_stateadr, i, m.plugin_statenum[i], m.npluginstate);
  }
}

// The order matters: sleep flags are derived from cleared arrays, and plugins see a world that is otherwise complete.
void Reset(const mjModel& m, mjData* d, unsigned char fill) {
  ClearMembers(d);
  FillArrays(m, d, fill);
  ClearArena(d);
  ReleaseReserve(d);
  d->signature = m.signature;
  std::copy_n(m.qpos0, m.nq, d->qpos);
  std::copy_n(m.eq_active0, m.neq, d->eq_active);
  ResetMocap(m, d);
  ResetHistory(&m, d);
  WakeAll(m, d);
  ResetPlugins(m, d);
}

// Whether the pointers to the arena's arrays are neighbours in mjData.
constexpr bool AreNeighbours() {
  for (size_t i = 1; i < std::size(kArenaFields); ++i) {
    if (kArenaFields[i].offset != kArenaFields[i - 1].offset + sizeof(void*)) return false;
  }
  return true;
}
static_assert(AreNeighbours());

}  // namespace

void ClearArena(mjData* d) {
  std::memset(reinterpret_cast<char*>(d) + kArenaFields[0].offset, 0, std::size(kArenaFields) * sizeof(void*));
  d->contact = static_cast<mjContact*>(d->arena);
  d->parena = 0;
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
}

void ResetWithinStep(const mjModel& m, mjData* d) { Reset(m, d, 0); }

void ResetData(const mjModel& m, mjData* d) {
  RequireTimestepOfHistory(&m);
  RequireStructure(m);
  Reset(m, d, 0);
}

void ResetDataDebug(const mjModel& m, mjData* d, unsigned char fill) {
  RequireTimestepOfHistory(&m);
  RequireStructure(m);
  Reset(m, d, fill);
}

// Ids that do not exist leave the world as it is, as MuJoCo 3.8.0 does.
void SetToKeyframe(const mjModel& m, mjData* d, int key) {
  if (key < 0 || key >= m.nkey) return;
  d->time = m.key_time[key];
  std::copy_n(m.key_qpos + key * m.nq, m.nq, d->qpos);
  std::copy_n(m.key_qvel + key * m.nv, m.nv, d->qvel);
  std::copy_n(m.key_act + key * m.na, m.na, d->act);
  std::copy_n(m.key_mpos + key * 3 * m.nmocap, 3 * m.nmocap, d->mocap_pos);
  std::copy_n(m.key_mquat + key * 4 * m.nmocap, 4 * m.nmocap, d->mocap_quat);
  std::copy_n(m.key_ctrl + key * m.nu, m.nu, d->ctrl);
}

// Everything that SetToKeyframe reads is written here; velocities of mocap bodies do not exist.
void SetKeyframe(mjModel* m, const mjData& d, int key) {
  if (key >= m->nkey) {
    throw Error("index must be smaller than " + std::to_string(m->nkey) + " (keyframes allocated in model)");
  }
  if (key < 0) throw Error("keyframe index cannot be negative");
  m->key_time[key] = d.time;
  std::copy_n(d.qpos, m->nq, m->key_qpos + key * m->nq);
  std::copy_n(d.qvel, m->nv, m->key_qvel + key * m->nv);
  std::copy_n(d.act, m->na, m->key_act + key * m->na);
  std::copy_n(d.mocap_pos, 3 * m->nmocap, m->key_mpos + key * 3 * m->nmocap);
  std::copy_n(d.mocap_quat, 4 * m->nmocap, m->key_mquat + key * 4 * m->nmocap);
  std::copy_n(d.ctrl, m->nu, m->key_ctrl + key * m->nu);
}

}  // namespace sinew::inline model
