// Laws of compliant contacts: checks, and the number array that holds them.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/topology/relations.h"
#include "core/real_text.h"
#include "core/warning.h"
#include "model/kinds/contact_law.h"
#include "model/kinds/integrator.h"
#include "model/storage/error_control.h"
#include "spec/lists.h"

namespace sinew::inline compile {
namespace {

void Demand(bool holds, const std::string& problem, const char* remedy) {
  if (!holds) throw Error(problem, remedy);
}

bool IsCompliant(const ContactLawValues& law) {
  return law[kLawModel] >= static_cast<int>(ContactModel::kHertz);  // one that is not given is not
}

constexpr const char* kNames[kLawNumbers] = {
    "contactmodel",     "modulus",     "stiffness", "dissipation", "static friction", "dynamic friction",
    "viscous friction", "frictionlaw", "curvature", "slipspeed",   "mixing"};

// Numbers that are given; `mixing` is the one in force.
void CheckLaw(const ContactLawValues& law, ContactMixing mixing) {
  for (int i = 0; i < kLawNumbers; ++i) {
    const double value = law[static_cast<std::size_t>(i)];
    Demand(std::isnan(value) || (value >= 0 && std::isfinite(value)),
           std::string(kNames[i]) + " is " + TextOfReal(value), "give a number of at least 0");
  }
  Demand(!(law[kLawSlipSpeed] == 0), "slipspeed is 0",
         "give a positive number; friction of a compliant contact needs slip");
  Demand(!(law[kLawStatic] < law[kLawDynamic]), "static friction is less than dynamic friction",
         "give cfriction as static, dynamic, viscous");
  if (!IsCompliant(law)) return;
  const bool linear = law[kLawModel] != static_cast<int>(ContactModel::kHertz);
  const bool hyfydy = mixing == ContactMixing::kHyfydy;
  if (linear)
    return Demand(law[kLawStiffness] > 0, "a linear or damped contact has no stiffness", "give stiffness [N/m]");
  Demand(law[kLawModulus] > 0 || (hyfydy && law[kLawStiffness] > 0), "a Hertz contact has no modulus",
         hyfydy ? "give stiffness, or modulus [Pa]" : "give modulus [Pa]");
}

double Given(double value, double otherwise) { return std::isnan(value) ? otherwise : value; }

// The row of a geom, whose friction is that of the solver unless it is given.
void AppendGeom(const Geom& geom, std::vector<double>* numbers) {
  ContactLawValues row = geom.contact_law;
  const double sliding = geom.friction[0];
  row[kLawStatic] = Given(row[kLawStatic], sliding);
  row[kLawDynamic] = Given(row[kLawDynamic], sliding);
  for (double& value : row) value = Given(value, 0);
  numbers->insert(numbers->end(), row.begin(), row.end());
}

// The longest stable step of an explicit method against the stiffness of a contact that carries the weight of the body
// of `geom`, and against its friction; of one surface on a rigid one.
struct StepLimits {
  double elastic, friction;
};
StepLimits LimitsOf(const mjModel* m, int geom, const ContactLawValues& law, ContactMixing mixing, double slip) {
  const double mass = 1 / std::max(mjMINVAL, m->body_invweight0[2 * m->geom_bodyid[geom]]);
  const double g = std::hypot(m->opt.gravity[0], m->opt.gravity[1], m->opt.gravity[2]);
  double slope = law[kLawStiffness];
  if (law[kLawModel] == static_cast<int>(ContactModel::kHertz)) {
    const double radius = law[kLawCurvature] > 0 ? law[kLawCurvature] : std::max(m->geom_rbound[geom], 1e-3);
    const double k = 4.0 / 3 * std::sqrt(radius) * law[kLawModulus];
    const bool of_stiffness = mixing == ContactMixing::kHyfydy && law[kLawStiffness] > 0;
    // f = k x^1.5: slope 1.5 k^(2/3) f^(1/3); Hyfydy's materials have k^(2/3)
    slope = 1.5 * (of_stiffness ? law[kLawStiffness] : std::cbrt(k * k)) * std::cbrt(mass * g);
  }
  const bool step_law = law[kLawFriction] == static_cast<int>(FrictionLaw::kStep);
  const double rise = step_law ? 1.875 * law[kLawStatic] : 2 * law[kLawStatic] - law[kLawDynamic];
  constexpr double kStable = 2;  // of semi-implicit Euler; other explicit methods are of the same order
  const bool viscous = law[kLawFriction] == static_cast<int>(FrictionLaw::kViscous);
  const double friction = viscous ? mass / std::max(mjMINVAL, law[kLawViscous]) : slip / std::max(mjMINVAL, rise * g);
  return {kStable / std::sqrt(std::max(mjMINVAL, slope / mass)), kStable * friction};
}

// Warns of the first contact whose stiffness or friction the time step of a compiled model does not bear.
class ContactStepCheck {
 public:
  ContactStepCheck(const Draft& draft, const mjModel* m, const ContactLaws& laws)
      : draft_(draft),
        m_(m),
        laws_(laws),
        mixing_(static_cast<ContactMixing>(static_cast<int>(laws.numbers[kOptionMixing]))),
        slip_(laws.numbers[kOptionSlipSpeed]) {}

  void Run() const {
    for (int i = 0; i < m_->ngeom; ++i) {
      if (IsCompliant(LawOf(i)) && GeomWarns(i)) return;
    }
    for (int i = 0; i < m_->npair; ++i) {
      if (PairWarns(i)) return;
    }
  }

 private:
  ContactLawValues LawOf(int geom) const {
    ContactLawValues law;
    std::copy_n(laws_.Geom(geom), law.size(), law.begin());
    return law;
  }
  bool Moves(int geom) const { return m_->body_weldid[m_->geom_bodyid[geom]] != 0; }

  // A surface that moves is judged by its own body, one that does not by each that may touch it.
  bool GeomWarns(int geom) const {
    const ContactLawValues law = LawOf(geom);
    const auto warns = [&](int moving) {
      return Warns(*FindGeom(draft_, geom).source, LimitsOf(m_, moving, law, mixing_, slip_));
    };
    if (Moves(geom)) return warns(geom);
    for (int i = 0; i < m_->ngeom; ++i) {
      const bool touches = (m_->geom_contype[geom] & m_->geom_conaffinity[i]) != 0 ||
                           (m_->geom_contype[i] & m_->geom_conaffinity[geom]) != 0;
      if (touches && Moves(i) && !IsCompliant(LawOf(i)) && warns(i)) return true;
    }
    return false;
  }

  // Whether a pair needs the warning. Values that it does not give are those of its geoms.
  bool PairWarns(int pair) const {
    const int geoms[] = {m_->pair_geom1[pair], m_->pair_geom2[pair]};
    const ContactLawValues of_geom = LawOf(IsCompliant(LawOf(geoms[0])) ? geoms[0] : geoms[1]);
    ContactLawValues law;
    std::copy_n(laws_.Pair(m_, pair), law.size(), law.begin());
    const double slip = law[kLawSlipSpeed] > 0 ? law[kLawSlipSpeed] : slip_;
    const auto mixing = law[kLawMixing] >= 0 ? static_cast<ContactMixing>(static_cast<int>(law[kLawMixing])) : mixing_;
    for (std::size_t i = 0; i < law.size(); ++i) {
      if (law[i] < 0) law[i] = of_geom[i];
    }
    if (!IsCompliant(law)) return false;
    const Element& place = *draft_.pairs[static_cast<std::size_t>(pair)].source;
    return std::any_of(std::begin(geoms), std::end(geoms),
                       [&](int i) { return Moves(i) && Warns(place, LimitsOf(m_, i, law, mixing, slip)); });
  }

  bool Warns(const Element& element, const StepLimits& limits) const {
    const bool implicit = IsImplicit(m_) && !IsDiscrete(m_);
    const double h = m_->opt.timestep;
    if (h > limits.elastic) {
      Warn("%s", Error("steps of this contact are unstable above " + TextOfReal(limits.elastic) + " s",
                       "reduce the timestep or the stiffness, or use the integrator merson", Place(element))
                     .what());
      return true;
    }
    if (!implicit && h > limits.friction) {
      Warn("%s", Error("friction of this contact is unstable above " + TextOfReal(limits.friction) + " s",
                       "use the integrator implicitfast or merson, or a larger slipspeed", Place(element))
                     .what());
      return true;
    }
    return false;
  }

  const Draft& draft_;
  const mjModel* m_;
  const ContactLaws& laws_;
  const ContactMixing mixing_;
  const double slip_;
};

}  // namespace

void CheckContactSteps(const Draft& draft, const mjModel* m) {
  const ContactLaws laws = FindContactLaws(m);
  if (laws && !IsErrorControlled(m->opt.integrator)) ContactStepCheck(draft, m, laws).Run();
}

namespace {

// In a model without a compliant contact, numbers of their laws have no effect: the first geom that has one is named.
void WarnOfUnusedLaw(const Draft& draft) {
  for (int i = 0; i < static_cast<int>(draft.geoms.size()); ++i) {
    const Geom& geom = *FindGeom(draft, i).source;
    for (int k : {kLawModulus, kLawStiffness, kLawDissipation, kLawCurvature}) {
      if (std::isnan(geom.contact_law[static_cast<std::size_t>(k)])) continue;
      Warn("%s", Error(std::string(kNames[k]) + " has no effect, as no contactmodel is hertz, linear or damped",
                       "give contactmodel, or remove it", Place(geom))
                     .what());
      return;
    }
  }
}

}  // namespace

void DraftContactLaws(Draft& draft) {
  ErrorList errors;
  std::vector<double> numbers = {kDefaultSlipSpeed, 0};
  if (Numeric* given = draft.spec.Find<Numeric>(kContactOptionArray)) {
    errors.At(*given, [&] {
      CheckLists(*given);
      Demand((*given->data)[kOptionSlipSpeed] > 0, "slipspeed is not positive", "give a speed [m/s], as 0.01");
      const double mixing = (*given->data)[kOptionMixing];
      Demand(mixing == 0 || mixing == 1, "mixing is neither 0 nor 1", "use the option element");
    });
    errors.Throw();
    numbers = *given->data;
  }
  const auto mixing = static_cast<ContactMixing>(static_cast<int>(numbers[kOptionMixing]));
  bool any = false;
  for (int i = 0; i < static_cast<int>(draft.geoms.size()); ++i) {
    const Geom& geom = *FindGeom(draft, i).source;
    errors.At(geom, [&] { CheckLaw(geom.contact_law, mixing); });
    any |= IsCompliant(geom.contact_law);
    AppendGeom(geom, &numbers);
  }
  for (const PairDraft& pair : draft.pairs) {
    const ContactLawValues& law = pair.source->contact_law;
    errors.At(*pair.source, [&] {
      const bool own = !std::isnan(law[kLawMixing]);
      const auto mixing_here = own ? static_cast<ContactMixing>(static_cast<int>(law[kLawMixing])) : mixing;
      // stiffness may be that of the geoms
      const auto kind = [&](int geom) { return FindGeom(draft, geom).source->contact_law[kLawModel]; };
      const bool of_geoms = kind(pair.geom1) == law[kLawModel] || kind(pair.geom2) == law[kLawModel];
      ContactLawValues checked = law;
      if (of_geoms) checked[kLawModel] = std::nan("");
      CheckLaw(checked, mixing_here);
    });
    any |= IsCompliant(law);
    for (const double value : law) numbers.push_back(Given(value, kNotGiven));
  }
  errors.Throw();
  if (!any) return WarnOfUnusedLaw(draft);
  draft.extensions.push_back({kContactLawArray, std::move(numbers)});
}

}  // namespace sinew::inline compile
