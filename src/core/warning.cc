// Each warning of a world has a text and a counter.
#include "core/warning.h"

#include <cstdarg>
#include <cstdio>

#include "core/handlers.h"

namespace sinew::inline core {
namespace {

constexpr int kMaxText = 1024;

// "%zu" stands for the info of the warning. Programs compare these texts, so they are part of the interface.
constexpr const char* kFormats[mjNWARNING] = {
    "Inertia matrix is too close to singular at DOF %zu. Check model.",
    "Too many contacts. The arena memory is full, increase arena memory allocation.(ncon = %zu)",
    ("Insufficient arena memory for the number of constraints generated. Increase arena memory allocation above %zu "
     "bytes."),
    "Nan, Inf or huge value in QPOS at DOF %zu. The simulation is unstable.",
    "Nan, Inf or huge value in QVEL at DOF %zu. The simulation is unstable.",
    "Nan, Inf or huge value in QACC at DOF %zu. The simulation is unstable.",
    "Nan, Inf or huge value in CTRL at ACTUATOR %zu. The simulation is unstable.",
};

}  // namespace

const char* WarningText(int kind, size_t info) {
  thread_local char text[kMaxText];
  if (kind < 0 || kind >= mjNWARNING) {
    std::snprintf(text, sizeof(text), "Unknown warning type %d.", kind);
    return text;
  }
  // Formats of the table above, each with one %zu.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(text, sizeof(text), kFormats[kind], info);
#pragma GCC diagnostic pop
  return text;
}

void RaiseWarning(mjData* d, mjtWarning kind, int info, const char* details) {
  mjWarningStat& stat = d->warning[kind];
  stat.lastinfo = info;
  // Counted before it is reported: the handler may leave by longjmp.
  if (stat.number++ == 0) Warn("%s Time = %.4f.%s", WarningText(kind, static_cast<size_t>(info)), d->time, details);
}

void Warn(const char* format, ...) {
  thread_local char text[kMaxText];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  ReportWarning(text);
}

}  // namespace sinew::inline core
