// What a pack of worlds can do, as a table of plain functions: one table for each instruction set and width.
//
// Files that are compiled for a larger instruction set must not share inline functions with the rest of the program,
// since the linker would keep one copy of each for all. Such a table is all that they show.
#ifndef SINEW_BATCH_LANE_OPS_H_
#define SINEW_BATCH_LANE_OPS_H_

#include <mujoco/mujoco.h>

#include "simd/dispatch.h"

namespace sinew {

// Storage of a pack; its type depends on the table.
struct LaneStore;

struct LaneOps {
  const char* name;
  InstructionSet isa;
  int width;  // worlds in a pack

  // Null when memory is short. The model must outlive the storage.
  LaneStore* (*make)(const mjModel* m);
  void (*free)(LaneStore* store);

  // Copies a world into a lane, or a lane into a world.
  void (*load)(LaneStore* store, int lane, const mjData* d);
  void (*save)(const LaneStore* store, int lane, mjData* d);

  // Forward dynamics, and Euler's method from there to the end of the time step.
  void (*forward)(LaneStore* store);
  void (*euler)(LaneStore* store);
};

// All tables that this build has; not every machine can run each.
extern const LaneOps kScalarLanes, kBaselineLanes;
#if defined(__x86_64__)
extern const LaneOps kAvx2Lanes, kAvx512Lanes;
#endif

}  // namespace sinew

#endif  // SINEW_BATCH_LANE_OPS_H_
