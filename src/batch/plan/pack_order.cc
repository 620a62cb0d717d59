#include "batch/plan/pack_order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sinew::inline batch {
namespace {

// An entry has the bits of the key, and below them those that count the worlds.
int BitsOfPlaces(int count) { return std::bit_width(static_cast<unsigned>(count)); }

}  // namespace

void PackOrder::Note(int world, const LaneConstraints& constraints) {
  Noted& noted = noted_[static_cast<size_t>(world)];
  noted.count = std::min(constraints.count, kMostNoted);
  std::copy_n(constraints.list, noted.count, noted.constraint);
}

// How many worlds have each constraint, and the work of all together.
void PackOrder::Count(const Selection& worlds, int count) {
  tally_.resize(kNumbers);
  for (const uint16_t number : met_) tally_[number] = {};
  met_.clear();
  for (int place = 0; place < count; ++place) {
    const Noted& noted = noted_[static_cast<size_t>(worlds.WorldAt(place))];
    for (int i = 0; i < noted.count; ++i) {
      const LaneConstraint& constraint = noted.constraint[i];
      Tally& tally = tally_[constraint.number];
      tally.work += constraint.work;
      if (std::exchange(tally.last, place) == place) continue;
      if (tally.worlds++ == 0) met_.push_back(constraint.number);
    }
  }
}

// The highest bits belong to the constraints of the largest value.
void PackOrder::ChooseBits(int count) {
  std::vector<std::pair<double, uint16_t>> values;
  for (const uint16_t number : met_) {
    const Tally& tally = tally_[number];
    const double with = tally.worlds, smaller_part = std::min(with, count - with);
    if (smaller_part > 0) values.emplace_back(tally.work / with * smaller_part, number);
  }
  divides_ = !values.empty();
  const auto is_before = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  const auto bits = std::min<ptrdiff_t>(64 - BitsOfPlaces(count), static_cast<ptrdiff_t>(values.size()));
  std::partial_sort(values.begin(), values.begin() + bits, values.end(), is_before);
  for (ptrdiff_t i = 0; i < bits; ++i) {
    tally_[values[static_cast<size_t>(i)].second].bit = 63 - static_cast<int>(i);
  }
}

uint64_t PackOrder::KeyOf(const Noted& noted) const {
  uint64_t key = 0;
  for (int i = 0; i < noted.count; ++i) {
    const int bit = tally_[noted.constraint[i].number].bit;
    if (bit >= 0) key |= uint64_t{1} << bit;
  }
  return key;
}

std::span<const int> PackOrder::Sort(const Selection& worlds) {
  const int count = worlds.CountOf(static_cast<int>(noted_.size()));
  Count(worlds, count);
  ChooseBits(count);
  entries_.clear();
  for (int place = 0; place < count; ++place) {
    const uint64_t key = KeyOf(noted_[static_cast<size_t>(worlds.WorldAt(place))]);
    entries_.push_back(key | static_cast<uint64_t>(place));
  }
  std::sort(entries_.begin(), entries_.end());
  const uint64_t places = (uint64_t{1} << BitsOfPlaces(count)) - 1;
  sorted_.clear();
  for (const uint64_t entry : entries_) sorted_.push_back(worlds.WorldAt(static_cast<int>(entry & places)));
  return sorted_;
}

}  // namespace sinew::inline batch
