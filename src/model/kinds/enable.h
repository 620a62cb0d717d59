// Bits of opt.enableflags that MuJoCo has since releases later than 3.8.0.
#ifndef SINEW_MODEL_KINDS_ENABLE_H_
#define SINEW_MODEL_KINDS_ENABLE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// The value and name of release 4.0: contacts before impact (docs/how/speculative.md).
inline constexpr int kSpeculative = 1 << 7;

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_ENABLE_H_
