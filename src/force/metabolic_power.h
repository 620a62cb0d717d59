// Metabolic power of muscles with tendons: heat of activation, maintenance and shortening, and mechanical work
// (docs/how/metabolics.md).
#ifndef SINEW_FORCE_METABOLIC_POWER_H_
#define SINEW_FORCE_METABOLIC_POWER_H_

#include <mujoco/mujoco.h>

namespace sinew::inline force {

enum class MetabolicLaw { kUmberger, kBhargava };

// Input of the laws.
struct MetabolicState {
  double mass;                         // kg
  double slow_share;                   // of slow twitch fibres
  double largest_velocity;             // l0 / s
  double excitation, activation;       // 0 to 1
  double n, velocity;                  // fibre length in l0; its rate [l0 / s], negative while it shortens
  double optimal_length;               // l0 [m]
  double length_factor;                // fL(n)
  double active_force, passive_force;  // N, along the fibre
};

// Power of one muscle [W], without the basal rate of a body.
double UmbergerPower(const MetabolicState& muscle);
double BhargavaPower(const MetabolicState& muscle);

// Of an actuator, once its forces and rates are known.
double MetabolicPower(const mjModel* m, const mjData* d, int actuator, MetabolicLaw law);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_METABOLIC_POWER_H_
