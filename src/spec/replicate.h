// Replication: what stands in a frame, repeated along a screw.
#ifndef SINEW_SPEC_REPLICATE_H_
#define SINEW_SPEC_REPLICATE_H_

#include <cstddef>
#include <string>

#include "spec/spec.h"

namespace sinew::inline spec {

struct Replication {
  int count = 0;
  double offset[3] = {0, 0, 0};  // from copy to copy, in the frame of the former
  double euler[3] = {0, 0, 0};   // rotation from copy to copy, as the compiler settings understand it
  std::string separator;         // between a name and the number of the copy
};

struct Replicated {
  std::size_t made = 0;    // elements
  bool has_state = false;  // whether they have numbers in keyframes
};

// Replaces a frame by copies. Copy i is rotated by i times the angles and stands at
//     p_0 = 0,  p_{i+1} = p_i + R_i offset
// in the frame around. Elements that refer to something in the frame are copied too. Throws Error, before it makes any
// element, when these would be more than `limit`.
Replicated Replicate(Spec& spec, Frame& prototype, const Replication& replication, std::size_t limit);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_REPLICATE_H_
