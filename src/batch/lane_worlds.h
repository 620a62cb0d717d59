// What packs do one world at a time: the worlds of the lanes, and the constraint rows that scalar code finds for them,
// put into the slots that all lanes share.
//
// Files for larger instruction sets see plain structs and functions here (batch/lane_ops.h). Numbers of lanes lie side
// by side, as in a pack: number i of lane l is x[i * width + l]. They are doubles, whatever the precision of the pack
// (lane_numbers_kernel.h).
#ifndef SINEW_BATCH_LANE_WORLDS_H_
#define SINEW_BATCH_LANE_WORLDS_H_

#include <mujoco/mujoco.h>

#include "solve/slots.h"

namespace sinew {

// A contact of the union whose rows are made in lanes (contact_slots_kernel.h).
struct LaneContact {
  // Places in `geometry`; lanes without the contact have zeros.
  static constexpr int kDistance = 0, kPoint = 1, kFrame = 4, kPresent = 13, kNumbers = 14;

  int slot;                     // its place in the union
  const mjContact* parameters;  // a contact of some lane: friction, impedance and margin are the same in all
  int root[2];                  // roots of the trees of both bodies
  const int* is_second;         // of each column: 1 where its dof moves the second body, 0 the first
  double weight;                // of the first row (constraint/contact_rows.h)
  double* geometry;
};

// A limit of a joint in the union whose row is made in lanes (limit_slots_kernel.h).
struct LaneLimit {
  int slot, joint, side;
};

// The union of the lanes' slots, in the order of rows of a world (efc_*): kind, object, pair of geoms, ordinal.
struct LaneSlots {
  int count, directions, weights, cones;
  int of_lanes;  // slots of all lanes together
  const Slot* slot;
  SlotPattern pattern;
  double* const* jacobian;  // of each slot
  double *aref, *D, *scale, *bound;
  bool compressed;  // Jacobians of worlds alone
  int contacts;     // their slots are still zero
  const LaneContact* contact;
  int limits;  // the same
  const LaneLimit* limit;
  double* present;  // of each lane: 1 when its world has rows
  double* scratch;  // room for the numbers of a SlotProblem (TakeSlotMemory)
};

// Numbers of lanes that a pack has computed, in its precision.
struct LaneNumbers {
  const void* data;
  bool is_single;
};

class LaneWorlds;

// Null when memory is short. The worlds are those of the lanes; they have the model's initial state.
LaneWorlds* MakeLaneWorlds(const mjModel& m, int width);
void FreeLaneWorlds(LaneWorlds* worlds);
mjData* WorldOfLane(const LaneWorlds& worlds, int lane);

// All pairs of geoms that may collide, in the order of contacts, and of each lane those that are near.
struct LanePairs {
  int count;
  const int *geom1, *geom2;  // in the order of their types
  const double* reach;       // of their bounding spheres, with the margin
  const bool* is_plane;      // the first one is: the height of the other counts
  int* near;                 // width x count
  int* near_count;           // of each lane
};

// Null where a world looks for pairs by itself: there are explicit pairs, or very many.
const LanePairs* StaticPairs(const LaneWorlds& worlds);

// Hinges and slides with a range, and of each lane the ends that it touches: 2 i + side for the i-th of them.
struct LaneLimits {
  int count;
  const int* joint;
  int* touched;        // width x 2 count
  int* touched_count;  // of each lane
};

// Null where worlds make rows of limits: they have others, beside contacts, that are not made in lanes.
const LaneLimits* LimitsInLanes(const LaneWorlds& worlds);

// Whether rows of contacts are made in lanes.
bool AreContactsInLanes(const LaneWorlds& worlds);

// Whether worlds of the model may have constraint rows.
bool MayHaveRows(const mjModel& m);

// The initial state, as mj_step gives it to a world that has gone bad, and the warning that tells.
void ResetLane(LaneWorlds& worlds, int lane, int warning, int index);

// How the rows of a pack are solved. Each way gives the numbers of a world alone.
enum class LaneSolver : int {
  kSlots,   // Newton's method in lanes, where a world alone takes slots for one problem
  kSweeps,  // projected Gauss-Seidel: sweeps in lanes, one world at a time before and after
  kAlone    // one world at a time
};
LaneSolver SolverOfLanes(const mjModel& m);

// Contacts, of the pairs that are near, rows and their references, from poses and velocities in the lanes' worlds; and,
// unless they are solved in slots, the islands or dual matrix of each world.
void FindRows(LaneWorlds& worlds);

// Their union. Null when memory is short.
const LaneSlots* MergeRows(LaneWorlds& worlds);

// Rows of the lanes, each lane's in its world's order, for projected Gauss-Seidel (solve/pgs_kernel.h).
struct LaneRows {
  int count;  // of the lane that has most
  double *A, *diagonal, *inverse, *low, *high, *force, *residual;
  double* present;  // of each lane: 1 when it has rows to sweep
};

// Solves the rows of each world alone but for the sweeps of those that are returned; null where there are none. Then
// FinishSweeps does the rest with their forces, and each world has its accelerations. `sweeps`: of each lane, how many
// there were.
const LaneRows* SolveUpToSweeps(LaneWorlds& worlds);
void FinishSweeps(LaneWorlds& worlds, const LaneNumbers& force, const LaneNumbers& sweeps);

// Constraint rows of a lane in the last step, wherever they were made.
int RowsOfLane(const LaneWorlds& worlds, int lane);
// A bit for each of its slots, of 64 that slots are spread over.
unsigned long long ConstraintsOfLane(const LaneWorlds& worlds, int lane);

// Into the lanes' worlds: forces and states of rows, from the residuals of the union's directions. Rows of contacts
// that were made in lanes are made there first, from cdof and subtree_com.
void WriteForces(LaneWorlds& worlds, const LaneNumbers& residual);

}  // namespace sinew

#endif  // SINEW_BATCH_LANE_WORLDS_H_
