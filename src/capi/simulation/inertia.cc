// Exported functions of the inertia matrix M(q) and of recursive Newton-Euler. Vectors have a number for each dof. M is
// sparse: the pattern is the model's, the numbers are in mjData (docs/how/inertia.md).
#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "constraint/body_forces.h"
#include "inertia/inertia.h"
#include "inertia/rne.h"

using sinew::capi::Guard;

extern "C" {

void mj_makeM(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_makeM);
  Guard("mj_makeM", [&] { sinew::MakeM(m, d); });
}

void mj_crb(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_crb);
  Guard("mj_crb", [&] { sinew::CompositeRigidBody(m, d); });
}

void mj_factorM(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_factorM);
  Guard("mj_factorM", [&] { sinew::FactorM(m, d); });
}

// x = M^-1 y for n vectors one after the other; x may be y.
void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  SINEW_CHECK(mj_solveM);
  Guard("mj_solveM", [&] { sinew::SolveM(m, d, x, y, n); });
}

// x = sqrt(D^-1) L^-T y with M = L' D L, so that the squared norm of x is y' M^-1 y.
void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n) {
  SINEW_CHECK(mj_solveM2);
  Guard("mj_solveM2", [&] { sinew::SolveM2(m, d, x, y, sqrtInvD, n); });
}

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  SINEW_CHECK(mj_mulM);
  Guard("mj_mulM", [&] { sinew::MulM(m, d, res, vec); });
}

// res = sqrt(D) L vec, the other half of the factorization.
void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  SINEW_CHECK(mj_mulM2);
  Guard("mj_mulM2", [&] { sinew::MulM2(m, d, res, vec); });
}

// The dense symmetric matrix from one in the legacy layout of qM.
void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M) {
  SINEW_CHECK(mj_fullM);
  Guard("mj_fullM", [&] { sinew::FullM(m, dst, M); });
}

// dst += M; without a pattern (rownnz null) dst is dense and gets the lower triangle only.
void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  SINEW_CHECK(mj_addM);
  Guard("mj_addM", [&] { sinew::AddM(m, d, dst, rownnz, rowadr, colind); });
}

// With flg_acc the result is M qacc + c, else c(q, v) alone: Coriolis, centrifugal and gravity forces.
void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  SINEW_CHECK(mj_rne);
  Guard("mj_rne", [&] { sinew::Rne(m, d, flg_acc != 0, result); });
}

// Accelerations and interaction forces of bodies, about the centre of mass of their tree, with contacts and constraints
// taken in.
void mj_rnePostConstraint(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_rnePostConstraint);
  Guard("mj_rnePostConstraint", [&] { sinew::RnePostConstraint(m, d); });
}

}  // extern "C"
