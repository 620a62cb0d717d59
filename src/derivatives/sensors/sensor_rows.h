// Derivatives of sensors with respect to the state and the controls.
#ifndef SINEW_DERIVATIVES_SENSORS_SENSOR_ROWS_H_
#define SINEW_DERIVATIVES_SENSORS_SENSOR_ROWS_H_

#include <string>

#include "derivatives/base/force_changes.h"
#include "derivatives/base/matrices.h"
#include "derivatives/base/residual_derivative.h"

namespace sinew::inline derivatives {

// Why a sensor of the model has no derivatives here; empty if all have.
std::string ObstacleOfSensors(const mjModel* m);

// Writes C and D. The world has gone through the forward dynamics that `residual`, which is solved, belongs to.
void WriteSensorRows(const mjModel* m, mjData* d, const ResidualDerivative& residual, const ForceChanges& changes,
                     const TransitionMatrices& result);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_SENSORS_SENSOR_ROWS_H_
