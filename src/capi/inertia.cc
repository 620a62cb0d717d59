// Exported functions of the inertia matrix and of inverse dynamics.
#include <mujoco/mujoco.h>

#include "capi/boundary.h"
#include "constraint/body_forces.h"
#include "inertia/inertia.h"
#include "inertia/rne.h"

using sinew::capi::Guard;

extern "C" {

void mj_makeM(const mjModel* m, mjData* d) {
  Guard("mj_makeM", [&] { sinew::MakeM(m, d); });
}

void mj_crb(const mjModel* m, mjData* d) {
  Guard("mj_crb", [&] { sinew::CompositeRigidBody(m, d); });
}

void mj_factorM(const mjModel* m, mjData* d) {
  Guard("mj_factorM", [&] { sinew::FactorM(m, d); });
}

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  Guard("mj_solveM", [&] { sinew::SolveM(m, d, x, y, n); });
}

void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n) {
  Guard("mj_solveM2", [&] { sinew::SolveM2(m, d, x, y, sqrtInvD, n); });
}

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  Guard("mj_mulM", [&] { sinew::MulM(m, d, res, vec); });
}

void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  Guard("mj_mulM2", [&] { sinew::MulM2(m, d, res, vec); });
}

void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M) {
  Guard("mj_fullM", [&] { sinew::FullM(m, dst, M); });
}

void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  Guard("mj_addM", [&] { sinew::AddM(m, d, dst, rownnz, rowadr, colind); });
}

void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result) {
  Guard("mj_rne", [&] { sinew::Rne(m, d, flg_acc != 0, result); });
}

void mj_rnePostConstraint(const mjModel* m, mjData* d) {
  Guard("mj_rnePostConstraint", [&] { sinew::RnePostConstraint(m, d); });
}

}  // extern "C"
