// Parameters of a contact that come from the model: those of an explicit pair, or mixed from the two surfaces that
// meet (contact_mix_kernel.h).
#ifndef SINEW_COLLISION_CONTACT_PARAMETERS_H_
#define SINEW_COLLISION_CONTACT_PARAMETERS_H_

#include <mujoco/mujoco.h>

#include "collision/contact_mix_kernel.h"
#include "collision/item.h"
#include "math/block.h"
#include "math/rows.h"

namespace sinew::inline collision {

// The numbers of one world: rows of the model in registers.
struct NumbersOfWorld {
  using Number = double;
  using Two = Pack<double, 2>;
  using Four = Pack<double, 4>;

  static Two LoadPair(const double* row) { return LoadTwo(row); }
  static Four LoadRest(const double* solimp) { return LoadFour(solimp + 1); }
  static Two None() { return Two(0.0); }
  static Four InAll(double x) { return InAllLanes(x); }
  static Two Choose(bool first, Two a, Two b) { return first ? a : b; }
};
static_assert(mjNREF == 2 && mjNIMP == 5);

using ContactFriction = FrictionNumbers<double>;
using ContactParameters = MixedNumbers<NumbersOfWorld>;

// The contact parameters of a geom or a flex.
struct ContactSurface {
  SurfaceNumbers<NumbersOfWorld, const double*, const double*> numbers;
  double gap;

  static ContactSurface OfGeom(const mjModel* m, int geom) {
    return {{m->geom_condim[geom], m->geom_priority[geom], m->geom_solmix[geom], Row3(m->geom_friction, geom),
             m->geom_solref + mjNREF * geom, m->geom_solimp + mjNIMP * geom},
            m->geom_gap[geom]};
  }
  static ContactSurface Of(const mjModel* m, const Item& item) {
    return item.kind == ItemKind::kGeom ? OfGeom(m, item.id) : OfFlex(m, item.id);
  }
  static ContactSurface OfFlex(const mjModel* m, int flex) {
    return {{m->flex_condim[flex], m->flex_priority[flex], m->flex_solmix[flex], Row3(m->flex_friction, flex),
             m->flex_solref + mjNREF * flex, m->flex_solimp + mjNIMP * flex},
            m->flex_gap[flex]};
  }
};

inline ContactParameters ParametersOfPair(const mjModel* m, int pair) {
  return ContactParameters::OfRows<const double*>(
      m->pair_dim[pair], m->pair_friction + 5 * pair, m->pair_solref + mjNREF * pair,
      m->pair_solreffriction + mjNREF * pair, m->pair_solimp + mjNIMP * pair);
}

// mjENBL_OVERRIDE: all contacts have the parameters of the options, and their own dimension.
inline ContactParameters OverriddenParameters(const mjOption& opt, int dim) {
  return ContactParameters::OfRows<const double*>(dim, opt.o_friction, opt.o_solref, opt.o_solref, opt.o_solimp);
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONTACT_PARAMETERS_H_
