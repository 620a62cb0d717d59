// Rows of actuators on sites and bodies, whose dofs vary with the model's poses.
#ifndef SINEW_DERIVATIVES_TERMS_TRANSMISSION_ROWS_H_
#define SINEW_DERIVATIVES_TERMS_TRANSMISSION_ROWS_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "derivatives/base/scalar_force.h"

namespace sinew::inline derivatives {

// The wrench in a site's frame that its gears are.
OwnRow RowOfSite(const mjModel* m, mjData* d, int actuator);

// The wrench between a site and a reference site, along the axes of the reference; and a slider-crank.
OwnRow RowOfRelativeSite(const mjModel* m, mjData* d, int actuator);
OwnRow RowOfSliderCrank(const mjModel* m, mjData* d, int actuator);

// Adhesion: the mean of the normals of a body's contacts, taken from its force. Throws where a contact vanishes.
OwnRow RowOfAdhesion(const mjModel* m, mjData* d, int actuator);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_TRANSMISSION_ROWS_H_
