// The armature A of a spatial tendon, whose inertia A J'J turns with positions and brings a bias force A J' (dJ/dt v).
#ifndef SINEW_DERIVATIVES_TERMS_TENDON_ARMATURE_H_
#define SINEW_DERIVATIVES_TERMS_TENDON_ARMATURE_H_

#include <string>
#include <vector>

#include "derivatives/terms/tendon_rows.h"

namespace sinew::inline derivatives {

// Why a tendon's armature has no derivatives here; empty if all have.
std::string ObstacleOfTendonArmature(const mjModel* m);

// Adds the inertia of tendons' armature, and its bias force, to the residual.
void AddArmatureColumns(const mjModel* m, mjData* d, const TendonRows& rows, const ResidualPoint& at,
                        ResidualColumns& out);

// The slopes of its kinetic energy by positions (nv).
std::vector<double> ArmatureEnergySlopes(const mjModel* m, mjData* d, const TendonRows& rows);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_TENDON_ARMATURE_H_
