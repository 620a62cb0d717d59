// Keyframes: vectors of state that the model carries, one row each. Values that a key does not give are those of the
// reference configuration.
#include <algorithm>
#include <cmath>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/rows.h"

namespace sinew::inline compile {
namespace {

// NaN stands for the reference value: keyframes that were arranged anew have it where only the compiler knows the
// value.
void FillUnknown(const mjtNum* reference, mjtSize width, mjtNum* row) {
  for (mjtSize i = 0; i < width; ++i) {
    if (std::isnan(row[i])) row[i] = reference ? reference[i] : 0;
  }
}

// A row of `width` numbers from the values that a key gives: zeros behind a short list, `reference` (null: zeros) for
// an empty one.
void PutState(const std::vector<double>& given, const mjtNum* reference, mjtSize width, const char* what, mjtNum* row) {
  if (given.size() > static_cast<size_t>(width)) {
    throw Error(
        std::string(what) + " has " + std::to_string(given.size()) + " numbers, the model has " + std::to_string(width),
        "remove the surplus");
  }
  if (given.empty() && reference) {
    std::copy_n(reference, width, row);
  } else {
    std::copy(given.begin(), given.end(), row);
    FillUnknown(reference, width, row);
  }
}

// Poses of mocap bodies that are not given are those of the bodies.
void PutMocap(const std::vector<double>& given, const mjModel& m, const mjtNum* body_values, int columns,
              const char* what, mjtNum* row) {
  if (given.size() > static_cast<size_t>(m.nmocap * columns) || given.size() % static_cast<size_t>(columns) != 0) {
    throw Error(
        std::string(what) + " has " + std::to_string(given.size()) + " numbers",
        "give " + std::to_string(columns) + " for each mocap body, of which there are " + std::to_string(m.nmocap));
  }
  std::copy(given.begin(), given.end(), row);
  for (int b = 0; b < m.nbody; ++b) {
    const int first = columns * m.body_mocapid[b];
    if (first < 0) continue;
    if (static_cast<size_t>(first) < given.size()) {
      FillUnknown(body_values + columns * b, columns, row + first);
    } else {
      std::copy_n(body_values + columns * b, columns, row + first);
    }
  }
}

// Numbers that only the compiler knew are known now: edits and the writer take them from the specification.
void KeepResolved(const mjtNum* row, std::vector<double>* given) {
  for (size_t i = 0; i < given->size(); ++i) {
    if (std::isnan((*given)[i])) (*given)[i] = row[i];
  }
}

void NormalizeQuat(mjtNum* quat) {
  Quat<double> q = LoadQuat(quat);
  Normalize(q);
  StoreQuat(q, quat);
}

// Quaternions are normalized, zero ones to the identity: a state must be valid to start from.
void WriteKey(const Key& key, int id, mjModel* m) {
  m->key_time[id] = key.time;
  mjtNum* qpos = m->key_qpos + id * m->nq;
  mjtNum* mpos = m->key_mpos + id * m->nmocap * 3;
  mjtNum* mquat = m->key_mquat + id * m->nmocap * 4;
  PutState(*key.qpos, m->qpos0, m->nq, "qpos", qpos);
  PutState(*key.qvel, nullptr, m->nv, "qvel", m->key_qvel + id * m->nv);
  PutState(*key.act, nullptr, m->na, "act", m->key_act + id * m->na);
  PutState(*key.ctrl, nullptr, m->nu, "ctrl", m->key_ctrl + id * m->nu);
  PutMocap(*key.mpos, *m, m->body_pos, 3, "mpos", mpos);
  PutMocap(*key.mquat, *m, m->body_quat, 4, "mquat", mquat);
  for (int j = 0; j < m->njnt; ++j) {
    if (m->jnt_type[j] == mjJNT_FREE) NormalizeQuat(qpos + m->jnt_qposadr[j] + 3);
    if (m->jnt_type[j] == mjJNT_BALL) NormalizeQuat(qpos + m->jnt_qposadr[j]);
  }
  for (int i = 0; i < m->nmocap; ++i) NormalizeQuat(mquat + 4 * i);
  KeepResolved(qpos, key.qpos);
  KeepResolved(mpos, key.mpos);
  KeepResolved(mquat, key.mquat);
}

}  // namespace

// More keyframes may be asked for than there are, so that programs can fill them.
int KeyCount(const Spec& spec) {
  constexpr int kMaxFillers = 1 << 20;
  if (spec.nkey > kMaxFillers)
    throw Error("nkey is " + std::to_string(spec.nkey), "a model has a million keys at most", spec.size_where);
  return std::max(static_cast<int>(spec.List<Key>().size()), spec.nkey);
}

void WriteKeys(const Draft& draft, mjModel* m) {
  const auto& keys = draft.spec.List<Key>();
  const Key filler;
  ErrorList errors;
  for (int i = 0; i < m->nkey; ++i) {
    const bool given = static_cast<size_t>(i) < keys.size();
    const Key& key = given ? *keys[static_cast<size_t>(i)] : filler;
    errors.At(key, [&] { WriteKey(key, i, m); });
  }
  errors.Throw();
}

}  // namespace sinew::inline compile
