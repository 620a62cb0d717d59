// Errors that input causes. Programmer errors are assertions; what may happen inside a step is a status of that world
// (core/warning.h). src/capi turns an Error into the documented result of the C function that was called.
#ifndef SINEW_CORE_ERROR_H_
#define SINEW_CORE_ERROR_H_

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sinew::inline core {

// Where in the input something is wrong.
struct SourceLocation {
  std::string file;     // empty: not from a file
  int line = 0;         // 1-based; 0: unknown
  std::string element;  // for example "body 'torso' / geom 'left_foot'"
  // The entry of the reference of MJCF that describes the element, such as "body/geom", in static memory; empty: none.
  const char* entry = "";
};

// The text reads "file:line: element: problem; remedy", leaving out what is unknown. An error may bring others, which
// the same pass over the input found; they follow in the text, a line each. So a buffer of the C interface holds the
// first, and as many of the others as it has room for.
class Error : public std::runtime_error {
 public:
  using List = std::vector<Error>;

  explicit Error(const std::string& problem, const std::string& remedy = "", SourceLocation where = {});

  // A list, which is not empty, as one error.
  static Error Join(List errors);

  const SourceLocation& where() const { return where_; }
  const std::string& problem() const { return problem_; }
  const std::string& remedy() const { return remedy_; }
  const List& others() const;

  // The same error at a place that only a caller further up knows; keeps a place that is already set.
  Error At(const SourceLocation& where) const;

 private:
  Error(const Error& first, const std::string& text, std::shared_ptr<const List> others);

  std::string problem_, remedy_;
  SourceLocation where_;
  std::shared_ptr<const List> others_;  // null: none
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_ERROR_H_
