// Finds the nearest of the known words by edit distance, where letters are inserted, deleted, replaced, or exchanged
// with their neighbour.
#include "core/suggest.h"

#include <algorithm>
#include <vector>

namespace sinew::inline core {
namespace {

constexpr size_t kLongest = 200;  // letters of words that are compared

// Edit distance: insertions, deletions, replacements and exchanges of neighbours (optimal string alignment). Case does
// not count.
int Distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(x) == lower(y);
  };
  const std::size_t columns = b.size() + 1;
  std::vector<int> table((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = at(i - 1, j - 1) + !same(a[i - 1], b[j - 1]);
      at(i, j) = std::min({replaced, at(i - 1, j) + 1, at(i, j - 1) + 1});
      const bool exchanged = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (exchanged) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return table.back();
}

}  // namespace

std::string_view Nearest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view nearest;
  int least = static_cast<int>(word.size());
  for (const std::string_view candidate : known) {
    // Comparing takes the product of the lengths: hostile names may be megabytes long.
    if (std::max(word.size(), candidate.size()) > kLongest) continue;
    const int distance = Distance(word, candidate);
    // A third of the letters may differ: more is another word.
    const int longer = static_cast<int>(std::max(word.size(), candidate.size()));
    if (distance >= least || 3 * distance > longer) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string Suggest(std::string_view word, std::span<const std::string_view> allowed) {
  if (allowed.empty()) return "";
  const std::string_view nearest = Nearest(word, allowed);
  if (!nearest.empty()) return "did you mean '" + std::string(nearest) + "'?";
  std::string all = "allowed: ";
  for (size_t i = 0; i < allowed.size(); ++i) all += (i ? ", " : "") + std::string(allowed[i]);
  return all;
}

}  // namespace sinew::inline core
