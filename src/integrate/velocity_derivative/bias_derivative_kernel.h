// Derivative of the bias force c(q, v) of recursive Newton-Euler with respect to v, in closed form.
//
// With composite quantities over the subtree of a body b,
//   I^C_b = sum I_k                                                 (crb)
//   D^C_b = sum D_k,   D_k s = I_k (s x v_k) + s x* (I_k v_k) + v_k x* (I_k s)
// and w_j = ds_j/dt + u_j x s_j, where s_j is the axis of dof j and u_j the velocity behind its joint (for joints of
// functions w_j = ds_j/dt + u_j x s_j + s_j' v_j, as their axis changes by s_j' v_j with their own coordinate), the
// entry of two dofs of one branch is
//   dc_i / dv_j = s_i' (D^C_b s_j + I^C_b w_j),    b the body of the dof that is farther from the root
// It is zero for dofs of different branches: the matrix has the D pattern.
//
// The sum over the subtree comes from a_k = sum_l ds_l/dt v_l: its derivative is ds_j/dt + s_j x (v_k - u_j).
// Compare S. Echeandia and P. M. Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols for
// rigid-body systems, J. Comput. Nonlinear Dyn. 2021.
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_BIAS_DERIVATIVE_KERNEL_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_BIAS_DERIVATIVE_KERNEL_H_

#include "integrate/velocity_derivative/sparsity_kernel.h"
#include "math/spatial.h"
#include "model/kinds/motion.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// A 6 x 6 matrix that maps motions to forces, by columns.
template <class S>
struct SpatialMatrix {
  Spatial<S> column[6];

  SpatialMatrix& operator+=(const SpatialMatrix& b) {
    for (int k = 0; k < 6; ++k) column[k] += b.column[k];
    return *this;
  }
  friend Spatial<S> operator*(const SpatialMatrix& a, const Spatial<S>& s) {
    Spatial<S> y = a.column[0] * s[0];
    for (int k = 1; k < 6; ++k) y += a.column[k] * s[k];
    return y;
  }
};
template <class S>
Spatial<S> MulTransposed(const SpatialMatrix<S>& a, const Spatial<S>& s) {
  Spatial<S> y;
  for (int k = 0; k < 6; ++k) y[k] = Dot(a.column[k], s);
  return y;
}

// D_k of one body.
template <class S>
SpatialMatrix<S> VelocityOperator(const Inertia10<S>& inertia, const Spatial<S>& v) {
  const Spatial<S> momentum = inertia * v;
  SpatialMatrix<S> D;
  for (int k = 0; k < 6; ++k) {
    Spatial<S> s = ZeroSpatial<S>();
    s[k] = S(1);
    D.column[k] = inertia * CrossMotion(s, v) + CrossForce(s, momentum) + CrossForce(v, inertia * s);
  }
  return D;
}

// Scratch memory: nbody operators, and two vectors for each dof.
template <class S>
struct BiasDerivativeScratch {
  SpatialMatrix<S>* composite;  // D^C
  Spatial<S>* w;                // w_j
  Spatial<S>* force;            // D^C_b s_j + I^C_b w_j, b the body of dof j
};

// w_j for the dofs [first, end) that move together; `behind` becomes the velocity behind them.
template <class S>
void AxisRates(const DataView<S>& d, int first, int end, Spatial<S>& behind, Spatial<S>* w) {
  for (int j = first; j < end; ++j) behind += d.cdof(j) * d.qvel(j);
  for (int j = first; j < end; ++j) w[j] = d.cdof_dot(j) + CrossMotion(behind, d.cdof(j));
}

// The same for a joint of functions: s' v is what ds/dt has beside the turn with the velocity in front of the joint.
template <class S>
void FunctionAxisRate(const DataView<S>& d, int dof, Spatial<S>& behind, Spatial<S>* w) {
  const Spatial<S> own = d.cdof_dot(dof) - CrossMotion(behind, d.cdof(dof));
  AxisRates(d, dof, dof + 1, behind, w);
  w[dof] += own;
}

template <class S>
void BodyAxisRates(const ModelView<S>& m, const DataView<S>& d, const JointMotions& motions, int body, Spatial<S>* w) {
  Spatial<S> behind = d.cvel(m.body_parentid(body));
  const int first = m.body_jntadr(body), end = first + m.body_jntnum(body);
  for (int joint = first; joint < end; ++joint) {
    int dof = m.jnt_dofadr(joint);
    if (motions.Of(joint)) {
      FunctionAxisRate(d, dof, behind, w);
      continue;
    }
    const int type = m.jnt_type(joint);
    if (type == mjJNT_FREE) {
      AxisRates(d, dof, dof + 3, behind, w);
      dof += 3;
    }
    AxisRates(d, dof, dof + (type == mjJNT_FREE || type == mjJNT_BALL ? 3 : 1), behind, w);
  }
}

// Q -= dc/dv.    in: crb, cinert, cvel, cdof, cdof_dot, qvel
template <class S>
void SubtractBiasDerivative(const ModelView<S>& m, const DataView<S>& d, const BiasDerivativeScratch<S>& scratch,
                            S* Q) {
  const int nbody = m.nbody(), nv = m.nv();
  for (int b = 0; b < nbody; ++b) scratch.composite[b] = VelocityOperator(d.cinert(b), d.cvel(b));
  for (int b = nbody - 1; b > 0; --b) scratch.composite[m.body_parentid(b)] += scratch.composite[b];

  const JointMotions motions(m.raw());
  for (int b = 1; b < nbody; ++b) BodyAxisRates(m, d, motions, b, scratch.w);
  for (int j = 0; j < nv; ++j) {
    const int b = m.dof_bodyid(j);
    scratch.force[j] = scratch.composite[b] * d.cdof(j) + d.crb(b) * scratch.w[j];
  }

  // row by row: in the lower triangle the body of i is the farther one, in the upper triangle that of j
  const SquarePattern pattern = DofPattern(m.raw());
  for (int i = 0; i < nv; ++i) {
    const int b = m.dof_bodyid(i);
    const Spatial<S> by_axis = MulTransposed(scratch.composite[b], d.cdof(i)), by_rate = d.crb(b) * d.cdof(i);
    const int adr = pattern.rowadr[i];
    for (int k = adr; k < adr + pattern.rownnz[i]; ++k) {
      const int j = pattern.colind[k];
      Q[k] -= j <= i ? Dot(by_axis, d.cdof(j)) + Dot(by_rate, scratch.w[j]) : Dot(d.cdof(i), scratch.force[j]);
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_BIAS_DERIVATIVE_KERNEL_H_
