// Constraints on the relative motion of two bodies: how their wrenches on the bodies change with positions and
// velocities, as derivatives of the residual; for one world and for lanes.
//
// About a fixed point of the world, with the axes s_i of the dofs and the wrenches W_1, W_2 on the bodies, the force at
// dof i is the forces s_i' W_b of the bodies b that it moves. These change with q_j by
//   s_i' dW_b/dq_j + (s_j x s_i)' W_b     the second where j moves the axis s_i
#ifndef SINEW_DERIVATIVES_BASE_PAIR_COLUMNS_KERNEL_H_
#define SINEW_DERIVATIVES_BASE_PAIR_COLUMNS_KERNEL_H_

#include "constraint/pair_jacobian.h"
#include "derivatives/base/rnea_derivatives_kernel.h"

namespace sinew::inline derivatives {
inline namespace SINEW_ISA {

// A dof that moves one of the bodies, or both. Motions are about the point.
template <class S>
struct PairDofOf {
  int dof, side;    // side: bits, body 1 and body 2 (constraint/pair_jacobian.h)
  Spatial<S> s;     // axis
  Spatial<S> p, m;  // velocity, and the part of the acceleration that comes from a, in front, x s
  Spatial<S> q, w;  // of a TreeDerivative at rest in gravity's absence: see rnea_derivatives_kernel.h
  bool Moves(int body) const { return (side & (1 << body)) != 0; }
};

// Wrenches on the two bodies.
template <class S>
struct PairWrenchOf {
  Spatial<S> on[2];
};

// Motions that all pairs need: of the accelerations alone, and with velocities.
template <class S>
struct PairMotionsOf {
  TreeDerivative<S> accelerating, moving;
};

// `rest`: nv zeros.
template <class S>
void PassPairMotions(const ModelView<S>& m, const DataView<S>& d, const S* a, const S* rest,
                     const PairMotionsOf<S>& motions) {
  PassVelocities(m, d, {rest, a, /*gravity=*/false}, motions.accelerating);
  PassVelocities(m, d, {d.qvel_data(), a, /*gravity=*/false}, motions.moving);
}

template <class S>
class PairColumnsOf {
 public:
  using Dof = PairDofOf<S>;
  using Wrench = PairWrenchOf<S>;
  // Each array has room for nv elements.
  struct Memory {
    Dof* dof;
    int *id, *side;
  };
  struct Dofs {
    const Dof *first, *last;
    const Dof* begin() const { return first; }
    const Dof* end() const { return last; }
    size_t size() const { return static_cast<size_t>(last - first); }
    const Dof& operator[](size_t k) const { return first[k]; }
  };

  PairColumnsOf(const ModelView<S>& m, const DataView<S>& d, const PairMotionsOf<S>& motions, const Memory& memory)
      : m_(m), d_(d), motions_(motions), memory_(memory) {}

  // The dofs of two bodies, about a point.
  void Begin(int body1, int body2, const Vec3<S>& point) {
    body_[0] = body1;
    body_[1] = body2;
    point_ = point;
    const MovingDofs moving = DofsOfPair(m_.raw(), body1, body2, /*keep_common=*/true, memory_.id, memory_.side);
    count_ = moving.count;
    for (int k = 0; k < moving.count; ++k) {
      const int j = moving.dof[k];
      const Vec3<S> offset = Offset(m_.dof_bodyid(j));
      const auto shifted = [&](const Spatial<S>& motion) { return ShiftMotion(motion, offset); };
      memory_.dof[k] = {j,
                        moving.side[k],
                        shifted(d_.cdof(j)),
                        shifted(motions_.moving.p[j]),
                        shifted(motions_.accelerating.q[j]),
                        shifted(motions_.moving.q[j]),
                        shifted(motions_.moving.w[j])};
    }
  }

  Dofs dofs() const { return {memory_.dof, memory_.dof + count_}; }
  // About the point: velocity, acceleration that comes from a, and all of the acceleration but gravity.
  Spatial<S> Velocity(int side) const { return AtPoint(motions_.moving.velocity, side); }
  Spatial<S> Accelerated(int side) const { return AtPoint(motions_.accelerating.acceleration, side); }
  Spatial<S> Acceleration(int side) const { return AtPoint(motions_.moving.acceleration, side); }

  // One of the motions of all bodies, each about the centre of its tree, moved to the point.
  Spatial<S> AtPoint(const Spatial<S>* motions, int side) const {
    return ShiftMotion(motions[body_[side]], Offset(body_[side]));
  }

  // Takes the change of the forces with dof j of the list from its column: by position, where the present wrenches turn
  // as well, or by velocity (`out`: the columns of velocities).
  template <class Out>
  void SubtractPosition(const Dof& j, const Wrench& wrench, const Wrench& change, const Out& out) const {
    const auto column = out[j.dof];
    const int turn = FirstOfTurn(m_.raw(), j.dof);
    // (s_j x s_i)' W = -s_i' (s_j x* W)
    Wrench moved = change;
    for (int b = 0; b < 2; ++b) moved.on[b] -= CrossForce(j.s, wrench.on[b]);
    for (const Dof& i : dofs()) {
      const bool axis_moves = (i.side & j.side) != 0 && (j.dof < i.dof || FirstOfTurn(m_.raw(), i.dof) == turn);
      const Wrench& acting = axis_moves ? moved : change;
      for (int b = 0; b < 2; ++b) {
        if (i.Moves(b)) column[i.dof] -= Dot(i.s, acting.on[b]);
      }
    }
  }
  template <class Out>
  void SubtractVelocity(const Dof& j, const Wrench& change, const Out& out) const {
    const auto column = out[j.dof];
    for (const Dof& i : dofs()) {
      for (int b = 0; b < 2; ++b) {
        if (i.Moves(b)) column[i.dof] -= Dot(i.s, change.on[b]);
      }
    }
  }

 private:
  Vec3<S> Offset(int body) const { return point_ - d_.subtree_com(m_.body_rootid(body)); }

  const ModelView<S> m_;
  const DataView<S> d_;
  const PairMotionsOf<S> motions_;
  Memory memory_;
  int body_[2] = {0, 0}, count_ = 0;
  Vec3<S> point_ = Zero3<S>();
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_PAIR_COLUMNS_KERNEL_H_
