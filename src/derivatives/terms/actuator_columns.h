// Actuators: how their forces and activations change with positions, velocities, activations and controls.
#ifndef SINEW_DERIVATIVES_TERMS_ACTUATOR_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_ACTUATOR_COLUMNS_H_

#include <string>
#include <vector>

#include "derivatives/base/activation_row.h"
#include "derivatives/terms/actuator_law.h"

namespace sinew::inline derivatives {

// Why an actuator of the model has no slopes here; empty if all have.
std::string ObstacleOfActuators(const mjModel* m);

// The meaning of the columns of delayed controls: the present ones, which only the matrix of an implicit integrator
// uses, or those that act now.
enum class ControlColumns { kPresent, kActing };

// Adds the derivatives of actuator forces.
void AddActuatorColumns(const mjModel* m, mjData* d, const TendonRows& tendons, const ResidualPoint& at,
                        ResidualColumns& out, ControlColumns controls = ControlColumns::kPresent);

// A row for each activation (na).
std::vector<ActivationRow> RowsOfActivations(const mjModel* m, mjData* d, const TendonRows& tendons,
                                             const ResidualPoint& at,
                                             ControlColumns controls = ControlColumns::kPresent);

// Rows of the velocities of transmissions at the present state, for motors whose bristles end a step of Runge-Kutta
// with the velocity of its last evaluation; empty for all other actuators (nu).
std::vector<ActivationRow> RowsOfBristles(const mjModel* m, mjData* d);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_ACTUATOR_COLUMNS_H_
