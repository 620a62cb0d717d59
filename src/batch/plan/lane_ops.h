// The functions of a pack of worlds, as a table of plain functions: one table for each instruction set and width.
//
// Files that are compiled for a larger instruction set must not share inline functions with the rest of the program,
// since the linker would keep one copy of each for all. Such a table is all that they show.
#ifndef SINEW_BATCH_PLAN_LANE_OPS_H_
#define SINEW_BATCH_PLAN_LANE_OPS_H_

#include <mujoco/mujoco.h>

#include "simd/dispatch.h"

namespace sinew::inline batch {

// Storage of a pack; its type depends on the table.
struct LaneStore;
class LaneWorlds;  // batch/fallback/lane_worlds.h

// The constraints that a lane had in a step, of which worlds that have the same ones share a pack: a number for a joint
// row or for the contacts of a pair of geoms, the same in all packs of a model, and the work that it is: its directions
// times half the square of its columns. The list is valid until the next step.
struct LaneConstraint {
  unsigned short number, work;
};
struct LaneConstraints {
  const LaneConstraint* list;
  int count;
};
inline constexpr int kMostNoted = 40;  // of a lane

// The outcome of a step for one world. A world that goes bad is reset, as mj_step does, unless that is disabled.
struct LaneStatus {
  int warnings;           // bit per mjtWarning
  int index[mjNWARNING];  // of the coordinate or dof that was bad, or what the warning says
  int iterations;         // of the solver
  int contacts, rows;
  LaneConstraints constraints;
  bool is_short_of_room;  // the arena may be too small for a world alone, which would warn of it
};

// Arrays of the main buffer of mjData: bit i % 64 of word i / 64 stands for the one before which kDataFields has i
// arrays of numbers, pointers not counted.
struct ArraySet {
  unsigned long long words[4];
};

// Counts from which the occupancy of packs follows, summed over all solutions of constraints in slots. A pack has the
// union of its lanes' slots, and iterates as long as any lane does.
struct PackUse {
  double slots, slots_of_packs;  // of lanes; of packs, times their lanes
  double work, work_of_packs;    // the same: of the slots in the Hessian, their directions times columns squared
  double iterations, iterations_of_packs;  // the same
};

// Of what packs compute; states and worlds of lanes are double.
enum class Precision : int { kDouble, kSingle };

// The step of a lane's world as a linear map (derivatives/transition.h): matrices that are given, and the acceleration
// that its velocities follow. `unwanted`: room for as many numbers as the larger matrix has.
struct LaneTransition {
  mjtNum *A, *B, *b, *unwanted;
  bool is_done;                 // false: nothing is written, and the world has to be differentiated alone
  LaneConstraints constraints;  // as in LaneStatus
};

struct LaneOps {
  const char* name;
  InstructionSet isa;
  int width;  // worlds in a pack

  // Null when memory is short. The model and the lanes' worlds must outlive the storage.
  LaneStore* (*make)(const mjModel* m, LaneWorlds* worlds);
  void (*free)(LaneStore* store);

  // Copies a world into a lane, or a lane into a world.
  void (*load)(LaneStore* store, int lane, const mjData* d);
  void (*save)(LaneStore* store, int lane, mjData* d);
  // Some arrays alone, and the time.
  void (*save_some)(LaneStore* store, int lane, mjData* d, const ArraySet* arrays);
  // Whether steps leave rows and their forces in the lanes' worlds.
  void (*keep_forces)(LaneStore* store, bool keep);

  // The same for the state alone, in the order of mj_getState: the parts of mjSTATE_INTEGRATION.
  void (*load_state)(LaneStore* store, int lane, const mjtNum* state);
  void (*save_state)(const LaneStore* store, int lane, mjtNum* state);
  // Its first parts alone, up to the warm start: what steps change.
  void (*save_motion)(const LaneStore* store, int lane, mjtNum* state);

  // A lane has these numbers for a field of the model (ModelField) from now on. False when memory is short.
  bool (*load_parameter)(LaneStore* store, int lane, int field, const mjtNum* numbers, size_t count);

  // Forward dynamics, and Euler's method from there to the end of the time step.
  void (*forward)(LaneStore* store);
  void (*euler)(LaneStore* store);

  // A time step: mj_step of each lane. `status`: of each lane, written.
  void (*step)(LaneStore* store, LaneStatus* status);

  // Forward dynamics, and their derivatives up to what CompleteTransition adds. False where memory is short. Null in
  // tables of single precision.
  bool (*linearize)(LaneStore* store, LaneTransition* of_lanes);

  // Since the storage was made.
  void (*use)(const LaneStore* store, PackUse* use);
};

// All tables that this build has; not every machine can run each.
extern const LaneOps kScalarLanes, kBaselineLanes, kBaselineFloatLanes;
#if defined(__x86_64__)
extern const LaneOps kAvx2Lanes, kAvx512Lanes, kAvx2FloatLanes, kAvx512FloatLanes;
#endif

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_LANE_OPS_H_
