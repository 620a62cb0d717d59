// Texts of errors of whoever reads or compiles a model. Apart from the rest of the boundary, since the page for
// browsers, which has no reader, has a text without entries of the reference (apps/web/error_text.cc).
#include <algorithm>

#include "capi/boundary.h"
#include "mjcf/entry.h"

namespace sinew::capi {

// Programs that read MuJoCo's messages look for "line" with a number in the first line.
std::string TextWithLine(const Error& error) {
  std::string text = mjcf::WithEntries(error).what();
  const SourceLocation& where = error.where();
  if (where.file.empty() || where.line <= 0) return text;
  return text.insert(std::min(text.find('\n'), text.size()), " (line " + std::to_string(where.line) + ")");
}

}  // namespace sinew::capi
