// Parameters of a contact that come from the model: those of an explicit pair, or mixed from the two surfaces that
// meet.
#ifndef SINEW_COLLISION_CONTACT_PARAMETERS_H_
#define SINEW_COLLISION_CONTACT_PARAMETERS_H_

#include <mujoco/mujoco.h>

#include <algorithm>

#include "collision/item.h"
#include "math/block.h"
#include "math/rows.h"

namespace sinew::inline collision {

// The contact parameters of a geom or a flex. `friction` has the coefficients of sliding, torsion and rolling.
struct ContactSurface {
  int condim, priority;
  double solmix, gap;
  const double *friction, *solref, *solimp;

  static ContactSurface OfGeom(const mjModel* m, int geom) {
    return {
        m->geom_condim[geom],         m->geom_priority[geom],         m->geom_solmix[geom],          m->geom_gap[geom],
        Row3(m->geom_friction, geom), m->geom_solref + mjNREF * geom, m->geom_solimp + mjNIMP * geom};
  }
  static ContactSurface Of(const mjModel* m, const Item& item) {
    return item.kind == ItemKind::kGeom ? OfGeom(m, item.id) : OfFlex(m, item.id);
  }
  static ContactSurface OfFlex(const mjModel* m, int flex) {
    return {
        m->flex_condim[flex],         m->flex_priority[flex],         m->flex_solmix[flex],          m->flex_gap[flex],
        Row3(m->flex_friction, flex), m->flex_solref + mjNREF * flex, m->flex_solimp + mjNIMP * flex};
  }
};

// Named numbers instead of arrays, so that the compiler keeps them in registers.
struct ContactFriction {
  double sliding1, sliding2, torsional, rolling1, rolling2;

  static ContactFriction Load(const double* five) {
    const auto at = [five](int i) { return std::max(mjMINMU, five[i]); };
    return {at(0), at(1), at(2), at(3), at(4)};
  }
  // The three coefficients of a surface become the five of a contact.
  static ContactFriction Expand(double sliding, double torsional, double rolling) {
    sliding = std::max(mjMINMU, sliding);
    rolling = std::max(mjMINMU, rolling);
    return {sliding, sliding, std::max(mjMINMU, torsional), rolling, rolling};
  }
};

struct ContactImpedance {
  double d0;
  Four rest;

  static ContactImpedance Load(const double* solimp) { return {solimp[0], LoadFour(solimp + 1)}; }
};
static_assert(mjNREF == 2 && mjNIMP == 5);

struct ContactParameters {
  using Two = Pack<double, 2>;

  int dim;
  ContactFriction friction;
  Two solref, solreffriction;
  ContactImpedance solimp;

  static ContactParameters OfSurface(const ContactSurface& s) {
    return {s.condim, ContactFriction::Expand(s.friction[0], s.friction[1], s.friction[2]), LoadTwo(s.solref), Two(0.0),
            ContactImpedance::Load(s.solimp)};
  }

  static ContactParameters OfPair(const mjModel* m, int pair) {
    return {m->pair_dim[pair], ContactFriction::Load(m->pair_friction + 5 * pair),
            LoadTwo(m->pair_solref + mjNREF * pair), LoadTwo(m->pair_solreffriction + mjNREF * pair),
            ContactImpedance::Load(m->pair_solimp + mjNIMP * pair)};
  }

  // The surface of higher priority decides. Of equal ones, friction is the larger of each coefficient, and the rest is
  // the mean weighted by solmix.
  static ContactParameters Mix(const ContactSurface& a, const ContactSurface& b) {
    if (a.priority != b.priority) return OfSurface(a.priority > b.priority ? a : b);
    const auto larger = [&](int i) { return std::max(a.friction[i], b.friction[i]); };

    // A solref that is not positive holds stiffness and damping, which do not average with time constants.
    const double weight = MixWeight(a.solmix, b.solmix), rest = 1 - weight;
    const Two solref1 = LoadTwo(a.solref), solref2 = LoadTwo(b.solref);
    const bool times = a.solref[0] > 0 && b.solref[0] > 0;
    const ContactImpedance imp1 = ContactImpedance::Load(a.solimp), imp2 = ContactImpedance::Load(b.solimp);
    return {std::max(a.condim, b.condim),
            ContactFriction::Expand(larger(0), larger(1), larger(2)),
            times ? solref1 * weight + solref2 * rest : Min(solref1, solref2),
            Two(0.0),
            {weight * imp1.d0 + rest * imp2.d0, imp1.rest * InAllLanes(weight) + imp2.rest * InAllLanes(rest)}};
  }

  // mjENBL_OVERRIDE: all contacts have the parameters of the options, and their own dimension.
  static ContactParameters Overridden(const mjOption& opt, int dim) {
    return {dim, ContactFriction::Load(opt.o_friction), LoadTwo(opt.o_solref), LoadTwo(opt.o_solref),
            ContactImpedance::Load(opt.o_solimp)};
  }

  // Into a contact, all of them.
  void Store(mjContact& contact) const {
    contact.dim = dim;
    const double five[] = {friction.sliding1, friction.sliding2, friction.torsional, friction.rolling1,
                           friction.rolling2};
    std::copy_n(five, 5, contact.friction);
    StoreTwo(solref, contact.solref);
    StoreTwo(solreffriction, contact.solreffriction);
    contact.solimp[0] = solimp.d0;
    StoreFour(solimp.rest, contact.solimp + 1);
  }

 private:
  // Share of the first surface in the mean.
  static double MixWeight(double solmix1, double solmix2) {
    if (solmix1 == solmix2) return 0.5;  // as for most pairs: there is nothing to divide
    if (solmix1 >= mjMINVAL && solmix2 >= mjMINVAL) return solmix1 / (solmix1 + solmix2);
    if (solmix1 < mjMINVAL && solmix2 < mjMINVAL) return 0.5;
    return solmix1 < mjMINVAL ? 0 : 1;
  }
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONTACT_PARAMETERS_H_
