// How many threads can run at once.
#ifndef SINEW_CORE_PROCESSORS_H_
#define SINEW_CORE_PROCESSORS_H_

#include <string>

namespace sinew::inline core {

// Processors that the process may use: those of its affinity, and no more than the quota of its control group pays for.
// At least 1.
int UsableProcessors();

// Processors that a quota pays for, rounded up, given the contents of `cpu.max` ("200000 100000": quota and period in
// microseconds; "max 100000": no limit); 0 for no limit or a text of another form.
int ProcessorsOfQuota(const std::string& cpu_max);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_PROCESSORS_H_
