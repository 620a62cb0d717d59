// Recursive Newton-Euler inverse dynamics (Luh, Walker and Paul 1980; Featherstone 2008, 5.3), about the trees'
// centres.
//
//   in: cinert, cdof, cdof_dot, cvel, qvel, qacc
//
// Outward, accelerations, starting with that of a world that gravity accelerates upwards:
//   a_b = a_parent + sum_i (cdof_dot_i v_i + cdof_i q''_i),   f_b = I_b a_b + v_b x_f (I_b v_b)
// Inward, forces, each body handing its own to its parent:
//   tau_i = cdof_i . f_b,   f_parent += f_b
#ifndef SINEW_INERTIA_RNE_KERNEL_H_
#define SINEW_INERTIA_RNE_KERNEL_H_

#include "math/block.h"
#include "math/spatial.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline inertia {
inline namespace SINEW_ISA {

// Acceleration of the world: minus gravity, which then acts on all bodies as inertia.
template <class S>
Spatial<S> WorldAcceleration(const ModelView<S>& m) {
  const bool weightless = (m.opt_disableflags() & mjDSBL_GRAVITY) != 0;
  return {Zero3<S>(), weightless ? Zero3<S>() : -m.opt_gravity()};
}

// Acceleration of body b, given its parent's, to which the sum over the body's dofs is added.
template <class S>
Spatial<S> BodyAcceleration(const ModelView<S>& m, const DataView<S>& d, int b, bool with_acc, Spatial<S> a) {
  const int first = m.body_dofadr(b), end = first + m.body_dofnum(b);
  Spatial<S> sum = ZeroSpatial<S>();
  for (int i = first; i < end; ++i) AddScaledRow(d.cdof_dot(i), d.qvel(i), sum);
  a += sum;
  if (with_acc) {
    sum = ZeroSpatial<S>();
    for (int i = first; i < end; ++i) AddScaledRow(d.cdof(i), d.qacc(i), sum);
    a += sum;
  }
  return a;
}

// Wrench that makes a body with velocity v accelerate by a.
template <class S>
Spatial<S> BodyForce(const Inertia10<S>& inertia, const Spatial<S>& v, const Spatial<S>& a) {
  return inertia * a + CrossForce(v, inertia * v);
}

template <class S>
void BodyForces(const DataView<S>& d, int begin, int end, const Spatial<S>* acceleration, Spatial<S>* force) {
  ForBlocks<S>(begin, end, [&](const auto& bodies) {
    const auto inertia = Gather(bodies, [&](int b) -> decltype(auto) { return d.cinert(b); });
    const auto a = Gather(bodies, [&](int b) -> decltype(auto) { return acceleration[b]; });
    const auto v = Gather(bodies, [&](int b) -> decltype(auto) { return d.cvel(b); });
    Scatter(bodies, BodyForce(inertia, v, a), [&](int b) -> Spatial<S>& { return force[b]; });
  });
}

// result (nv) = bias force, or with accelerations M qacc (without armature) + bias force.
// `acceleration` and `force` are scratch for nbody spatial vectors.
template <class S>
void Rne(const ModelView<S>& m, const DataView<S>& d, bool with_acc, S* result, Spatial<S>* acceleration,
         Spatial<S>* force) {
  acceleration[0] = WorldAcceleration(m);
  for (IdRuns bodies = AwakeBodies(m, d); !bodies.Done(); bodies.Next()) {
    for (int b = bodies.begin(); b < bodies.end(); ++b) {
      StoreRow(BodyAcceleration(m, d, b, with_acc, acceleration[m.body_parentid(b)]), acceleration[b]);
    }
    BodyForces(d, bodies.begin(), bodies.end(), acceleration, force);

    for (int b = bodies.end() - 1; b >= bodies.begin(); --b) {
      const int first = m.body_dofadr(b), end = first + m.body_dofnum(b);
      for (int i = first; i < end; ++i) result[i] = Dot(d.cdof(i), force[b]);
      const int parent = m.body_parentid(b);
      if (parent >= bodies.begin()) AddRow(force[b], force[parent]);
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline inertia

#endif  // SINEW_INERTIA_RNE_KERNEL_H_
