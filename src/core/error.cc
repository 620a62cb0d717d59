#include "core/error.h"

namespace sinew {
namespace {

std::string Compose(const std::string& problem, const std::string& remedy, const SourceLocation& where) {
  std::string text;
  if (!where.file.empty()) text += where.file + ":";
  if (where.line > 0) text += (where.file.empty() ? "line " : "") + std::to_string(where.line) + ":";
  if (!text.empty()) text += " ";
  if (!where.element.empty()) text += where.element + ": ";
  text += problem;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

}  // namespace

Error::Error(const std::string& problem, const std::string& remedy, SourceLocation where)
    : std::runtime_error(Compose(problem, remedy, where)),
      problem_(problem),
      remedy_(remedy),
      where_(std::move(where)) {}

Error Error::At(const SourceLocation& where) const {
  SourceLocation merged = where_;
  if (merged.file.empty()) merged.file = where.file;
  if (merged.line == 0) merged.line = where.line;
  if (merged.element.empty()) merged.element = where.element;
  return Error(problem_, remedy_, merged);
}

}  // namespace sinew
