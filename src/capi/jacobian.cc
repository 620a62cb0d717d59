// Exported functions of Jacobians and of forces on bodies. A Jacobian has three rows, row by row with nv columns each,
// and takes joint velocities to a velocity in the world's frame: jacp of a point, jacr of rotation. Null skips one.
#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"
#include "kinematics/apply.h"
#include "kinematics/jacobian.h"

using sinew::capi::Guard;

namespace {

void RequireBody(const mjModel* m, int body) {
  if (body >= 0 && body < m->nbody) return;
  throw sinew::Error("invalid body id " + std::to_string(body), "ids run from 0 to " + std::to_string(m->nbody - 1));
}

}  // namespace

extern "C" {

void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  SINEW_NOT_NULL(mj_jac, m, d, point);
  SINEW_IN_RANGE(mj_jac, body, m->nbody);
  Guard("mj_jac", [&] { sinew::Jac(m, d, jacp, jacr, point, body); });
}

void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  SINEW_NOT_NULL(mj_jacBody, m, d);
  SINEW_IN_RANGE(mj_jacBody, body, m->nbody);
  Guard("mj_jacBody", [&] { sinew::JacBody(m, d, jacp, jacr, body); });
}

// The point is the centre of mass of the body alone.
void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  SINEW_NOT_NULL(mj_jacBodyCom, m, d);
  SINEW_IN_RANGE(mj_jacBodyCom, body, m->nbody);
  Guard("mj_jacBodyCom", [&] { sinew::JacBodyCom(m, d, jacp, jacr, body); });
}

// The point is the centre of mass of the body with all its descendants.
void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body) {
  SINEW_NOT_NULL(mj_jacSubtreeCom, m, d);
  SINEW_IN_RANGE(mj_jacSubtreeCom, body, m->nbody);
  Guard("mj_jacSubtreeCom", [&] { sinew::JacSubtreeCom(m, d, jacp, body); });
}

void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  SINEW_NOT_NULL(mj_jacGeom, m, d);
  SINEW_IN_RANGE(mj_jacGeom, geom, m->ngeom);
  Guard("mj_jacGeom", [&] { sinew::JacGeom(m, d, jacp, jacr, geom); });
}

void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  SINEW_NOT_NULL(mj_jacSite, m, d);
  SINEW_IN_RANGE(mj_jacSite, site, m->nsite);
  Guard("mj_jacSite", [&] { sinew::JacSite(m, d, jacp, jacr, site); });
}

// How an axis fixed to the body changes is a Jacobian of three rows too.
void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis, const mjtNum point[3],
                     const mjtNum axis[3], int body) {
  SINEW_NOT_NULL(mj_jacPointAxis, m, d, point, axis);
  SINEW_IN_RANGE(mj_jacPointAxis, body, m->nbody);
  Guard("mj_jacPointAxis", [&] { sinew::JacPointAxis(m, d, jacPoint, jacAxis, point, axis, body); });
}

// The derivative by time of the same rows, for velocities that are in mjData.
void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  SINEW_NOT_NULL(mj_jacDot, m, d, point);
  SINEW_IN_RANGE(mj_jacDot, body, m->nbody);
  Guard("mj_jacDot", [&] { sinew::JacDot(m, d, jacp, jacr, point, body); });
}

// The three rows take joint velocities to the angular momentum of a subtree about its centre of mass.
void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body) {
  SINEW_NOT_NULL(mj_angmomMat, m, d);
  SINEW_IN_RANGE(mj_angmomMat, body, m->nbody);
  Guard("mj_angmomMat", [&] { sinew::AngularMomentumMatrix(m, d, mat, body); });
}

// A force (N) and torque (N m) in the world's frame at a point; joint forces are added to qfrc_target.
void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3], const mjtNum point[3],
                int body, mjtNum* qfrc_target) {
  SINEW_NOT_NULL(mj_applyFT, m, d, point);
  SINEW_NOT_NULL_IF(m->nv > 0, mj_applyFT, qfrc_target);
  Guard("mj_applyFT", [&] {
    RequireBody(m, body);
    sinew::ApplyFT(m, d, force, torque, point, body, qfrc_target);
  });
}

}  // extern "C"
