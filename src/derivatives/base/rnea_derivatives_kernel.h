// Derivatives of inverse dynamics tau(q, v, a) of kinematic trees with respect to q and v, in closed form.
//
// Moving dof j carries all that it moves along the axis s_j: there everything turns as a rigid body would, except that
// what is in front of the joint stays. With the velocity u_j and the acceleration alpha_j in front of the joint (of the
// three dofs of a rotation together), gravity included, and
//   p_j = u_j x s_j,   q_j = alpha_j x s_j + u_j x p_j,   w_j = p_j + u'_j x s_j    (u'_j: behind the joint)
// a body k that j moves changes its velocity by s_j x v_k + p_j and its acceleration by s_j x a_k + q_j + p_j x v_k. So
// for its force f_k = I_k a_k + v_k x* I_k v_k, with D_k s = I_k (s x v_k) + s x* (I_k v_k) + v_k x* (I_k s),
//   df_k/dq_j = s_j x* f_k + I_k q_j + D_k p_j,    df_k/dv_j = I_k w_j + D_k s_j
// With sums over subtrees (^C), k the body of the dof that is farther from the root:
//   dtau_i/dq_j = s_i' (I^C_k q_j + D^C_k p_j)  + s_i' (s_j x* F_j) unless j moves the axis s_i,   F_j = sum f_k
//   dtau_i/dv_j = s_i' (I^C_k w_j + D^C_k s_j)
// Work grows with the number of pairs of dofs on one branch, as in J. Carpentier and N. Mansard, Analytical derivatives
// of rigid body dynamics algorithms, RSS 2018.
//
// D_k has twelve numbers: it takes no notice of translations, and its forces are twice those of turning the momentum.
//   D_k (w, .) = (E_k w, 2 w x h_k),   E_k w = I (w x o) + w x (I o) + o x (I w) + 2 mc x (w x u),   v_k = (o, u)
// with the momentum h_k = m u - mc x o.
#ifndef SINEW_DERIVATIVES_BASE_RNEA_DERIVATIVES_KERNEL_H_
#define SINEW_DERIVATIVES_BASE_RNEA_DERIVATIVES_KERNEL_H_

#include <type_traits>

#include "inertia/rne_kernel.h"
#include "math/mat3.h"
#include "math/spatial.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline derivatives {
inline namespace SINEW_ISA {

// A map from motions to wrenches that depends on rotations alone: (w, .) -> (E w, w x h).
template <class S>
struct TurnOperator {
  Vec3<S> column[3];  // of E
  Vec3<S> h;

  TurnOperator& operator+=(const TurnOperator& b) {
    for (int k = 0; k < 3; ++k) column[k] += b.column[k];
    h += b.h;
    return *this;
  }
  friend Spatial<S> operator*(const TurnOperator& a, const Spatial<S>& s) {
    return {a.column[0] * s.rot.x + a.column[1] * s.rot.y + a.column[2] * s.rot.z, Cross(s.rot, a.h)};
  }
};
template <class S>
TurnOperator<S> ZeroTurn() {
  return {{Zero3<S>(), Zero3<S>(), Zero3<S>()}, Zero3<S>()};
}
template <class S>
Spatial<S> MulTransposed(const TurnOperator<S>& a, const Spatial<S>& s) {
  const Vec3<S> turn = Cross(a.h, s.lin);
  return {{Dot(a.column[0], s.rot) + turn.x, Dot(a.column[1], s.rot) + turn.y, Dot(a.column[2], s.rot) + turn.z},
          Zero3<S>()};
}

// Computes D_k of a body.
template <class S>
TurnOperator<S> RateOperator(const Inertia10<S>& I, const Spatial<S>& v) {
  const Vec3<S>& o = v.rot;
  const auto inertia = [&I](const Vec3<S>& w) {
    return Vec3<S>{I.xx * w.x + I.xy * w.y + I.xz * w.z, I.xy * w.x + I.yy * w.y + I.yz * w.z,
                   I.xz * w.x + I.yz * w.y + I.zz * w.z};
  };
  const Vec3<S> Io = inertia(o);
  TurnOperator<S> D;
  for (int k = 0; k < 3; ++k) {
    Vec3<S> w = Zero3<S>();
    w[k] = S(1);
    D.column[k] = inertia(Cross(w, o)) + Cross(w, Io) + Cross(o, inertia(w)) + Cross(I.mc, Cross(w, v.lin)) * S(2);
  }
  D.h = (v.lin * I.mass - Cross(I.mc, o)) * S(2);
  return D;
}

// The motion at which inverse dynamics are differentiated, which need not be that of the world.
template <class S>
struct TreeMotion {
  const S *qvel, *qacc;
  bool gravity;
};

// Scratch memory: nbody of the first, nv of the second.
template <class S>
struct TreeDerivative {
  // of bodies; after AddSubtrees, force and rate are those of subtrees
  Spatial<S>*velocity, *acceleration, *force;
  TurnOperator<S>* rate;     // D
  TurnOperator<S>* applied;  // what wrenches that do not turn with their body add to s_j; may be null
  // of dofs
  Spatial<S>*p, *q, *w;
};

// First of the dofs that turn with dof j: the three of a rotation are one joint.
inline int FirstOfTurn(const mjModel* m, int j) {
  const int joint = m->dof_jntid[j], type = m->jnt_type[joint], first = m->jnt_dofadr[joint];
  if (type == mjJNT_BALL) return first;
  return type == mjJNT_FREE && j >= first + 3 ? first + 3 : j;
}

// Moves (v, a) from in front of the dofs [first, end), which turn together, to behind them.
template <class S>
void PassDofs(const DataView<S>& d, const TreeMotion<S>& motion, int first, int end, Spatial<S>& v, Spatial<S>& a,
              const TreeDerivative<S>& out) {
  Spatial<S> dv = ZeroSpatial<S>(), da = ZeroSpatial<S>();
  for (int j = first; j < end; ++j) {
    const Spatial<S>& s = d.cdof(j);
    out.p[j] = CrossMotion(v, s);
    out.q[j] = CrossMotion(a, s) + CrossMotion(v, out.p[j]);
    dv += s * motion.qvel[j];
    da += out.p[j] * motion.qvel[j] + s * motion.qacc[j];
  }
  v += dv;
  a += da;
  for (int j = first; j < end; ++j) out.w[j] = out.p[j] + CrossMotion(v, d.cdof(j));
}

// Translations of a free joint do not turn with anything.
template <class S>
void PassBody(const ModelView<S>& m, const DataView<S>& d, const TreeMotion<S>& motion, int b,
              const TreeDerivative<S>& out) {
  const int parent = m.body_parentid(b);
  Spatial<S> v = out.velocity[parent], a = out.acceleration[parent];
  const int end = m.body_dofadr(b) + m.body_dofnum(b);
  for (int j = m.body_dofadr(b); j < end;) {
    const int joint = m.dof_jntid(j), type = m.jnt_type(joint);
    const bool turns = type == mjJNT_BALL || (type == mjJNT_FREE && j >= m.jnt_dofadr(joint) + 3);
    const int next = j + (turns ? 3 : 1);
    PassDofs(d, motion, j, next, v, a, out);
    j = next;
  }
  out.velocity[b] = v;
  out.acceleration[b] = a;
}

// Motions of all bodies, and the rates of axes.   in: cdof
template <class S>
void PassVelocities(const ModelView<S>& m, const DataView<S>& d, const TreeMotion<S>& motion,
                    const TreeDerivative<S>& out) {
  out.velocity[0] = ZeroSpatial<S>();
  out.acceleration[0] = motion.gravity ? WorldAcceleration(m) : ZeroSpatial<S>();
  for (int b = 1; b < m.nbody(); ++b) PassBody(m, d, motion, b, out);
}

// With the forces that bodies take.   in: cdof, cinert
template <class S>
void PassMotion(const ModelView<S>& m, const DataView<S>& d, const TreeMotion<S>& motion,
                const TreeDerivative<S>& out) {
  PassVelocities(m, d, motion, out);
  out.force[0] = ZeroSpatial<S>();
  out.rate[0] = ZeroTurn<S>();
  for (int b = 1; b < m.nbody(); ++b) {
    out.force[b] = BodyForce(d.cinert(b), out.velocity[b], out.acceleration[b]);
    out.rate[b] = RateOperator(d.cinert(b), out.velocity[b]);
  }
}

// A wrench from outside that turns with its body, about the centre of the body's tree.
template <class S>
void AddTurningWrench(const Spatial<S>& wrench, int b, const TreeDerivative<S>& out) {
  out.force[b] -= wrench;
}

// A force and a torque that keep their directions in the world, at `arm` from the centre of the tree. If they turned
// with the body they would be (x F + T, F) turned; the difference depends on the rotation alone:
//   (w x T + arm x (w x F), w x F)
template <class S>
void AddFixedWrench(const Vec3<S>& force, const Vec3<S>& torque, const Vec3<S>& arm, int b,
                    const TreeDerivative<S>& out) {
  AddTurningWrench(Spatial<S>{torque + Cross(arm, force), force}, b, out);
  for (int k = 0; k < 3; ++k) {
    Vec3<S> w = Zero3<S>();
    w[k] = S(1);
    out.applied[b].column[k] += Cross(w, torque) + Cross(arm, Cross(w, force));
  }
  out.applied[b].h += force;
}

template <class S>
void AddSubtrees(const ModelView<S>& m, const TreeDerivative<S>& out) {
  for (int b = m.nbody() - 1; b > 0; --b) {
    const int parent = m.body_parentid(b);
    if (parent == 0) continue;
    out.force[parent] += out.force[b];
    out.rate[parent] += out.rate[b];
    if (out.applied) out.applied[parent] += out.applied[b];
  }
}

// Replaces columns that are not needed.
struct NoColumns {};

// Adds the derivatives by q and v (NoColumns: not wanted), of which by_q[j][i] is that of dof i by the position of dof
// j. After AddSubtrees.   in: crb
template <class S, class ByPosition, class ByVelocity>
void AddTreeColumns(const ModelView<S>& m, const DataView<S>& d, const TreeDerivative<S>& tree, const ByPosition& by_q,
                    const ByVelocity& by_v) {
  constexpr bool kByVelocity = !std::is_same_v<ByVelocity, NoColumns>;
  for (int j = 0; j < m.nv(); ++j) {
    const int b = m.dof_bodyid(j), turn = FirstOfTurn(m.raw(), j);
    const Spatial<S>& s = d.cdof(j);
    const TurnOperator<S>& D = tree.rate[b];
    const Spatial<S> by_rate = MulTransposed(D, s), by_inertia = d.crb(b) * s;
    const auto column = by_q[j];
    Spatial<S> turning = d.crb(b) * tree.q[j] + D * tree.p[j], by_axis = ZeroSpatial<S>();
    if (tree.applied) {
      turning += tree.applied[b] * s;
      by_axis = MulTransposed(tree.applied[b], s);
    }
    const Spatial<S> carried = turning + CrossForce(s, tree.force[b]);
    column[j] += Dot(s, turning);
    for (int i = m.dof_parentid(j); i >= 0; i = m.dof_parentid(i)) {
      column[i] += Dot(d.cdof(i), i >= turn ? turning : carried);
      by_q[i][j] += Dot(by_inertia, tree.q[i]) + Dot(by_rate.rot, tree.p[i].rot) + Dot(by_axis.rot, d.cdof(i).rot);
    }
    if constexpr (kByVelocity) {
      const auto of_velocity = by_v[j];
      const Spatial<S> force = d.crb(b) * tree.w[j] + D * s;
      of_velocity[j] += Dot(s, force);
      for (int i = m.dof_parentid(j); i >= 0; i = m.dof_parentid(i)) {
        of_velocity[i] += Dot(d.cdof(i), force);
        by_v[i][j] += Dot(by_inertia, tree.w[i]) + Dot(by_rate.rot, d.cdof(i).rot);
      }
    }
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_RNEA_DERIVATIVES_KERNEL_H_
