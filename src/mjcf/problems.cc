#include "mjcf/problems.h"

#include <algorithm>
#include <utility>

#include "core/warning.h"

namespace sinew::mjcf {
namespace {

// Later problems are often echoes of the first ones.
constexpr std::size_t kShown = 20;

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

void Problems::Add(const XmlNode& node, std::string problem, std::string remedy) {
  found_.push_back({node.order, Error(problem, remedy, node.Location())});
}

void Problems::NoteNaN(const XmlNode& node, const std::string& attribute) {
  if (!first_nan_.element.empty()) return;
  first_nan_ = node.Location();
  first_nan_.element += " / attribute '" + attribute + "'";
}

void Problems::WarnOfNaN() const {
  if (first_nan_.element.empty()) return;
  Warn("%s", Error("XML contains a 'NaN'. Please check it carefully.", "", first_nan_).what());
}

void Problems::Throw() {
  if (found_.empty()) return;
  std::stable_sort(found_.begin(), found_.end(), [](const Problem& a, const Problem& b) { return a.order < b.order; });
  const Error& first = found_.front().error;
  std::string rest;
  for (std::size_t i = 1; i < std::min(found_.size(), kShown); ++i) rest += std::string("\n") + found_[i].error.what();
  if (found_.size() > kShown) rest += "\n(" + std::to_string(found_.size() - kShown) + " more problems)";
  // What follows the first problem stands where its text ends.
  if (first.remedy().empty()) throw Error(first.problem() + rest, "", first.where());
  throw Error(first.problem(), first.remedy() + rest, first.where());
}

std::string Suggest(std::string_view word, std::span<const std::string_view> allowed) {
  if (allowed.empty()) return "";
  const auto nearest = std::min_element(allowed.begin(), allowed.end(), [&](std::string_view a, std::string_view b) {
    return Distance(word, a) < Distance(word, b);
  });
  // A third of the letters may differ: more is another word.
  if (3 * Distance(word, *nearest) <= static_cast<int>(std::max(word.size(), nearest->size()))) {
    return "did you mean '" + std::string(*nearest) + "'?";
  }
  std::string all = "allowed: ";
  for (std::size_t i = 0; i < allowed.size(); ++i) all += (i ? ", " : "") + std::string(allowed[i]);
  return all;
}

}  // namespace sinew::mjcf
