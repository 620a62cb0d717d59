// Keeps the text of the last error of each thread until the C++ objects that made it are gone.
#include "capi/boundary.h"

#include <cstdio>
#include <cstring>

#include "core/handlers.h"

namespace sinew::capi {
namespace {

// Longer texts are cut, as handlers expect.
constexpr size_t kMaxText = 1024;
thread_local char pending[kMaxText];
thread_local size_t pending_prefix = 0;  // length of "function: "

}  // namespace

void KeepError(const char* function, const char* text) {
  std::snprintf(pending, sizeof(pending), "%s: %s", function, text);
  pending_prefix = std::strlen(function) + 2;
}

void RaisePendingError() { ReportError(pending); }

void RaisePendingWarning() { ReportWarning(pending + pending_prefix); }

void CopyPendingError(char* error, int capacity) {
  if (error && capacity > 0) std::snprintf(error, static_cast<size_t>(capacity), "%s", pending + pending_prefix);
}

}  // namespace sinew::capi
