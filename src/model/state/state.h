// State vectors: chosen parts of mjData (mjtState), one behind the other in the order of their bits.
#ifndef SINEW_MODEL_STATE_STATE_H_
#define SINEW_MODEL_STATE_STATE_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <span>

namespace sinew::inline model {

// All throw when a signature has bits that name no part.

// Numbers in a state vector.
int StateSize(const mjModel& m, int signature);

void GetState(const mjModel& m, const mjData& d, mjtNum* state, int signature);

// Results that depend on the state are not recomputed, and quaternions not normalized.
void SetState(const mjModel& m, mjData* d, const mjtNum* state, int signature);

// Where a part of the state of many worlds lies (bit `part` of signatures): `size` numbers of each, from world to world
// `stride` numbers apart.
struct StateRows {
  mjtNum* first;
  ptrdiff_t stride;
  int size, part;

  mjtNum* of(int world) const { return first + world * stride; }
};

// These parts of the state of one of many worlds.
void GetStateParts(const mjData& d, std::span<const StateRows> parts, int world);
void SetStateParts(mjData* d, std::span<const StateRows> parts, int world);

void CopyState(const mjModel& m, const mjData& src, mjData* dest, int signature);

// Copies some parts of a state vector to a smaller one; throws when `src` lacks one of them.
void ExtractState(const mjModel& m, const mjtNum* src, int src_signature, mjtNum* dest, int dest_signature);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STATE_STATE_H_
