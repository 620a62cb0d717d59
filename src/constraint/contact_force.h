// Forces of contacts, and the pyramid that stands for a friction cone.
#ifndef SINEW_CONSTRAINT_CONTACT_FORCE_H_
#define SINEW_CONSTRAINT_CONTACT_FORCE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// Edge forces of a pyramid, two for each of dim - 1 friction directions (none when dim = 1), from the contact force
// and the friction coefficients. The normal force is shared equally among the directions.
void EncodePyramid(double* pyramid, const double* force, const double* friction, int dim);
void DecodePyramid(double* force, const double* pyramid, const double* friction, int dim);

// Force and torque of a contact in its frame. Zero when there is no such contact or it has no rows.
void ContactForce(const mjModel* m, const mjData* d, int id, double result[6]);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_CONTACT_FORCE_H_
