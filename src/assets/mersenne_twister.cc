// Fills the state of the generator anew, block by block (Nishimura 2000, as cited in the header).
#include "assets/mersenne_twister.h"

#include "simd/isa.h"

namespace sinew::inline assets {
namespace {

constexpr size_t kBlock = MersenneTwister::kBlock, kMiddle = 156;

// The upper 33 bits of a word and the lower 31 of the next one, times the matrix of the twist.
uint64_t Twist(uint64_t word, uint64_t next) {
  constexpr uint64_t kLowerBits = 0x7fffffff, kMatrix = 0xb5026f5aa96619e9;
  const uint64_t mixed = (word & ~kLowerBits) | (next & kLowerBits);
  return (mixed >> 1) ^ (kMatrix & (0 - (mixed & 1)));
}

uint64_t Temper(uint64_t x) {
  x ^= (x >> 29) & 0x5555555555555555;
  x ^= (x << 17) & 0x71d67fffeda60000;
  x ^= (x << 37) & 0xfff7eee000000000;
  return x ^ (x >> 43);
}

// The state follows in place: word i becomes the twist of words i and i + 1, added to word i + 156, modulo 312.
SINEW_DISPATCH void Advance(uint64_t* state, uint64_t* numbers) {
  for (size_t i = 0; i < kMiddle; ++i) state[i] = state[i + kMiddle] ^ Twist(state[i], state[i + 1]);
  for (size_t i = kMiddle; i < kBlock - 1; ++i) state[i] = state[i - kMiddle] ^ Twist(state[i], state[i + 1]);
  state[kBlock - 1] = state[kMiddle - 1] ^ Twist(state[kBlock - 1], state[0]);
  for (size_t i = 0; i < kBlock; ++i) numbers[i] = Temper(state[i]);
}

}  // namespace

MersenneTwister::MersenneTwister(uint64_t seed) {
  constexpr uint64_t kMultiplier = 6364136223846793005;
  state_[0] = seed;
  for (size_t i = 1; i < kBlock; ++i) state_[i] = kMultiplier * (state_[i - 1] ^ (state_[i - 1] >> 62)) + i;
}

const MersenneTwister::Block& MersenneTwister::Next() {
  Advance(state_.data(), numbers_.data());
  return numbers_;
}

}  // namespace sinew::inline assets
