// Muscles with tendons: parameters, curves of their own, and whether their path fits them.
#ifndef SINEW_COMPILE_CONSTANTS_MUSCULOTENDON_H_
#define SINEW_COMPILE_CONSTANTS_MUSCULOTENDON_H_

#include "compile/draft.h"

namespace sinew::inline compile {

// Checks the parameters, and puts curves of its own among the draft's extensions. Returns their index, -1: none.
int DraftMusculotendon(const Actuator& source, Draft& draft);

// Pennation angle in radians.
double PennationOf(const Actuator& source);

// Throws when the path of a musculotendon has no length at the reference configuration; warns when its tendon is slack
// there even if the muscle is fully active, and when the model's integrator cannot step its fibre.
void CheckMusculotendonPath(const Actuator& source, const mjModel* m, int actuator);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_CONSTANTS_MUSCULOTENDON_H_
