// Bushings (docs/how/passive-elements.md): springs and dampers in six directions between the frames of two sites.
//
//   in:  site_xpos, site_xmat, cdof, subtree_com, qvel        out: added to qfrc_spring, qfrc_damper
//
// The displacement e is three angles of the rotation R = R1' R2 = Rx(a) Ry(b) Rz(c) and the translation R1' (x2 - x1).
// A row of its Jacobian belongs to each direction: e' = J v, and the generalized force is -J' (K e + D e').
#ifndef SINEW_FORCE_BUSHING_KERNEL_H_
#define SINEW_FORCE_BUSHING_KERNEL_H_

#include "kinematics/com_kernel.h"
#include "math/mat3.h"
#include "math/spatial.h"
#include "model/kinds/bushing.h"
#include "model/state/awake_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/functions.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// A displacement, a rate or a force in the six directions.
template <class S>
struct BushingVector {
  S x[kBushingAxes];
  S& operator[](int i) { return x[i]; }
  const S& operator[](int i) const { return x[i]; }
};

template <class S>
class BushingAt {
 public:
  // `numbers`: those of the bushing in its array.
  BushingAt(const ModelView<S>& m, const DataView<S>& d, const mjtNum* numbers)
      : m_(m),
        d_(d),
        numbers_(numbers),
        body_{m.site_bodyid(Site(kBushingSite1)), m.site_bodyid(Site(kBushingSite2))},
        frame_(d.site_xmat(Site(kBushingSite1))),
        point_(d.site_xpos(Site(kBushingSite2))) {
    const Mat3<S>& second = d.site_xmat(Site(kBushingSite2));
    const Vec3<S> x = MulTransposed(frame_, second.Column(0)), y = MulTransposed(frame_, second.Column(1)),
                  z = MulTransposed(frame_, second.Column(2));
    const Vec3<S> shift = MulTransposed(frame_, point_ - d.site_xpos(Site(kBushingSite1)));
    sin_b_ = z.x;
    cos_b_ = Max(Sqrt(x.x * x.x + y.x * y.x), S(kLeastCosine));
    sin_a_ = -z.y / cos_b_, cos_a_ = z.z / cos_b_;
    e_ = {Atan2(-z.y, z.z), Atan2(z.x, cos_b_), Atan2(-y.x, x.x), shift.x, shift.y, shift.z};
  }

  const BushingVector<S>& displacement() const { return e_; }

  // Calls visit(dof, column of J) for the dofs that move one of the bodies and not the other.
  template <class Visit>
  void ForColumns(const Visit& visit) const {
    ForDofs([&](int dof, int side) { visit(dof, Column(dof, side)); });
  }

  BushingVector<S> Rate(const S* velocity) const {
    BushingVector<S> rate = {};
    ForColumns([&](int dof, const BushingVector<S>& column) {
      for (int k = 0; k < kBushingAxes; ++k) rate[k] += column[k] * velocity[dof];
    });
    return rate;
  }

  // -J' load; dofs that sleep keep their forces.
  void Subtract(const BushingVector<S>& load, S* qfrc) const {
    ForColumns([&](int dof, const BushingVector<S>& column) {
      if (!IsAwakeDof(m_, d_, dof)) return;
      for (int k = 0; k < kBushingAxes; ++k) qfrc[dof] -= column[k] * load[k];
    });
  }

  // K e and D e'
  BushingVector<S> Elastic(const BushingVector<S>& e) const {
    BushingVector<S> load = {};
    for (int i = 0; i < kBushingAxes; ++i) {
      for (int k = 0; k < kBushingAxes; ++k) {
        load[i] += Uniform<S>(numbers_[kBushingStiffness + kBushingAxes * i + k]) * e[k];
      }
    }
    return load;
  }
  BushingVector<S> Viscous(const BushingVector<S>& rate) const {
    BushingVector<S> load;
    for (int k = 0; k < kBushingAxes; ++k) load[k] = Uniform<S>(numbers_[kBushingDamping + k]) * rate[k];
    return load;
  }

  int body(int side) const { return body_[side]; }
  const Vec3<S>& point() const { return point_; }
  // What a load is on the second body, about the second site in the axes of the world: J' load is its generalized
  // force.
  Spatial<S> Wrench(const BushingVector<S>& load) const {
    const S across = (load[2] - sin_b_ * load[0]) / cos_b_;
    const Vec3<S> torque = {load[0], cos_a_ * load[1] - sin_a_ * across, sin_a_ * load[1] + cos_a_ * across};
    return {frame_ * torque, frame_ * Vec3<S>{load[3], load[4], load[5]}};
  }

  // Whether both bodies have dofs that do not move the other one: inertia does not couple these.
  bool JoinsBranches() const {
    int sides = 0;
    ForDofs([&](int, int side) { sides |= 1 << side; });
    return sides == 3;
  }

 private:
  // Near a right angle of b, a and c are not defined, and their rates are bounded by this.
  static constexpr double kLeastCosine = 1e-6;

  int Site(BushingNumber which) const { return static_cast<int>(numbers_[which]); }
  int LastDof(int side) const {
    const int mover = m_.body_weldid(body_[side]);
    const int last = m_.body_dofadr(mover) + m_.body_dofnum(mover) - 1;
    return m_.body_dofnum(mover) > 0 ? last : -1;
  }
  // Dofs of ancestors have lower numbers, so that both walks meet where the bodies move together.
  template <class Visit>
  void ForDofs(const Visit& visit) const {
    for (int i = LastDof(0), j = LastDof(1); i != j;) {
      const int side = i > j ? 0 : 1;
      int& dof = side == 0 ? i : j;
      visit(dof, side);
      dof = m_.dof_parentid(dof);
    }
  }

  // How the displacement changes with a unit rate of a dof that moves the body of a side.
  BushingVector<S> Column(int dof, int side) const {
    const Spatial<S>& s = d_.cdof(dof);
    const S sign(side == 0 ? -1 : 1);
    const Vec3<S> arm = point_ - TreeCenter(m_, d_, body_[side]);
    const Vec3<S> w = MulTransposed(frame_, s.rot) * sign, v = MulTransposed(frame_, s.lin + Cross(s.rot, arm)) * sign;
    const S c = (cos_a_ * w.z - sin_a_ * w.y) / cos_b_;
    return {w.x - sin_b_ * c, cos_a_ * w.y + sin_a_ * w.z, c, v.x, v.y, v.z};
  }

  const ModelView<S>& m_;
  const DataView<S>& d_;
  const mjtNum* numbers_;
  const int body_[2];
  const Mat3<S>& frame_;  // of the first site
  const Vec3<S> point_;   // the second site
  S sin_a_, cos_a_, sin_b_, cos_b_;
  BushingVector<S> e_;
};

// K e + D e', as far as springs and dampers are enabled.
template <class S>
BushingVector<S> LoadOf(const ModelView<S>& m, const DataView<S>& d, const BushingAt<S>& bushing) {
  BushingVector<S> load = {};
  if (!(m.opt_disableflags() & mjDSBL_SPRING)) load = bushing.Elastic(bushing.displacement());
  if (m.opt_disableflags() & mjDSBL_DAMPER) return load;
  const BushingVector<S> viscous = bushing.Viscous(bushing.Rate(d.qvel_data()));
  for (int k = 0; k < kBushingAxes; ++k) load[k] += viscous[k];
  return load;
}

// Calls visit(bushing) for those of a model.
template <class S, class Visit>
void ForBushings(const ModelView<S>& m, const DataView<S>& d, const Visit& visit) {
  const Bushings bushings(m.raw());
  if (!bushings) return;
  for (int i = 0; i < bushings.count(); ++i) {
    if (const mjtNum* numbers = bushings.Of(i)) visit(BushingAt<S>(m, d, numbers));
  }
}

template <class S>
void BushingSprings(const ModelView<S>& m, const DataView<S>& d) {
  ForBushings(m, d, [&](const BushingAt<S>& b) { b.Subtract(b.Elastic(b.displacement()), d.qfrc_spring_data()); });
}

template <class S>
void BushingDampers(const ModelView<S>& m, const DataView<S>& d) {
  ForBushings(m, d, [&](const BushingAt<S>& b) { b.Subtract(b.Viscous(b.Rate(d.qvel_data())), d.qfrc_damper_data()); });
}

// 1/2 e' K e
template <class S>
S BushingEnergy(const ModelView<S>& m, const DataView<S>& d) {
  S energy(0);
  ForBushings(m, d, [&](const BushingAt<S>& b) {
    const BushingVector<S>& e = b.displacement();
    const BushingVector<S> load = b.Elastic(e);
    for (int k = 0; k < kBushingAxes; ++k) energy += S(0.5) * e[k] * load[k];
  });
  return energy;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_BUSHING_KERNEL_H_
