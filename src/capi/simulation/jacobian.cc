// Exported functions of Jacobians and of forces on bodies. A Jacobian has three rows, row by row with nv columns each,
// and takes joint velocities to a velocity in the world's frame: jacp of a point, jacr of rotation. Null skips one.
#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "kinematics/apply.h"
#include "kinematics/jacobian.h"

using sinew::capi::Guard;

extern "C" {

void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  SINEW_CHECK(mj_jac);
  Guard("mj_jac", [&] { sinew::Jac(m, d, jacp, jacr, point, body); });
}

void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  SINEW_CHECK(mj_jacBody);
  Guard("mj_jacBody", [&] { sinew::JacBody(m, d, jacp, jacr, body); });
}

// The point is the centre of mass of the body alone.
void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  SINEW_CHECK(mj_jacBodyCom);
  Guard("mj_jacBodyCom", [&] { sinew::JacBodyCom(m, d, jacp, jacr, body); });
}

// The point is the centre of mass of the body with all its descendants.
void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body) {
  SINEW_CHECK(mj_jacSubtreeCom);
  Guard("mj_jacSubtreeCom", [&] { sinew::JacSubtreeCom(m, d, jacp, body); });
}

void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  SINEW_CHECK(mj_jacGeom);
  Guard("mj_jacGeom", [&] { sinew::JacGeom(m, d, jacp, jacr, geom); });
}

void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  SINEW_CHECK(mj_jacSite);
  Guard("mj_jacSite", [&] { sinew::JacSite(m, d, jacp, jacr, site); });
}

// How an axis fixed to the body changes is a Jacobian of three rows too.
void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis, const mjtNum point[3],
                     const mjtNum axis[3], int body) {
  SINEW_CHECK(mj_jacPointAxis);
  Guard("mj_jacPointAxis", [&] { sinew::JacPointAxis(m, d, jacPoint, jacAxis, point, axis, body); });
}

// The derivative by time of the same rows, for velocities that are in mjData.
void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  SINEW_CHECK(mj_jacDot);
  Guard("mj_jacDot", [&] { sinew::JacDot(m, d, jacp, jacr, point, body); });
}

// The three rows take joint velocities to the angular momentum of a subtree about its centre of mass.
void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body) {
  SINEW_CHECK(mj_angmomMat);
  Guard("mj_angmomMat", [&] { sinew::AngularMomentumMatrix(m, d, mat, body); });
}

// A force (N) and torque (N m) in the world's frame at a point; joint forces are added to qfrc_target.
void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3], const mjtNum point[3],
                int body, mjtNum* qfrc_target) {
  SINEW_CHECK(mj_applyFT);
  Guard("mj_applyFT", [&] { sinew::ApplyFT(m, d, force, torque, point, body, qfrc_target); });
}

}  // extern "C"
