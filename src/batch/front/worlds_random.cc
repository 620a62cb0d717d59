// Random numbers are a function of their place: Philox4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel
// random numbers: as easy as 1, 2, 3, SC 2011). Nothing is kept from draw to draw, so that threads and machines need
// not agree on an order.
#include "batch/front/worlds_random.h"

#include <cmath>
#include <numbers>

#include "simd/functions.h"

namespace sinew::inline batch {
namespace {

// kMultiplier holds constants of the paper: multipliers of the rounds, and steps of the key (golden ratio, sqrt(3) -
// 1).
constexpr uint32_t kMultiplier[2] = {0xD2511F53, 0xCD9E8D57};
constexpr uint32_t kWeyl[2] = {0x9E3779B9, 0xBB67AE85};

// The place is the counter, the seed is the key.
std::array<uint32_t, 4> At(const RandomPlace& p) {
  return Philox({p.world, p.episode, p.range, p.element},
                {static_cast<uint32_t>(p.seed), static_cast<uint32_t>(p.seed >> 32)});
}

// Makes 53 random bits a number in [0, 1), the finest even grid that doubles have there.
double Fraction(uint32_t high, uint32_t low) {
  const uint64_t bits = (static_cast<uint64_t>(high) << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

}  // namespace

std::array<uint32_t, 4> Philox(std::array<uint32_t, 4> c, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = static_cast<uint64_t>(kMultiplier[0]) * c[0];
    const uint64_t second = static_cast<uint64_t>(kMultiplier[1]) * c[2];
    c = {static_cast<uint32_t>(second >> 32) ^ c[1] ^ key[0], static_cast<uint32_t>(second),
         static_cast<uint32_t>(first >> 32) ^ c[3] ^ key[1], static_cast<uint32_t>(first)};
    key[0] += kWeyl[0];
    key[1] += kWeyl[1];
  }
  return c;
}

double UniformAt(const RandomPlace& place) {
  const auto words = At(place);
  return Fraction(words[0], words[1]);
}

// NormalAt is the method of G. Box and M. Muller, A note on the generation of random normal deviates, 1958. Two uniform
// numbers of one place give one normal number; the second is dropped.
double NormalAt(const RandomPlace& place) {
  const auto words = At(place);
  // the logarithm's argument is in (0, 1]
  const double radius = std::sqrt(-2 * Log(1 - Fraction(words[0], words[1])));
  return radius * Cos(2 * std::numbers::pi * Fraction(words[2], words[3]));
}

}  // namespace sinew::inline batch
