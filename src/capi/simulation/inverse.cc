// Exported functions of inverse dynamics: from positions, velocities and accelerations to the forces that cause them,
// in qfrc_inverse. The stages can be called one by one when only some inputs have changed.
#include "step/inverse.h"

#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"

using sinew::capi::Guard;

void mj_inverse(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_inverse);
  Guard("mj_inverse", [&] { sinew::Inverse(m, d); });
}
void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  SINEW_CHECK(mj_inverseSkip);
  Guard("mj_inverseSkip", [&] { sinew::InverseSkip(m, d, skipstage, skipsensor != 0); });
}
// Writes the norms of the differences to solver_fwdinv; it needs a forward pass before.
void mj_compareFwdInv(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_compareFwdInv);
  Guard("mj_compareFwdInv", [&] { sinew::CompareFwdInv(m, d); });
}
void mj_invPosition(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_invPosition);
  Guard("mj_invPosition", [&] { sinew::InvPosition(m, d); });
}
void mj_invVelocity(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_invVelocity);
  Guard("mj_invVelocity", [&] { sinew::InvVelocity(m, d); });
}
void mj_invConstraint(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_invConstraint);
  Guard("mj_invConstraint", [&] { sinew::InvConstraint(m, d); });
}
