// Parameters of a contact from those of two surfaces, or of an explicit pair, for one world and for lanes.
//
// N names the types of numbers: Number, Two (solref) and Four (all of solimp but its first number), and how rows of the
// model are read as these.
#ifndef SINEW_COLLISION_CONTACT_MIX_KERNEL_H_
#define SINEW_COLLISION_CONTACT_MIX_KERNEL_H_

#include <mujoco/mujoco.h>

#include "simd/pack.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// n numbers of lanes, one after the other.
template <class S, int n>
struct LaneNumbersOf {
  S x[n];

  friend LaneNumbersOf operator*(const LaneNumbersOf& a, S b) {
    return Each([&](int i) { return a.x[i] * b; });
  }
  friend LaneNumbersOf operator+(const LaneNumbersOf& a, const LaneNumbersOf& b) {
    return Each([&](int i) { return a.x[i] + b.x[i]; });
  }
  friend LaneNumbersOf Min(const LaneNumbersOf& a, const LaneNumbersOf& b) {
    return Each([&](int i) { return Min(a.x[i], b.x[i]); });
  }
  template <class Get>
  static LaneNumbersOf Each(const Get& get) {
    LaneNumbersOf result;
    for (int i = 0; i < n; ++i) result.x[i] = get(i);
    return result;
  }
};

// Lanes of S whose rows are those of a ModelView.
template <class S>
struct NumbersOfLanes {
  using Number = S;
  using Two = LaneNumbersOf<S, 2>;
  using Four = LaneNumbersOf<S, 4>;

  template <class Row>
  static Two LoadPair(const Row& row) {
    return Two::Each([&](int i) { return row[i]; });
  }
  template <class Row>
  static Four LoadRest(const Row& solimp) {
    return Four::Each([&](int i) { return solimp[i + 1]; });
  }
  static Two None() {
    return Two::Each([](int) { return S(0); });
  }
  static S InAll(S x) { return x; }
  static Two Choose(MaskOf<S> mask, const Two& a, const Two& b) {
    return Two::Each([&](int i) { return Select(mask, a.x[i], b.x[i]); });
  }
};

// Named numbers instead of arrays, so that the compiler keeps them in registers.
template <class S>
struct FrictionNumbers {
  S sliding1, sliding2, torsional, rolling1, rolling2;

  template <class Row>
  static FrictionNumbers Load(const Row& five) {
    return {AtLeast(five[0]), AtLeast(five[1]), AtLeast(five[2]), AtLeast(five[3]), AtLeast(five[4])};
  }
  // The three coefficients of a surface become the five of a contact.
  static FrictionNumbers Expand(S sliding, S torsional, S rolling) {
    sliding = AtLeast(sliding);
    rolling = AtLeast(rolling);
    return {sliding, sliding, AtLeast(torsional), rolling, rolling};
  }

 private:
  static S AtLeast(S x) { return Max(x, Uniform<S>(mjMINMU)); }
};

// The contact parameters of one surface; `friction` has the coefficients of sliding, torsion and rolling.
template <class N, class Row, class Three>
struct SurfaceNumbers {
  int condim, priority;
  typename N::Number solmix;
  Three friction;
  Row solref, solimp;
};

template <class N>
struct MixedNumbers {
  using S = typename N::Number;

  int dim;
  FrictionNumbers<S> friction;
  typename N::Two solref, solreffriction;
  S d0;                   // of solimp
  typename N::Four rest;  // of solimp

  template <class Surface>
  static MixedNumbers OfSurface(const Surface& s) {
    return {s.condim,
            FrictionNumbers<S>::Expand(s.friction[0], s.friction[1], s.friction[2]),
            N::LoadPair(s.solref),
            N::None(),
            s.solimp[0],
            N::LoadRest(s.solimp)};
  }
  // Rows of an explicit pair, or of the options where they override.
  template <class Row, class Five>
  static MixedNumbers OfRows(int dim, const Five& friction, const Row& solref, const Row& solreffriction,
                             const Row& solimp) {
    return {dim,
            FrictionNumbers<S>::Load(friction),
            N::LoadPair(solref),
            N::LoadPair(solreffriction),
            solimp[0],
            N::LoadRest(solimp)};
  }

  // The surface of higher priority decides. Of equal ones, friction is the larger of each coefficient, and the rest is
  // the mean weighted by solmix.
  template <class Surface>
  static MixedNumbers Mix(const Surface& a, const Surface& b) {
    if (a.priority != b.priority) return OfSurface(a.priority > b.priority ? a : b);
    const auto larger = [&](int i) {
      const S x = a.friction[i], y = b.friction[i];
      return Select(x < y, y, x);
    };

    // A solref that is not positive holds stiffness and damping, which do not average with time constants.
    const S weight = MixWeight(a.solmix, b.solmix), rest = S(1) - weight;
    const typename N::Two solref1 = N::LoadPair(a.solref), solref2 = N::LoadPair(b.solref);
    const MaskOf<S> times = (a.solref[0] > S(0)) & (b.solref[0] > S(0));
    return {a.condim > b.condim ? a.condim : b.condim,
            FrictionNumbers<S>::Expand(larger(0), larger(1), larger(2)),
            N::Choose(times, solref1 * weight + solref2 * rest, Min(solref1, solref2)),
            N::None(),
            weight * a.solimp[0] + rest * b.solimp[0],
            N::LoadRest(a.solimp) * N::InAll(weight) + N::LoadRest(b.solimp) * N::InAll(rest)};
  }

 private:
  // Returns the share of the first surface in the mean.
  static S MixWeight(S a, S b) {
    const S half = Uniform<S>(0.5), least = Uniform<S>(mjMINVAL);
    const MaskOf<S> equal = a == b;
    if (All(equal)) return half;  // as for most pairs: there is nothing to divide
    const MaskOf<S> none1 = a < least, none2 = b < least;
    const S share = Select(none1, Select(none2, half, S(0)), Select(none2, S(1), a / (a + b)));
    return Select(equal, half, share);
  }
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONTACT_MIX_KERNEL_H_
