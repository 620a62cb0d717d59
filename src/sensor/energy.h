// Potential and kinetic energy of a world [J].
//
//   energy[0] = -sum m g.x + springs of joints and tendons,     energy[1] = 1/2 v' M v   (armature included)
#ifndef SINEW_SENSOR_ENERGY_H_
#define SINEW_SENSOR_ENERGY_H_

#include <mujoco/mujoco.h>

namespace sinew::inline sensor {

// Need positions; velocities and the inertia matrix.
void EnergyPos(const mjModel* m, mjData* d);
void EnergyVel(const mjModel* m, mjData* d);

// Called by the forward pass after the sensors of a stage: computes the term if the energy flag is on and no sensor has
// computed it; without the flag clears it, unless a sensor has just computed it.
void ForwardEnergyPos(const mjModel* m, mjData* d);
void ForwardEnergyVel(const mjModel* m, mjData* d);

}  // namespace sinew::inline sensor

#endif  // SINEW_SENSOR_ENERGY_H_
