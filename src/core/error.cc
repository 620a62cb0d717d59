// Joins place, problem and remedy of an error into the text that users see. Names come from files, so that characters
// which steer a terminal are escaped.
#include "core/error.h"

#include <algorithm>
#include <cassert>

#include <sinew/text.h>

namespace sinew::inline core {
namespace {

// Others that the text shows: later problems are often echoes of the first ones.
constexpr size_t kMost = 19;

std::string Compose(const std::string& problem, const std::string& remedy, const SourceLocation& where) {
  std::string text;
  if (!where.file.empty()) text += Printable(where.file, Lines::kEscaped) + ":";
  if (where.line > 0) text += (where.file.empty() ? "line " : "") + std::to_string(where.line) + ":";
  if (!text.empty()) text += " ";
  if (!where.element.empty()) text += Printable(where.element, Lines::kEscaped) + ": ";
  text += Printable(problem, Lines::kEscaped);
  if (!remedy.empty()) text += "; " + Printable(remedy, Lines::kEscaped);
  return text;
}

std::string ComposeAll(const std::string& first, const Error::List& others) {
  std::string text = first;
  for (size_t i = 0; i < std::min(others.size(), kMost); ++i) text += std::string("\n") + others[i].what();
  if (others.size() > kMost) text += "\n(" + std::to_string(others.size() - kMost) + " more problems)";
  return text;
}

}  // namespace

Error::Error(const std::string& problem, const std::string& remedy, SourceLocation where)
    : std::runtime_error(Compose(problem, remedy, where)),
      problem_(problem),
      remedy_(remedy),
      where_(std::move(where)) {}

Error::Error(const Error& first, const std::string& text, std::shared_ptr<const List> others)
    : std::runtime_error(text),
      problem_(first.problem_),
      remedy_(first.remedy_),
      where_(first.where_),
      others_(std::move(others)) {}

Error Error::Join(List errors) {
  assert(!errors.empty() && "there is nothing to report");
  // Errors that an error already holds are placed next to it.
  List others;
  for (size_t i = 0; i < errors.size(); ++i) {
    if (i > 0) others.emplace_back(errors[i].problem_, errors[i].remedy_, errors[i].where_);
    others.insert(others.end(), errors[i].others().begin(), errors[i].others().end());
  }
  const Error first(errors[0].problem_, errors[0].remedy_, errors[0].where_);
  if (others.empty()) return first;
  const std::string text = ComposeAll(first.what(), others);
  return Error(first, text, std::make_shared<const List>(std::move(others)));
}

const Error::List& Error::others() const {
  static const List kNone;
  return others_ ? *others_ : kNone;
}

Error Error::At(const SourceLocation& where) const {
  SourceLocation merged = where_;
  if (merged.file.empty()) merged.file = where.file;
  if (merged.line == 0) merged.line = where.line;
  if (merged.element.empty()) {
    merged.element = where.element;
    merged.entry = where.entry;
  }
  const Error placed(problem_, remedy_, merged);
  return others_ ? Error(placed, ComposeAll(placed.what(), *others_), others_) : placed;
}

}  // namespace sinew::inline core
