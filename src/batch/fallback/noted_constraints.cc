// Numbers: pairs of geoms by their place in the list of pairs, joint rows and slots of worlds spread over the other
// half of all numbers. Two that share a number count as one.
#include "batch/fallback/noted_constraints.h"

#include <algorithm>
#include <bit>

#include "batch/plan/pack_order.h"

namespace sinew::inline batch {
namespace {

constexpr uint64_t kPairs = PackOrder::kNumbers / 2, kOthers = PackOrder::kNumbers - kPairs;

// Spread evenly (D. Knuth, The Art of Computer Programming, vol. 3, 6.4).
uint64_t NumberOfOther(uint64_t name) { return kPairs + (name * 0x9e3779b97f4a7c15u >> 40) % kOthers; }

// Of the Hessian: each direction adds to half of the products of columns.
int WorkOf(int directions, int columns) { return directions * columns * (columns + 1) / 2; }

using List = std::vector<LaneConstraint>;

void Add(uint64_t number, int directions, int columns, List& list) {
  const auto work = static_cast<unsigned short>(std::min(WorkOf(directions, columns), 65535));
  list.push_back({static_cast<unsigned short>(number), work});
}

// Contacts of a pair come one after the other.
void AddPairs(const LaneContacts& contacts, size_t lane, List& list) {
  const FoundPair* pair = nullptr;
  int directions = 0;
  const auto add = [&] {
    if (directions > 0)
      Add(static_cast<uint64_t>(pair->pair) % kPairs, directions, std::popcount(pair->dofs->columns), list);
    directions = 0;
  };
  for (const FoundContact& contact : contacts.list()) {
    if (contact.of != pair) add();
    pair = contact.of;
    if (contact.with_rows >> lane & 1) directions += pair->parameters.dim;
  }
  add();
}

void AddJointRows(const LaneSet& set, size_t lane, List& list) {
  for (const LaneJointRow& row : set.joint_rows) {
    if (!(row.lanes >> lane & 1)) continue;
    const auto name = static_cast<uint64_t>(2 * row.id + row.side) << 8 | static_cast<uint64_t>(row.type);
    const bool is_equality = row.type == mjCNSTR_EQUALITY;
    Add(NumberOfOther(name), set.DirectionsOf(row), is_equality ? set.equalities.table()[row.id].dof.count : 1, list);
  }
}

// Keeps those of most work.
void Shorten(List& list) {
  if (list.size() <= static_cast<size_t>(kMostNoted)) return;
  const auto is_before = [](const LaneConstraint& a, const LaneConstraint& b) {
    return a.work != b.work ? a.work > b.work : a.number < b.number;
  };
  std::nth_element(list.begin(), list.begin() + kMostNoted, list.end(), is_before);
  list.resize(static_cast<size_t>(kMostNoted));
}

}  // namespace

LaneConstraints NotedConstraints::Note(const LaneSet& set, const LaneContacts& contacts, size_t lane) {
  lists_.resize(set.width());
  List& list = lists_[lane];
  list.clear();
  if (contacts.are_found()) AddPairs(contacts, lane, list);
  if (set.in_lanes) AddJointRows(set, lane, list);
  for (const LaneSlot& slot : set.lanes[lane].slots) {
    Add(NumberOfOther(slot.key.high * 31 + slot.key.low), slot.slot.dim, std::popcount(slot.columns), list);
  }
  Shorten(list);
  return {list.data(), static_cast<int>(list.size())};
}

void NotedConstraints::AddWork(const LaneSlots& slots, int width) {
  for (int s = 0; s < slots.slot.count; ++s) {
    const double work = WorkOf(slots.slot[s].dim, slots.slot[s].ncol);
    work_ += work * std::popcount(slots.lanes[s]);
    work_of_packs_ += work * width;
  }
}

}  // namespace sinew::inline batch
