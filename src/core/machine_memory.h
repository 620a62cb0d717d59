// How much memory the machine has, and how much of it is left for this process.
#ifndef SINEW_CORE_MACHINE_MEMORY_H_
#define SINEW_CORE_MACHINE_MEMORY_H_

#include <cstddef>
#include <string>

namespace sinew::inline core {

// Bytes that the machine has and the process may take: its memory, and what RLIMIT_AS, RLIMIT_DATA and the control
// group allow.
double MachineMemory();

// Bytes of these that nobody has taken: memory that the system calls available and its swap space, less where a limit
// of the process or of its control group is nearer.
double FreeMachineMemory();

// Throws Error when `count` things of so many bytes each have no room: "1000 worlds take ..., ask for fewer: 200 fit".
// A system that lends more memory than it has would end the process instead when the memory is written.
void CheckFreeMemory(size_t bytes_of_each, size_t count, const std::string& things);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_MACHINE_MEMORY_H_
