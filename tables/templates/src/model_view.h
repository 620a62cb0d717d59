// ModelView<S>: reads mjModel by field name, with rows as Vec3, Quat and Mat3. For packs, a field may have values of its
// own in every world; kernels do not see the difference (model/view/model_source.h).
#ifndef SINEW_MODEL_VIEW_MODEL_VIEW_H_
#define SINEW_MODEL_VIEW_MODEL_VIEW_H_

#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/view/model_source.h"

namespace sinew::inline model {
inline namespace SINEW_ISA {

template <class S>
class ModelView : public ModelSource<S> {
 public:
  using ModelSource<S>::ModelSource;
  using ModelSource<S>::raw;

  // Sizes.
@sizes

  // Integers and flags; a pointer where a row has several.
@integers

  // Real fields.
@reals

  // Options and statistics.
@options
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_MODEL_VIEW_H_
