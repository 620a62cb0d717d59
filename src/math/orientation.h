// Quaternions of orientations that are given in other ways.
#ifndef SINEW_MATH_ORIENTATION_H_
#define SINEW_MATH_ORIENTATION_H_

#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::inline math {

// Scales v to unit length, by a division of each component where Normalize multiplies by an inverse. Directions of
// models compiled by MuJoCo 3.8.0 are rounded so. Returns the former length.
double DivideByNorm(Vec3<double>& v);

// The rotation whose matrix is R; w may be negative. Its norm is that of R's columns, to rounding.
Quat<double> FromRotation(const Mat3<double>& R);
// The same of unit norm. Other matrices give some rotation, never NaN.
Quat<double> FromMatrix(const Mat3<double>& R);

// The rotation by the smallest angle that turns e_z to the direction of v. A v shorter than kMinVal gives the identity;
// a v along -e_z, for which the axis is open, turns about e_x.
Quat<double> FromDirection(Vec3<double> v);

// Whether each letter of an Euler sequence names an axis: the index of the first that does not, 3 if all do.
int FirstBadAxis(const char sequence[3]);

// Three rotations by angles (rad), one after the other. Axes x, y, z turn with the body, so that their rotations
// multiply from the right; X, Y, Z stay.
Quat<double> FromEuler(const double angles[3], const char sequence[3]);

// The rotation R that is closest to A: it maximizes tr(R' A). Newton-like steps from q, whose norm should be one, after
// M. Mueller, J. Bender, N. Chentanez, M. Macklin, "A Robust Method to Extract the Rotational Part of Deformations",
// MIG 2016. Returns the number of steps; a last one below 1e-9 rad is not made.
int PolarRotation(const Mat3<double>& A, Quat<double>& q);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_ORIENTATION_H_
