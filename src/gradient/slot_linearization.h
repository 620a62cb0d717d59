// The step of a small system as a linear map, by the kernels that run in lanes, too (slot_linearization_kernel.h).
#ifndef SINEW_GRADIENT_SLOT_LINEARIZATION_H_
#define SINEW_GRADIENT_SLOT_LINEARIZATION_H_

#include <mujoco/mujoco.h>

#include "gradient/columns.h"

namespace sinew {

struct TransitionMatrices;

// Whether A and B of the model's steps are computed so: Euler's method, a system that Newton's method solves whole as
// slots, and only parts of the balance whose rows no position changes, beside contacts.
bool AreDerivativesInSlots(const mjModel* m);

// A and B at the world's state. Throws as LinearizeTransition does. False, and nothing is written, where contacts are
// compliant.
bool LinearizeInSlots(const mjModel* m, mjData* d, const TransitionMatrices& result);

// What follows from the rows of velocities, h db, that are in place: the identity in them, rows of activations and of
// positions. The world has the state, and what actuators depend on; `b`: its acceleration.
void CompleteTransition(const mjModel* m, mjData* d, const double* b, const TransitionMatrices& result);

// Refuses changes of the acceleration that are not finite, by the name of their joint.
void RequireRegular(const mjModel* m, const double* change);

}  // namespace sinew

#endif  // SINEW_GRADIENT_SLOT_LINEARIZATION_H_
