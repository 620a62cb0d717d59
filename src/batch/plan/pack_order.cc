#include "batch/plan/pack_order.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sinew::inline batch {
namespace {

constexpr int kBits = 64;

// The bits that divide the worlds, first those that divide them most evenly.
std::vector<int> DividingBits(const std::vector<std::pair<uint64_t, int>>& worlds) {
  std::array<size_t, kBits> ones{};
  for (const auto& [constraints, world] : worlds) {
    for (uint64_t rest = constraints; rest != 0; rest &= rest - 1) ++ones[static_cast<size_t>(std::countr_zero(rest))];
  }
  const auto smaller_part = [&](int bit) {
    const size_t with = ones[static_cast<size_t>(bit)];
    return std::min(with, worlds.size() - with);
  };
  std::vector<int> bits;
  for (int i = 0; i < kBits; ++i) {
    if (smaller_part(i) > 0) bits.push_back(i);
  }
  std::stable_sort(bits.begin(), bits.end(), [&](int a, int b) { return smaller_part(a) > smaller_part(b); });
  return bits;
}

}  // namespace

std::span<const int> PackOrder::Sort(const Selection& worlds) {
  entries_.clear();
  const int count = worlds.CountOf(static_cast<int>(constraints_.size()));
  for (int place = 0; place < count; ++place) {
    const int world = worlds.WorldAt(place);
    entries_.emplace_back(constraints_[static_cast<size_t>(world)], world);
  }
  const std::vector<int> bits = DividingBits(entries_);
  for (auto& [key, world] : entries_) {
    const uint64_t constraints = key;
    key = 0;
    for (const int bit : bits) key = key << 1 | (constraints >> bit & 1);
  }
  std::sort(entries_.begin(), entries_.end());
  sorted_.clear();
  for (const auto& [key, world] : entries_) sorted_.push_back(world);
  return sorted_;
}

}  // namespace sinew::inline batch
