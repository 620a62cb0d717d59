// Signature of a specification: models, worlds and specifications that belong together have the same.
#ifndef SINEW_COMPILE_COPY_BACK_SIGNATURE_H_
#define SINEW_COMPILE_COPY_BACK_SIGNATURE_H_

#include <cstdint>

#include "spec/spec.h"

namespace sinew::inline compile {

// Hash of the structure: who is whose child, how many elements of each kind, types of joints and sensors. Values and
// names do not enter it.
uint64_t Signature(const Spec& spec);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_COPY_BACK_SIGNATURE_H_
