// Equalities whose rows lanes make: which dofs move them, and room for their numbers.
#ifndef SINEW_BATCH_PAIRS_LANE_EQUALITIES_H_
#define SINEW_BATCH_PAIRS_LANE_EQUALITIES_H_

#include <mujoco/mujoco.h>

#include <cstdint>
#include <vector>

#include "batch/fallback/lane_worlds.h"
#include "batch/plan/aligned_doubles.h"

namespace sinew::inline batch {

class EqualityList {
 public:
  EqualityList(const mjModel& m, int width);

  // False where worlds have to make them: of flexes, and where a joint is tied to itself; or memory is short.
  bool are_in_lanes() const { return are_in_lanes_; }
  LaneSpan<const LaneEquality> table() const { return SpanOf(table_); }
  uint64_t columns(int id) const { return columns_[static_cast<size_t>(id)]; }

 private:
  // The dofs of one, whose memory is appended to dofs_ and sides_.
  int FindDofs(const mjModel& m, int id);
  int FindDofsOfTendons(const mjModel& m, int id);

  bool are_in_lanes_ = true;
  std::vector<LaneEquality> table_;
  std::vector<uint64_t> columns_;
  std::vector<int> dofs_, sides_;
  AlignedDoubles numbers_;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PAIRS_LANE_EQUALITIES_H_
