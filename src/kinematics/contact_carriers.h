// Contacts whose sides are carried by several bodies: elements of flexes, and vertices that nodes move.
//
// A side moves with the weighted mean of its bodies, each taken as if the contact point p were fixed to it:
//
//   v = sum_i w_i (v_i + omega_i x (p - x_i)),   omega = sum_i w_i omega_i,   sum_i w_i = 1
//
// The vertices of an element weigh by their inverse distance from p; a vertex that is the other side of the contact
// has no weight. Where nodes move the vertices, the same mean of the vertices' coordinates is a point of the flex's
// box, and nodes share as they share that point's motion (kinematics/node_lattice.h), those with negative shares left
// out.
#ifndef SINEW_KINEMATICS_CONTACT_CARRIERS_H_
#define SINEW_KINEMATICS_CONTACT_CARRIERS_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"
#include "math/vec3.h"

namespace sinew::inline kinematics {

// Whether one body carries the side, and which one.
bool IsCarriedByOneBody(const mjModel* m, const mjContact& contact, int side);
int CarrierOf(const mjModel* m, const mjContact& contact, int side);

// The shares of the corners of an element in its side of a contact; returns how many corners there are.
int CornerShares(const mjModel* m, const mjData* d, const mjContact& contact, int side, double (&share)[4]);

struct WeightedBody {
  int body;
  double weight;  // negative on the first side of the contact
};

// The bodies that carry both sides, in scratch memory.
class ContactCarriers {
 public:
  ContactCarriers(const mjModel* m, const mjData* d, const mjContact& contact, StackFrame& frame);

  const WeightedBody* begin() const { return bodies_; }
  const WeightedBody* end() const { return bodies_ + count_; }

  // Estimates of inverse inertia against forces and torques: the weighted sums of the bodies'.
  double LinearWeight(const mjModel* m) const { return Sum(m, 0); }
  double AngularWeight(const mjModel* m) const { return Sum(m, 1); }

  // The dofs that move any of the bodies, ascending; returns their number. `dofs` has room for nv; `marked` are nv
  // zeros, before and after.
  int Dofs(const mjModel* m, int* marked, int* dofs) const;

 private:
  void AddSide(const mjModel* m, const mjData* d, const mjContact& contact, int side);
  void AddNodes(const mjModel* m, int flex, const Vec3<double>& at);
  double Sum(const mjModel* m, int part) const;

  WeightedBody* bodies_;
  int count_ = 0;
};

// Velocity of the second side at the contact point relative to the first, per unit velocity of each of `count` dofs:
// along the axes of the contact's frame, then about them. `dim` rows of `count` numbers. The frame holds scratch.
void FillFrameJacobian(const mjModel* m, const mjData* d, const mjContact& contact, const ContactCarriers& carriers,
                       const int* dofs, int count, StackFrame& frame, double* jacobian);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_CONTACT_CARRIERS_H_
