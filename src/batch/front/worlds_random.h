// Random numbers of worlds: each a function of where it is used and of nothing else, so that neither the number of
// threads nor the pack of a world, nor the machine that has it, shows in them.
#ifndef SINEW_BATCH_FRONT_WORLDS_RANDOM_H_
#define SINEW_BATCH_FRONT_WORLDS_RANDOM_H_

#include <array>
#include <cstdint>

namespace sinew::inline batch {

// Philox4x32-10: ten rounds of multiplication and exchange over a counter under a key. J. K. Salmon, M. A. Moraes,
// R. O. Dror, D. E. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.
std::array<uint32_t, 4> Philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// Where a random number is used.
struct RandomPlace {
  uint64_t seed;
  uint32_t world, episode;  // of all worlds, and how often this one has been reset
  uint32_t range, element;  // which quantity, and which number of it
};

// Uniform in [0, 1), with 53 bits; and with mean 0 and variance 1 (Box and Muller).
double UniformAt(const RandomPlace& place);
double NormalAt(const RandomPlace& place);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FRONT_WORLDS_RANDOM_H_
