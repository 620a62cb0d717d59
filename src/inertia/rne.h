// Recursive Newton-Euler inverse dynamics (rne_kernel.h).
#ifndef SINEW_INERTIA_RNE_H_
#define SINEW_INERTIA_RNE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline inertia {

// result (nv): Coriolis, centrifugal and gravitational force; with_acc adds M qacc, but without armature. Needs ComVel.
void Rne(const mjModel* m, mjData* d, bool with_acc, mjtNum* result);

}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_RNE_H_
