// Processes that fork. A child has the memory of its parent and one thread alone: what other threads were to do waits
// for ever, unless somebody notices.
#ifndef SINEW_CORE_FORK_H_
#define SINEW_CORE_FORK_H_

namespace sinew::inline core {

// How many forks lie between this process and the one that loaded the library. An owner of threads keeps the number of
// its creation: if the number has changed since, its threads are gone.
int ForksSoFar();

}  // namespace sinew::inline core

#endif  // SINEW_CORE_FORK_H_
