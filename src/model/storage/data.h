// mjData as an object: allocation, copy, reset, release. docs/how/memory.md draws what lies where.
#ifndef SINEW_MODEL_STORAGE_DATA_H_
#define SINEW_MODEL_STORAGE_DATA_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <memory>

namespace sinew::inline model {

// A world for a model, in its initial state. Throws when memory is short.
mjData* MakeData(const mjModel& m);

// The bytes of a world without what is allocated with it: plugins' memory. Throws when a size of the model makes no
// sense.
size_t DataSize(const mjModel& m);

// Whether a world was made for a model of these sizes: its arrays lie where those of the model's worlds do.
bool HasLayoutOf(const mjModel& m, const mjData& d);

// Copies into `dest`, or into a new world when that is null. Throws when `dest` was made for a model of other sizes, or
// when the stack of `src` is in use.
mjData* CopyData(mjData* dest, const mjModel& m, const mjData& src);

// The same without the arrays that making a scene does not read.
mjData* CopyDataForScene(mjData* dest, const mjModel& m, const mjData& src);

// Frees a world; nullptr is allowed.
void DeleteData(mjData* d);

struct DataDeleter {
  void operator()(mjData* d) const { DeleteData(d); }
};
using DataPtr = std::unique_ptr<mjData, DataDeleter>;

// How many bodies a world has, for functions that get no model.
int BodyCount(const mjData& d);

// Sets the initial state: configuration qpos0, all else at rest. Clears results, statistics and the arena; keeps the
// state of plugins and the thread pool. Throws when there are history buffers but no positive time step.
void ResetData(const mjModel& m, mjData* d);

// The same for a step, which throws nothing whatever the time step has become.
void ResetWithinStep(const mjModel& m, mjData* d);

// The same, but fills results with a byte instead of zeros, which shows up where they are read before they are
// computed.
void ResetDataDebug(const mjModel& m, mjData* d, unsigned char fill);

// After a reset: takes the state of a keyframe if there is one of this number.
void SetToKeyframe(const mjModel& m, mjData* d, int key);

// Copies the state of a world to a keyframe; throws when there is none of this number.
void SetKeyframe(mjModel* m, const mjData& d, int key);

// Removes contacts, constraint rows and islands.
void ClearArena(mjData* d);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STORAGE_DATA_H_
