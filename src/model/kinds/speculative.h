// Speculative contacts (docs/how/speculative.md): their flag, and which contacts land.
#ifndef SINEW_MODEL_KINDS_SPECULATIVE_H_
#define SINEW_MODEL_KINDS_SPECULATIVE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// A bit of opt.enableflags, with the value and name that MuJoCo has since release 4.0.
inline constexpr int kSpeculative = 1 << 7;

// Whether a contact of a model with that flag has the law of those that let surfaces land at the end of the step.
inline bool IsLanding(const mjContact& contact) { return contact.solref[0] < 0 && contact.solimp[0] == mjMAXIMP; }

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_SPECULATIVE_H_
