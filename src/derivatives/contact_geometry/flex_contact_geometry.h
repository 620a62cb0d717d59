// How the geometry of a contact of a flex changes when the corners of its elements move.
#ifndef SINEW_DERIVATIVES_CONTACT_GEOMETRY_FLEX_CONTACT_GEOMETRY_H_
#define SINEW_DERIVATIVES_CONTACT_GEOMETRY_FLEX_CONTACT_GEOMETRY_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "math/vec3.h"

namespace sinew::inline derivatives {

// A vertex of a flex that decides where a contact is.
struct ContactCorner {
  int side, vertex;  // of the contact; within its flex
};
// Those of both sides: the vertices of an element, or one alone.
std::vector<ContactCorner> CornersOf(const mjModel* m, const mjContact& contact);

// The change of a contact: its distance, its point and its normal.
struct NormalShift {
  double dist;
  Vec3<double> pos, normal;

  NormalShift& operator+=(const NormalShift& b) {
    dist += b.dist;
    pos += b.pos;
    normal += b.normal;
    return *this;
  }
  friend NormalShift operator*(const NormalShift& a, double x) { return {a.dist * x, a.pos * x, a.normal * x}; }
};

// With the three coordinates of each corner. A vertex on a plane has a formula; else by central differences of the
// function that finds the contact, over a millionth of a metre. The geom of a contact moves as all corners do against
// it. Throws, with the reason, where the contact has no derivative.
struct CornerShifts {
  NormalShift by[3];
};
std::vector<CornerShifts> DifferentiateCorners(const mjModel* m, mjData* d, const mjContact& contact,
                                               const std::vector<ContactCorner>& corners);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_CONTACT_GEOMETRY_FLEX_CONTACT_GEOMETRY_H_
