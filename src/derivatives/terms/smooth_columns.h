// Inertia, bias, springs and dampers of joints, fluids, and applied wrenches: their part of the residual's derivatives.
#ifndef SINEW_DERIVATIVES_TERMS_SMOOTH_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_SMOOTH_COLUMNS_H_

#include "derivatives/base/columns.h"

namespace sinew::inline derivatives {

// Whether xfrc_applied acts: it has no part in inverse dynamics.
enum class Applied { kActs, kLeftOut };

// Adds the derivatives by q and v at a world that has gone through its position and velocity stages.
void AddSmoothColumns(const mjModel* m, mjData* d, const ResidualPoint& at, Applied applied, ResidualColumns& out);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_SMOOTH_COLUMNS_H_
