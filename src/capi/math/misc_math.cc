// Functions of single numbers, random and quasi-random numbers, sorting, text.
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "capi/arguments.h"
#include "math/scalar.h"
#include "math/sort.h"
#include "simd/functions.h"

// ---- single numbers

mjtNum mju_min(mjtNum a, mjtNum b) { return sinew::Min(a, b); }
mjtNum mju_max(mjtNum a, mjtNum b) { return sinew::Max(a, b); }
mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max) { return sinew::Clamp(x, min, max); }
mjtNum mju_sign(mjtNum x) { return sinew::Sign(x); }
int mju_round(mjtNum x) { return sinew::RoundToInt(x); }
// A number is bad when it is not a number or larger than any that a simulation means.
int mju_isBad(mjtNum x) { return std::isnan(x) || std::fabs(x) > mjMAXVAL; }
// The quintic step is 0 below 0, 1 above 1, and smooth in between (docs/how/utilities.md).
mjtNum mju_sigmoid(mjtNum x) { return sinew::SmoothStep(x); }
// The position after dt of a damped spring that pulls to zero, in closed form.
mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt) {
  return sinew::SpringDamper(pos0, vel0, Kp, Kv, dt);
}

// ---- sequences

// The radical inverse of an index in a prime base, in [0, 1): a sequence that fills the interval evenly.
mjtNum mju_Halton(int index, int base) {
  if (base < 2) {
    mju_error("mju_Halton: base is %d, must be a prime number", base);
    return 0;
  }
  return sinew::RadicalInverse(index, base);
}

// Polar form of the Box-Muller transform (Marsaglia and Bray, SIAM Review 6(3), 1964): a point in the unit disc gives
// two independent numbers. Draws from C's rand(), so that srand() repeats a sequence.
mjtNum mju_standardNormal(mjtNum* num2) {
  const auto draw = [] { return 2.0 * std::rand() / RAND_MAX - 1.0; };
  double x, y, s;
  do {
    x = draw();
    y = draw();
    s = x * x + y * y;
  } while (s >= 1 || s <= mjMINVAL);
  const double factor = std::sqrt(-2 * sinew::Log(s) / s);
  if (num2) *num2 = y * factor;
  return x * factor;
}

// Sorting is stable and in place; it is meant for short lists.
void mju_insertionSort(mjtNum* list, int n) {
  SINEW_CHECK(mju_insertionSort);
  sinew::InsertionSort(list, n);
}
void mju_insertionSortInt(int* list, int n) {
  SINEW_CHECK(mju_insertionSortInt);
  sinew::InsertionSort(list, n);
}

// ---- text

// Units are powers of 1024; only whole multiples get one.
const char* mju_writeNumBytes(size_t nbytes) {
  constexpr const char* kUnits[] = {"", "K", "M", "G", "T", "P", "E"};
  constexpr size_t kStep = 1024;
  thread_local char text[32];
  size_t unit = 0;
  for (; nbytes >= kStep && nbytes % kStep == 0 && unit + 1 < std::size(kUnits); ++unit) nbytes /= kStep;
  std::snprintf(text, sizeof(text), "%zu%s", nbytes, kUnits[unit]);
  return text;
}

// Unlike strncpy, the copy always ends with a zero.
char* mju_strncpy(char* dst, const char* src, int n) {
  SINEW_CHECK(mju_strncpy);
  if (n <= 0) return dst;
  const size_t capacity = static_cast<size_t>(n), length = strnlen(src, capacity - 1);
  std::memcpy(dst, src, length);
  std::memset(dst + length, 0, capacity - length);
  return dst;
}
