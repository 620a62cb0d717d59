// Warnings: a failure inside a step is a status of that world, a counter in mjData, and a text for the handler on the
// first occurrence. Nothing here ends the process.
#ifndef SINEW_CORE_WARNING_H_
#define SINEW_CORE_WARNING_H_

#include <mujoco/mujoco.h>

namespace sinew::inline core {

// Counts a warning of this kind in d->warning; the first one is also reported through mju_warning, followed by
// `details`.
void RaiseWarning(mjData* d, mjtWarning kind, int info, const char* details = "");

// The sentence for a kind of warning, in thread-local memory until the next call.
const char* WarningText(int kind, size_t info);

// A process-wide warning without a world: calls the installed handler, or prints and logs.
void Warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace sinew::inline core

#endif  // SINEW_CORE_WARNING_H_
