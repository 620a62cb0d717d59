// Rows of the worlds of a pack for projected Gauss-Seidel, whose sweeps run in lanes (solve/pgs_kernel.h).
#ifndef SINEW_BATCH_PAIRS_LANE_SWEEPS_H_
#define SINEW_BATCH_PAIRS_LANE_SWEEPS_H_

#include <vector>

#include "batch/fallback/lane_worlds.h"
#include "batch/fallback/world_lane.h"
#include "batch/plan/aligned_doubles.h"

namespace sinew::inline batch {

class LaneSweeps {
 public:
  // As the functions of lane_worlds.h.
  const LaneRows* SolveUpToSweeps(std::vector<WorldLane>& lanes);
  void FinishSweeps(std::vector<WorldLane>& lanes, const LaneNumbers& force, const LaneNumbers& sweeps);
  const LaneRows* GatherRows(std::vector<WorldLane>& lanes, bool is_single);
  void PushRows(std::vector<WorldLane>& lanes, const LaneNumbers& force, const LaneNumbers& sweeps);

 private:
  bool TakeMemory(size_t width, size_t nv);
  void Gather(const std::vector<WorldLane>& lanes, size_t l);
  template <class Number>
  void GatherRowsOf(const std::vector<WorldLane>& lanes, size_t l);

  AlignedDoubles numbers_;
  LaneRows rows_{};
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PAIRS_LANE_SWEEPS_H_
