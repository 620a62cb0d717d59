// Impedance, reference and regularization: the numbers of a row that solref and solimp stand for.
//
// A row wants the reference acceleration  aref = -B v - K d (r - margin)  and gets it as far as its impedance d in (0,
// 1) goes: its force f and acceleration a satisfy  a + R f = aref  with  R = (1 - d)/d A, A = diag(J M^-1 J').
//   d(r)   grows from d0 to dwidth as |r - margin| grows from 0 to width, along two power laws joined at the midpoint
//   K, B   timeconst T, dampratio z:  K = 1 / (dwidth T z)^2,  B = 2 / (dwidth T)
//          direct form (negative):    K = -solref[0] / dwidth^2,  B = -solref[1] / dwidth
// See docs/how/constraint.md.
#ifndef SINEW_CONSTRAINT_IMPEDANCE_H_
#define SINEW_CONSTRAINT_IMPEDANCE_H_

#include <mujoco/mujoco.h>

#include "constraint/impedance_kernel.h"
#include "constraint/row_builder.h"

namespace sinew::inline constraint {

using Impedance = ImpedanceAt<double>;
Impedance EvaluateImpedance(const double solimp[mjNIMP], double pos, double margin);

// Stiffness K and damping B of a solref that is in legal form.
double ReferenceStiffness(const double solref[mjNREF], double dwidth);
double ReferenceDamping(const double solref[mjNREF], double dwidth);

// solref in legal form: a mixture of standard and direct form is replaced, with a warning, and the time constant is
// held above two timesteps unless that is disabled.
void LegalSolref(const mjModel* m, const double solref[mjNREF], const double replacement[mjNREF], double legal[mjNREF]);

// `solreffriction` is null where a row has no tangents of an elliptic contact.
using ReferenceGains = ReferenceGainsOf<double>;
ReferenceGains GainsOf(const mjModel* m, const double* solref, const double* solreffriction, double dwidth);

// B of the row of friction loss of a dof, whether it has one or not.
double DampingOfFriction(const mjModel* m, int dof);

// Consecutive rows of one limit, contact and so on.
struct RowsOfOne {
  int type, id;  // efc_type, efc_id
  int first, count;
};

// Writes efc_R, efc_D, efc_diagApprox of these rows, and the friction coefficient mu of a contact. `weight` as in
// RowParameters.
void WriteRegularization(const mjModel* m, mjData* d, const RowsOfOne& rows, const double* weight, double impedance);

// Writes efc_margin, efc_KBIP, efc_R, efc_D, efc_diagApprox of `nrow` rows, and the friction coefficient mu of a
// contact.
void WriteImpedance(const mjModel* m, mjData* d, const RowParameters& parameters, int first, int nrow);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_IMPEDANCE_H_
