// Copies of the unperturbed world's arrays.
#ifndef SINEW_DERIVATIVES_FINITE_DIFFERENCE_COPIES_H_
#define SINEW_DERIVATIVES_FINITE_DIFFERENCE_COPIES_H_

#include "core/stack.h"
#include "math/dense.h"

namespace sinew::inline derivatives {

// A copy of n numbers that lasts as long as the frame.
inline double* CopyOf(const double* values, mjtSize n, StackFrame& frame) {
  double* copy = frame.Doubles(n);
  Copy(copy, values, static_cast<int>(n));
  return copy;
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_FINITE_DIFFERENCE_COPIES_H_
