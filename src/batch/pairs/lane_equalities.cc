#include "batch/pairs/lane_equalities.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "constraint/equality_pose.h"
#include "constraint/pair_jacobian.h"
#include "solve/slots.h"

namespace sinew::inline batch {
namespace {

int DirectionsOf(int type) {
  if (type == mjEQ_WELD) return 6;
  return type == mjEQ_CONNECT ? 3 : 1;
}

}  // namespace

EqualityList::EqualityList(const mjModel& m, int width) : are_in_lanes_(m.nv <= kMaxSlotDofs) {
  const auto count = static_cast<size_t>(m.neq);
  table_.resize(count);
  columns_.resize(count);
  size_t numbers = 0;
  for (int id = 0; id < m.neq && are_in_lanes_; ++id) {
    LaneEquality& equality = table_[static_cast<size_t>(id)];
    const size_t first = dofs_.size();
    equality.dim = DirectionsOf(m.eq_type[id]);
    equality.dof.count = FindDofs(m, id);
    for (size_t i = first; i < dofs_.size(); ++i) columns_[static_cast<size_t>(id)] |= uint64_t{1} << dofs_[i];
    numbers += static_cast<size_t>(equality.dim * (equality.dof.count + 2));
  }
  // no more is appended, so that addresses stay
  are_in_lanes_ = are_in_lanes_ && numbers_.Resize(numbers * static_cast<size_t>(width));
  if (!are_in_lanes_) return;
  size_t first = 0;
  double* next = numbers_.get();
  for (LaneEquality& equality : table_) {
    const int columns = equality.dof.count;
    equality.dof.data = dofs_.data() + first;
    equality.side = {sides_.data() + first, columns};
    equality.numbers = {next, equality.dim * (columns + 2) * width};
    first += static_cast<size_t>(columns);
    next = equality.numbers.end();
  }
}

int EqualityList::FindDofs(const mjModel& m, int id) {
  switch (m.eq_type[id]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD: {
      std::vector<int> scratch(2 * static_cast<size_t>(m.nv) + 1);
      const std::array<int, 2> body = EqualityBodies(&m, id);
      const MovingDofs moving =
          DofsOfPair(&m, body[0], body[1], /*keep_common=*/true, scratch.data(), scratch.data() + m.nv);
      dofs_.insert(dofs_.end(), moving.dof, moving.dof + moving.count);
      sides_.insert(sides_.end(), moving.side, moving.side + moving.count);
      return moving.count;
    }
    case mjEQ_JOINT: {
      const int joint1 = m.eq_obj1id[id], joint2 = m.eq_obj2id[id];
      are_in_lanes_ = are_in_lanes_ && joint1 != joint2;
      const int dof1 = m.jnt_dofadr[joint1], dof2 = joint2 < 0 ? dof1 : m.jnt_dofadr[joint2];
      dofs_.push_back(std::min(dof1, dof2));
      if (dof1 != dof2) dofs_.push_back(std::max(dof1, dof2));
      sides_.resize(dofs_.size());
      return dof1 == dof2 ? 1 : 2;
    }
    case mjEQ_TENDON:
      return FindDofsOfTendons(m, id);
    default:
      are_in_lanes_ = false;
      return 0;
  }
}

int EqualityList::FindDofsOfTendons(const mjModel& m, int id) {
  uint64_t columns = 0;
  for (const int tendon : {m.eq_obj1id[id], m.eq_obj2id[id]}) {
    for (int i = 0; tendon >= 0 && i < m.ten_J_rownnz[tendon]; ++i) {
      columns |= uint64_t{1} << m.ten_J_colind[m.ten_J_rowadr[tendon] + i];
    }
  }
  for (uint64_t rest = columns; rest != 0; rest &= rest - 1) dofs_.push_back(std::countr_zero(rest));
  sides_.resize(dofs_.size());
  return std::popcount(columns);
}

}  // namespace sinew::inline batch
