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
  SINEW_NOT_NULL(mj_makeConstraint, m, d);
  Guard("mj_makeConstraint", [&] { sinew::MakeConstraint(m, d); });
}

void mj_referenceConstraint(const mjModel* m, mjData* d) {
  SINEW_NOT_NULL(mj_referenceConstraint, m, d);
  Guard("mj_referenceConstraint", [&] { sinew::ReferenceConstraint(m, d); });
}

// Computes forces, states and cost from jar = J qacc - aref, a number for each constraint row; cost may be null.
void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1], int flg_coneHessian) {
  SINEW_NOT_NULL(mj_constraintUpdate, m, d);
  SINEW_NOT_NULL_IF(m->nv > 0, mj_constraintUpdate, jar);
  Guard("mj_constraintUpdate", [&] { sinew::ConstraintUpdate(m, d, jar, cost, flg_coneHessian != 0); });
}

void mj_projectConstraint(const mjModel* m, mjData* d) {
  SINEW_NOT_NULL(mj_projectConstraint, m, d);
  Guard("mj_projectConstraint", [&] { sinew::ProjectConstraint(m, d); });
}

void mj_island(const mjModel* m, mjData* d) {
  SINEW_NOT_NULL(mj_island, m, d);
  Guard("mj_island", [&] { sinew::Island(m, d); });
}

// res = J vec: from the nv dofs to the nefc rows.
void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  SINEW_NOT_NULL(mj_mulJacVec, m, d);
  SINEW_NOT_NULL_IF(m->nv > 0, mj_mulJacVec, res, vec);
  Guard("mj_mulJacVec", [&] { sinew::MulJacVec(m, d, res, vec); });
}

// res = J' vec: from the rows to the dofs.
void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  SINEW_NOT_NULL(mj_mulJacTVec, m, d);
  SINEW_NOT_NULL_IF(m->nv > 0, mj_mulJacTVec, res, vec);
  Guard("mj_mulJacTVec", [&] { sinew::MulJacTVec(m, d, res, vec); });
}

// These tell which formulation the options and the size of the model select (docs/how/constraint.md).
int mj_isPyramidal(const mjModel* m) {
  SINEW_NOT_NULL(mj_isPyramidal, m);
  return m->opt.cone == mjCONE_PYRAMIDAL;
}
int mj_isSparse(const mjModel* m) {
  SINEW_NOT_NULL(mj_isSparse, m);
  return sinew::IsSparse(m);
}
int mj_isDual(const mjModel* m) {
  SINEW_NOT_NULL(mj_isDual, m);
  return sinew::IsDual(m);
}

// Normal force, two of friction, torsion and two of rolling, in the frame of the contact, N and N m; zero for a contact
// without constraint.
void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  SINEW_NOT_NULL(mj_contactForce, d, result);
  sinew::ContactForce(m, d, id, result);
}

// Between the forces of a contact in its frame and the 2 (dim - 1) edges of its friction pyramid, which are not
// negative.
void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim) {
  SINEW_NOT_NEGATIVE(mju_encodePyramid, dim);
  SINEW_NOT_NULL_IF(dim > 0, mju_encodePyramid, pyramid, force, mu);
  sinew::EncodePyramid(pyramid, force, mu, dim);
}

void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim) {
  SINEW_NOT_NULL(mju_decodePyramid, force, pyramid);
  SINEW_NOT_NEGATIVE(mju_decodePyramid, dim);
  sinew::DecodePyramid(force, pyramid, mu, dim);
}

}  // extern "C"
