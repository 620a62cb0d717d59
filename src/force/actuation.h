// Actuation (actuation_kernel.h, activation_kernel.h).
#ifndef SINEW_FORCE_ACTUATION_H_
#define SINEW_FORCE_ACTUATION_H_

#include <mujoco/mujoco.h>

#include "force/fiber_reading_kernel.h"

namespace sinew::inline force {

// act_dot, actuator_force, qfrc_actuator from controls and activations.
void Actuation(const mjModel* m, mjData* d);

// Activation act_adr of an actuator after a step at rate act_dot, within its range.
double NextActivation(const mjModel* m, const mjData* d, int actuator, int act_adr, double act_dot);

// A musculotendon as its sensors show it, after act_dot is known.
using FiberReading = FiberReadingOf<double>;
FiberReading ReadFiber(const mjModel* m, const mjData* d, int actuator);

// The elastic energy of a musculotendon [J]: of its tendon from the slack length on, and of the passive fibre from its
// optimal length on. None while actuation, or its group, is disabled. Needs the length of its path.
struct ElasticEnergy {
  double tendon, fiber;
};
ElasticEnergy MuscleEnergy(const mjModel* m, const mjData* d, int actuator);

// Force of the tendon of a resting musculotendon at a path length [N].
double RestingTendonForce(const mjModel* m, int actuator, double act, double length);

// Stiffness of its tendon beyond the toe [N/m].
double TendonStiffness(const mjModel* m, int actuator);

// The largest step of the classic Runge-Kutta method for the fibre of a musculotendon, at its least activation [s].
double LargestFiberStep(const mjModel* m, int actuator);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_ACTUATION_H_
