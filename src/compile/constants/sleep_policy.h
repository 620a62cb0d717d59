// Which kinematic trees may fall asleep.
#ifndef SINEW_COMPILE_CONSTANTS_SLEEP_POLICY_H_
#define SINEW_COMPILE_CONSTANTS_SLEEP_POLICY_H_

#include "compile/draft.h"

namespace sinew::inline compile {

// Fills tree_sleep_policy, from the policies of the trees' first bodies and from what acts on the trees. Needs all
// other ids of the model. Throws where a policy stands on another body, or contradicts what a tendon does.
void SetSleepPolicy(const Draft& draft, mjModel* m);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_CONSTANTS_SLEEP_POLICY_H_
