// Input of the stages of a pack beside model and data: scratch memory, the worlds of its lanes, and the constraints of
// the present step.
#ifndef SINEW_BATCH_PACK_PACK_CONTEXT_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_CONTEXT_KERNEL_H_

#include <mujoco/mujoco.h>

#include "batch/fallback/lane_worlds.h"
#include "batch/plan/lane_ops.h"
#include "integrate/held_rows_kernel.h"
#include "model/kinds/stick.h"
#include "simd/pack.h"
#include "solve/slots.h"
#include "step/runge_kutta_kernel.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// Scratch memory of a pack, for one stage at a time, and behind it what a method of several stages keeps meanwhile.
template <class S>
class PackScratch {
 public:
  static size_t Bytes(const mjModel& m) {
    return BytesBeforeEnd(m) + (StickStates(&m) > 0 ? static_cast<size_t>(6 * m.nbody) * sizeof(S) : 0);
  }
  // Where the scratch begins that anchors have at the end of a step, which integrators reach with theirs in use.
  static size_t BytesBeforeEnd(const mjModel& m) {
    const int lasting = RungeKuttaNumbers(static_cast<int>(m.nq), static_cast<int>(m.nv), static_cast<int>(m.na));
    return StageBytes(m) + static_cast<size_t>(lasting) * sizeof(S);
  }
  // Memory of the largest stage: derivatives of the bias force, with an acceleration and the midpoint rule's numbers;
  // rows that implicit integrators hold; slopes of tendons.
  static size_t StageBytes(const mjModel& m) {
    return static_cast<size_t>(48 * m.nbody + 24 * m.nv + m.ntendon + HeldRowNumbers(&m)) * sizeof(S);
  }

  explicit PackScratch(char* memory) : next_(memory) {}
  template <class T>
  T* Alloc(int count) {
    T* items = reinterpret_cast<T*>(next_);
    next_ += static_cast<size_t>(count) * sizeof(T);
    return items;
  }

 private:
  char* next_;
};

// Constraints of the present step.
template <class S>
struct PackRows {
  const LaneSlots* slots;  // null: no lane has any
  bool contacts_found;     // by lanes, not by their worlds
  bool worlds_are_shown;   // the lanes' worlds have the poses and velocities from which rows are made
  bool geoms_are_shown;    // they have the poses of geoms from which contacts are found
  bool geoms_are_whole;    // also those of geoms that no step reads
  bool keep_forces;        // of constraints, in the lanes' worlds
  SlotProblem<S> problem;
  S iterations;
  PackUse use;
};

// Input of the stages of a pack beside model and data.
template <class S>
struct PackContext {
  char* scratch;
  LaneWorlds* worlds;
  PackRows<S>* rows;
  LaneStatus* status;                   // of each lane, or null
  void (*load)(void* store, int lane);  // a lane from its world
  void* store;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_CONTEXT_KERNEL_H_
