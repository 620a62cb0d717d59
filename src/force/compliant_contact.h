// Compliant contacts of a world: what the law of a contact is, and where its force goes.
#ifndef SINEW_FORCE_COMPLIANT_CONTACT_H_
#define SINEW_FORCE_COMPLIANT_CONTACT_H_

#include <mujoco/mujoco.h>

#include "force/compliant_contact_kernel.h"

namespace sinew::inline force {

// Marks contacts that a compliant law pushes apart in `exclude`, so that they get no constraint rows, and
// their point moves to where the surfaces meet. Follows collision detection.
void MarkCompliantContacts(const mjModel* m, mjData* d);

// The law of a contact; its model is kSolver where constraints push.
CompliantLaw<double> CompliantLawOf(const mjModel* m, const mjContact& contact);

// From the middle of the surfaces to where a law acts, along the normal: towards the stiffer surface. Drake's linear
// law acts in the middle.
double ShiftOfCompliant(const CompliantLaw<double>& law, double dist);

// Whether any contact is marked.
bool HasCompliantContact(const mjData* d);

// Adds the forces of marked contacts to qfrc_passive, of what is awake. Needs the velocities of bodies.
void AddCompliantForces(const mjModel* m, mjData* d);

// Force of a marked contact on its second geom, in its frame.
void CompliantContactForce(const mjModel* m, const mjData* d, const mjContact& contact, double force[3]);

// Energy that all marked contacts store.
double CompliantEnergy(const mjModel* m, const mjData* d);

// Adds the derivative of these forces by velocity to a matrix over dofs on the D pattern.
void AddCompliantDerivative(const mjModel* m, mjData* d, bool symmetric, double* Q);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_COMPLIANT_CONTACT_H_
