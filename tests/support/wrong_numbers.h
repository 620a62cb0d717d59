// Numbers that a program or a damaged file may have in the number arrays of a model.
#ifndef SINEW_TESTS_SUPPORT_WRONG_NUMBERS_H_
#define SINEW_TESTS_SUPPORT_WRONG_NUMBERS_H_

#include <cmath>

#include "tests/testing/model.h"

namespace sinew::testing {

// Computes a forward pass with each number of each array replaced by wrong ones, which are to lead nowhere outside of
// the arrays.
inline void ForwardWithWrongNumbers(const mjModel& m) {
  for (int i = 0; i < m.nnumeric; ++i) {
    for (int k = 0; k < m.numeric_size[i]; ++k) {
      for (const double wrong : {-1.0, 1e300, std::nan(""), 7.5, 1e5}) {
        const ModelPtr copy(mj_copyModel(nullptr, &m));
        copy->numeric_data[m.numeric_adr[i] + k] = wrong;
        const DataPtr d(mj_makeData(copy.get()));
        mj_forward(copy.get(), d.get());
      }
    }
  }
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_WRONG_NUMBERS_H_
