// Jacobians of points that move with bodies: velocity = J qvel, in world axes. Rows x, y, z; dense ones are 3 x nv,
// row-major. The translational or the rotational part may be null.
//
//   column i of a point p on a body that dof i moves:   jacp: cdof_lin + cdof_rot x (p - o),   jacr: cdof_rot
//
// Bodies that are fixed to the world have zero Jacobians.
#ifndef SINEW_KINEMATICS_JACOBIAN_H_
#define SINEW_KINEMATICS_JACOBIAN_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"
#include "model/kinds/chain.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline kinematics {

// ---- which dofs move a body

// Ascending list of the dofs that move the body; returns their number, at most nv.
int BodyChain(const mjModel* m, int body, int* chain);

// Ascending list of the dofs that move either body, or, with `drop_common`, only those that do not move both.
int PairChain(const mjModel* m, int body1, int body2, int* chain, bool drop_common);

// ---- Jacobians

void Jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body);
void JacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);     // of its origin
void JacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);  // of its centre of mass
void JacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom);
void JacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site);

// Centre of mass of a body with all its descendants.
void JacSubtreeCom(const mjModel* m, const mjData* d, mjtNum* jacp, int body);

// A point, and an axis that turns with the body: its rate is jac_axis qvel.
void JacPointAxis(const mjModel* m, const mjData* d, mjtNum* jac_point, mjtNum* jac_axis, const mjtNum point[3],
                  const mjtNum axis[3], int body);

// The columns of an ascending list of n dofs: 3 x n.
void JacSparse(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body, int n,
               const int* chain);

// A compressed row: columns ascend.
struct SparseRow {
  int count;
  const int* columns;
  mjtNum* values;
};

// row += direction' jacp, for a point of the body. The columns hold all dofs that move the body.
void AddPointRow(const mjModel* m, const mjData* d, const Vec3<mjtNum>& direction, const Vec3<mjtNum>& point, int body,
                 const SparseRow& row);

// How fast two points, each of a body, move apart with each dof of an ascending list, which holds all that move them.
struct PointOfBody {
  Vec3<mjtNum> point;
  int body;
};
void JacDifference(const mjModel* m, const mjData* d, const PointOfBody& from, const PointOfBody& to, int n,
                   const int* dofs, Vec3<mjtNum>* columns);

// Rate of change of Jac for a point that moves with the body. Needs ComVel.
void JacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body);

// Rate of change of one column of jacp; the point has this offset from o and this velocity.
Vec3<mjtNum> PointJacobianDot(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, int dof,
                              const Vec3<mjtNum>& offset, const Vec3<mjtNum>& velocity);

// 3 x nv: angular momentum of the body with all its descendants, about their centre of mass, per unit qvel.
void AngularMomentumMatrix(const mjModel* m, const mjData* d, mjtNum* mat, int body);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_JACOBIAN_H_
