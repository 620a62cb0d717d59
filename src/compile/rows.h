// Copies between the fixed arrays of elements and the rows of mjModel.
#ifndef SINEW_COMPILE_ROWS_H_
#define SINEW_COMPILE_ROWS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <mujoco/mujoco.h>

#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::inline compile {

// Row `row` of an array with n columns := values.
template <class T, class U, size_t n>
void PutRow(T* array, int row, const U (&values)[n]) {
  std::transform(values, values + n, array + static_cast<size_t>(row) * n,
                 [](U value) { return static_cast<T>(value); });
}
template <class T, class U, size_t n>
void PutRow(T* array, int row, const std::array<U, n>& values) {
  std::transform(values.begin(), values.end(), array + static_cast<size_t>(row) * n,
                 [](U value) { return static_cast<T>(value); });
}
inline void PutRow(mjtNum* array, int row, const Vec3<double>& v) { StoreVec3(v, array + 3 * row); }
inline void PutRow(mjtNum* array, int row, const Quat<double>& q) { StoreQuat(q, array + 4 * row); }

// The first element of `values` goes to the scalar array, the others to a row of the second: stiffness and damping are
// polynomials whose first coefficient has a field of its own.
template <size_t n>
void PutPolynomial(mjtNum* linear, mjtNum* higher, int row, const double (&values)[n]) {
  linear[row] = values[0];
  std::copy(values + 1, values + n, higher + static_cast<size_t>(row) * (n - 1));
}

// The way back: a row of an array to the values of an element.
template <class T, class U, size_t n>
void GetRow(const T* array, int row, U (&values)[n]) {
  std::transform(array + static_cast<size_t>(row) * n, array + static_cast<size_t>(row + 1) * n, values,
                 [](T value) { return static_cast<U>(value); });
}
template <size_t n>
void GetPolynomial(const mjtNum* linear, const mjtNum* higher, int row, double (&values)[n]) {
  values[0] = linear[row];
  std::copy_n(higher + static_cast<size_t>(row) * (n - 1), n - 1, values + 1);
}

// User data, padded with zeros to the number of columns (arrays of a new model are zero).
inline void PutUser(mjtNum* array, int row, mjtSize columns, const std::vector<double>& values) {
  std::copy(values.begin(), values.end(), array + row * columns);
}
// The whole row, for elements that have user data.
inline void GetUser(const mjtNum* array, int row, mjtSize columns, std::vector<double>& values) {
  if (!values.empty()) values.assign(array + row * columns, array + (row + 1) * columns);
}

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_ROWS_H_
