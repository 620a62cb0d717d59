// State vectors: chosen parts of mjData (mjtState), one behind the other in the order of their bits.
#ifndef SINEW_MODEL_STATE_STATE_H_
#define SINEW_MODEL_STATE_STATE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// All throw when a signature has bits that name no part.

// Numbers in a state vector.
int StateSize(const mjModel& m, int signature);

void GetState(const mjModel& m, const mjData& d, mjtNum* state, int signature);

// Results that depend on the state are not recomputed, and quaternions not normalized.
void SetState(const mjModel& m, mjData* d, const mjtNum* state, int signature);

void CopyState(const mjModel& m, const mjData& src, mjData* dest, int signature);

// Copies some parts of a state vector to a smaller one; throws when `src` lacks one of them.
void ExtractState(const mjModel& m, const mjtNum* src, int src_signature, mjtNum* dest, int dest_signature);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STATE_STATE_H_
