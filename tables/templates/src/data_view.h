// DataView<S>: fields of mjData by name, as references to Vec3, Quat, Mat3, Spatial and Inertia10. A view is a handle:
// copying it is free, and what it shows is mutable.
#ifndef SINEW_MODEL_VIEW_DATA_VIEW_H_
#define SINEW_MODEL_VIEW_DATA_VIEW_H_

#include <mujoco/mujoco.h>

#include <type_traits>

#include "math/mat3.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "simd/isa.h"

namespace sinew::inline model {
inline namespace SINEW_ISA {

// Storage of a pack of worlds, named like mjData: real fields hold S, one lane a world. Integers are shared by all lanes:
// they follow from the model, or number the slots of the pack's contacts and constraint rows.
template <class S>
struct DataLanes {
@storage
};

template <class S>
class DataView {
 public:
  // One world is mjData itself; a pack of worlds has storage of its own.
  using Store = std::conditional_t<std::is_same_v<S, mjtNum>, mjData, DataLanes<S>>;

  DataView(Store* d) : d_(d) {}  // NOLINT: kernels are called with mjData*
  Store* raw() const { return d_; }

  // Counts, flags, time and energies.
@scalars

  // Real fields: one row, and the address of the first.
@reals

  // Integers and flags: one row, and the address of the first.
@integers

 private:
  template <class T>
  static T& Cast(S* row) {
    static_assert(std::is_standard_layout_v<T> && sizeof(T) % sizeof(S) == 0);
    return *reinterpret_cast<T*>(row);
  }

  Store* d_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_DATA_VIEW_H_
