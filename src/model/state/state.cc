// State vectors: the chosen parts of mjData, one after the other in one array, to save, restore and copy states. The
// parts and their order are mjtState's, which programs store in files.
#include "model/state/state.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/error.h"

namespace sinew::inline model {
namespace {

// Part i of a state is bit i of a signature. A part without array is handled by name: time is a number of mjData, and
// eq_active an array of bytes.
struct StatePart {
  mjtNum* mjData::*array;
  mjtSize mjModel::*rows;
  int columns;
};

constexpr StatePart kStateParts[] = {
    {nullptr, nullptr, 1},  // time
    {&mjData::qpos, &mjModel::nq, 1},
    {&mjData::qvel, &mjModel::nv, 1},
    {&mjData::act, &mjModel::na, 1},
    {&mjData::history, &mjModel::nhistory, 1},
    {&mjData::qacc_warmstart, &mjModel::nv, 1},
    {&mjData::ctrl, &mjModel::nu, 1},
    {&mjData::qfrc_applied, &mjModel::nv, 1},
    {&mjData::xfrc_applied, &mjModel::nbody, 6},
    {nullptr, &mjModel::neq, 1},  // eq_active
    {&mjData::mocap_pos, &mjModel::nmocap, 3},
    {&mjData::mocap_quat, &mjModel::nmocap, 4},
    {&mjData::userdata, &mjModel::nuserdata, 1},
    {&mjData::plugin_state, &mjModel::npluginstate, 1},
};
static_assert(std::size(kStateParts) == mjNSTATE);

// The length of a part, in numbers.
mjtSize Count(const mjModel& m, int part) {
  const StatePart& p = kStateParts[part];
  return (p.rows ? m.*p.rows : 1) * p.columns;
}

void CheckSignature(int signature) {
  if (signature < 0) throw Error("invalid state signature " + std::to_string(signature) + " < 0");
  if (signature >= 1 << mjNSTATE) {
    throw Error("invalid state signature " + std::to_string(signature) + " >= 2^mjNSTATE");
  }
}

// Visits the parts of a signature: visit(part, count).
template <class Visit>
void ForEachPart(const mjModel& m, int signature, Visit visit) {
  CheckSignature(signature);
  for (int part = 0; part < mjNSTATE; ++part) {
    if (signature & (1 << part)) visit(part, Count(m, part));
  }
}

// Parts of small models are single numbers, for which a call of memmove takes longer than the copy.
inline void CopyNumbers(const mjtNum* from, mjtSize count, mjtNum* to) {
  if (count == 1) {
    *to = *from;
  } else {
    std::copy_n(from, count, to);
  }
}

inline void GetPart(const mjData& d, int part, mjtSize count, mjtNum* numbers) {
  if (1 << part == mjSTATE_TIME) {
    *numbers = d.time;
  } else if (1 << part == mjSTATE_EQ_ACTIVE) {
    std::copy_n(d.eq_active, count, numbers);
  } else {
    CopyNumbers(d.*kStateParts[part].array, count, numbers);
  }
}

// Bytes are restored from the numbers that GetPart made of them.
inline void SetPart(mjData* d, int part, mjtSize count, const mjtNum* numbers) {
  if (1 << part == mjSTATE_TIME) {
    d->time = *numbers;
  } else if (1 << part == mjSTATE_EQ_ACTIVE) {
    std::transform(numbers, numbers + count, d->eq_active, [](mjtNum active) { return static_cast<mjtByte>(active); });
  } else {
    CopyNumbers(numbers, count, d->*kStateParts[part].array);
  }
}

}  // namespace

// A state of an integrator needs fewer parts than one that reproduces a step bit by bit, which takes warm starts along.
int StateSize(const mjModel& m, int signature) {
  mjtSize size = 0;
  ForEachPart(m, signature, [&](int, mjtSize count) { size += count; });
  return static_cast<int>(size);
}

void GetState(const mjModel& m, const mjData& d, mjtNum* state, int signature) {
  ForEachPart(m, signature, [&](int part, mjtSize count) {
    GetPart(d, part, count, state);
    state += count;
  });
}

void SetState(const mjModel& m, mjData* d, const mjtNum* state, int signature) {
  ForEachPart(m, signature, [&](int part, mjtSize count) {
    SetPart(d, part, count, state);
    state += count;
  });
}

void GetStateParts(const mjData& d, std::span<const StateRows> parts, int world) {
  for (const StateRows& rows : parts) GetPart(d, rows.part, rows.size, rows.of(world));
}

void SetStateParts(mjData* d, std::span<const StateRows> parts, int world) {
  for (const StateRows& rows : parts) SetPart(d, rows.part, rows.size, rows.of(world));
}

void CopyState(const mjModel& m, const mjData& src, mjData* dest, int signature) {
  ForEachPart(m, signature, [&](int part, mjtSize count) {
    if (1 << part == mjSTATE_TIME) {
      dest->time = src.time;
    } else if (1 << part == mjSTATE_EQ_ACTIVE) {
      std::copy_n(src.eq_active, count, dest->eq_active);
    } else {
      std::copy_n(src.*kStateParts[part].array, count, dest->*kStateParts[part].array);
    }
  });
}

// The parts of both vectors have the same order, so one pass over the larger one suffices.
void ExtractState(const mjModel& m, const mjtNum* src, int src_signature, mjtNum* dest, int dest_signature) {
  CheckSignature(src_signature);
  CheckSignature(dest_signature);
  if (dest_signature & ~src_signature) throw Error("dstsig is not a subset of srcsig");
  ForEachPart(m, src_signature, [&](int part, mjtSize count) {
    if (dest_signature & (1 << part)) dest = std::copy_n(src, count, dest);
    src += count;
  });
}

}  // namespace sinew::inline model
