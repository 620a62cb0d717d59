// Collects problems while a reader goes on, and throws them in the order of the document: sections are read in another
// order.
#include "mjcf/xml/problems.h"

#include <algorithm>
#include <utility>

#include "core/warning.h"

namespace sinew::mjcf {
namespace {

// A file with more problems than this has one in common, and hostile ones would take long to list.
constexpr size_t kMaxProblems = 1000;

}  // namespace

void Problems::Add(const XmlNode& node, std::string problem, std::string remedy) {
  found_.push_back({node.order, Error(problem, remedy, node.Location())});
  if (found_.size() >= kMaxProblems) Throw();
}

bool Problems::IgnoresMore() const { return warnings_.size() < kMaxProblems; }

void Problems::Ignore(const XmlNode& node, std::string what, std::string remedy) {
  if (IgnoresMore()) warnings_.emplace_back(Error(what, remedy, node.Location()).what());
}

// Only the first attribute is named; a file with one often has many.
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
  Error::List errors;
  for (const Problem& problem : found_) errors.push_back(problem.error);
  throw Error::Join(std::move(errors));
}

}  // namespace sinew::mjcf
