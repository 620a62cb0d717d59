// From the compiled model back to the specification.
#ifndef SINEW_COMPILE_COPY_BACK_COPY_BACK_H_
#define SINEW_COMPILE_COPY_BACK_COPY_BACK_H_

#include <mujoco/mujoco.h>

#include "spec/spec.h"

namespace sinew::inline compile {

// Takes over the real numbers of a model that was compiled from the specification and may have been changed since:
// options, poses, sizes, parameters, keyframes. Names, types, flags and the structure stay. Throws Error when the model
// was not compiled from it.
void CopyBack(const mjModel& m, Spec& spec);

// Elements without an id were fused or discarded, and stay as they are.
template <class T, class Copy>
void CopyAll(const mjModel& m, const ElementList<T>& elements, Copy&& copy) {
  for (const auto& element : elements) {
    if (element->id >= 0) copy(m, *element);
  }
}

// Parts of it (copy_back_relations.cc).
void CopyBackRelations(const mjModel& m, Spec& spec);
void CopyBackCustom(const mjModel& m, Spec& spec);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_COPY_BACK_COPY_BACK_H_
