// Exported functions of constraint rows: building them, their forces, islands, products with their Jacobian.
#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "constraint/contact_force.h"
#include "constraint/island.h"
#include "constraint/jacobian_product.h"
#include "constraint/make_constraint.h"
#include "constraint/project.h"
#include "constraint/reference.h"
#include "constraint/update.h"

using sinew::capi::Guard;

extern "C" {

void mj_makeConstraint(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_makeConstraint);
  Guard("mj_makeConstraint", [&] { sinew::MakeConstraint(m, d); });
}

void mj_referenceConstraint(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_referenceConstraint);
  Guard("mj_referenceConstraint", [&] { sinew::ReferenceConstraint(m, d); });
}

// Computes forces, states and cost from jar = J qacc - aref, a number for each constraint row; cost may be null.
void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1], int flg_coneHessian) {
  SINEW_CHECK(mj_constraintUpdate);
  Guard("mj_constraintUpdate", [&] { sinew::ConstraintUpdate(m, d, jar, cost, flg_coneHessian != 0); });
}

void mj_projectConstraint(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_projectConstraint);
  Guard("mj_projectConstraint", [&] { sinew::ProjectConstraint(m, d); });
}

void mj_island(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_island);
  Guard("mj_island", [&] { sinew::Island(m, d); });
}

// res = J vec: from the nv dofs to the nefc rows.
void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  SINEW_CHECK(mj_mulJacVec);
  Guard("mj_mulJacVec", [&] { sinew::MulJacVec(m, d, res, vec); });
}

// res = J' vec: from the rows to the dofs.
void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  SINEW_CHECK(mj_mulJacTVec);
  Guard("mj_mulJacTVec", [&] { sinew::MulJacTVec(m, d, res, vec); });
}

// Return which formulation the options and the size of the model select (docs/how/constraint.md).
int mj_isPyramidal(const mjModel* m) {
  SINEW_CHECK(mj_isPyramidal);
  return m->opt.cone == mjCONE_PYRAMIDAL;
}
int mj_isSparse(const mjModel* m) {
  SINEW_CHECK(mj_isSparse);
  return sinew::IsSparse(m);
}
int mj_isDual(const mjModel* m) {
  SINEW_CHECK(mj_isDual);
  return sinew::IsDual(m);
}

// Normal force, two of friction, torsion and two of rolling, in the frame of the contact, N and N m; zero for a contact
// without constraint.
void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  SINEW_CHECK(mj_contactForce);
  sinew::ContactForce(m, d, id, result);
}

// Between the forces of a contact in its frame and the 2 (dim - 1) edges of its friction pyramid, which are not
// negative.
void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim) {
  SINEW_CHECK(mju_encodePyramid);
  sinew::EncodePyramid(pyramid, force, mu, dim);
}

void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim) {
  SINEW_CHECK(mju_decodePyramid);
  sinew::DecodePyramid(force, pyramid, mu, dim);
}

}  // extern "C"
