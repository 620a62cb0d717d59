// Limit forces of joints, ligaments along tendons and bushings between sites (docs/how/passive-elements.md): checks,
// and the number arrays that hold them.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/topology/relations.h"
#include "compile/tree/function_array.h"
#include "compile/tree/motion.h"
#include "core/real_text.h"
#include "math/cholesky.h"
#include "math/piecewise_forms.h"
#include "model/kinds/bushing.h"
#include "model/kinds/spring_law.h"

namespace sinew::inline compile {
namespace {

void RequireNotNegative(double value, const std::string& what, const char* remedy) {
  if (!(value >= 0) || !std::isfinite(value)) throw Error(what + " is " + TextOfReal(value), remedy);
}
void RequirePositive(double value, const std::string& what, const char* remedy) {
  if (!(value > 0) || !std::isfinite(value)) throw Error(what + " is " + TextOfReal(value), remedy);
}

// ---- springs by functions

// Functions of an element: energy and damping; no damping where it is empty.
struct LawDraft {
  std::vector<double> energy, damping;
  bool only_lengthens = false;
};

void CheckLimitForce(const LimitForce& limit) {
  if (!std::isfinite(limit.range[0]) || !std::isfinite(limit.range[1]) || limit.range[0] > limit.range[1]) {
    throw Error("range of the limit force is " + TextOfReal(limit.range[0]) + " " + TextOfReal(limit.range[1]),
                "give the lower end first, in radians or metres");
  }
  for (const double stiffness : limit.stiffness) {
    RequireNotNegative(stiffness, "stiffness of the limit force", "give N m/rad or N/m, at least 0");
  }
  RequireNotNegative(limit.damping, "damping of the limit force", "give N m s/rad or N s/m, at least 0");
  RequireNotNegative(limit.force_damping, "forcedamping of the limit force", "give s/rad or s/m, at least 0");
  RequireNotNegative(limit.transition, "transition of the limit force",
                     "give the length of the transition in radians or metres, or 0 for none");
}

// Stiffness and damping rise from none at an end to all behind the transition. A part of the damping may be in
// proportion to the force.
LawDraft SmoothEnd(const LimitForce& limit, double at, double k, double side) {
  const double width = side * limit.transition;
  LawDraft law = {IntegralPieces(SmoothRampPieces(at, width, k), at), {}, false};
  if (limit.damping > 0) law.damping = SmoothStepPieces(at, width, limit.damping);
  if (limit.force_damping > 0) {
    const std::vector<double> by_force = SmoothRampPieces(at, width, side * limit.force_damping * k);
    law.damping = law.damping.empty() ? by_force : SumPieces(by_force, law.damping);
  }
  return law;
}

// Without a transition both are there at once.
LawDraft SharpEnd(const LimitForce& limit, double at, double k, double side) {
  LawDraft law = {HalfLinePieces(at, side > 0, std::vector<double>{0, 0, k / 2}), {}, false};
  if (limit.damping > 0 || limit.force_damping > 0) {
    law.damping = HalfLinePieces(at, side > 0, std::vector<double>{limit.damping, side * limit.force_damping * k});
  }
  return law;
}

// A law for each end that is stiff.
void AppendLimitForce(const LimitForce& limit, std::vector<LawDraft>* laws) {
  for (const int end : {0, 1}) {
    const double k = limit.stiffness[end], at = limit.range[end], side = end == 0 ? -1 : 1;
    if (k == 0) continue;
    laws->push_back(limit.transition > 0 ? SmoothEnd(limit, at, k, side) : SharpEnd(limit, at, k, side));
  }
}

std::vector<LawDraft> LimitLaws(const Joint& joint) {
  std::vector<LawDraft> laws;
  for (const LimitForce& limit : joint.limit_forces) {
    AtTerm(limit, [&] {
      if (joint.type != mjJNT_HINGE && joint.type != mjJNT_SLIDE) {
        throw Error("a joint of more than one coordinate has a limit force", "give it to a hinge or slide");
      }
      CheckLimitForce(limit);
      AppendLimitForce(limit, &laws);
    });
  }
  return laws;
}

// k e^2 / (2 e_t) up to the strain e_t, and the line that goes on from there.
std::vector<double> BlankevoortForce(const Ligament& ligament) {
  const double l0 = ligament.slack_length, et = ligament.transition, k = ligament.stiffness;
  return {3,
          2,
          l0,
          l0 * (1 + et),  // pieces, degree, their ends
          l0,
          0,
          0,
          0,  // slack
          l0,
          0,
          0,
          k / (2 * et * l0 * l0),  // toe
          l0 * (1 + et),
          k * et / 2,
          k / l0,
          0};  // line
}

LawDraft BlankevoortLaw(const Ligament& ligament) {
  RequireNotNegative(ligament.stiffness, "stiffness of the ligament", "give newtons per strain, at least 0");
  RequirePositive(ligament.transition, "transition of the ligament", "give the strain where the toe ends");
  RequireNotNegative(ligament.damping, "damping of the ligament", "give N s, at least 0");
  const double l0 = ligament.slack_length;
  LawDraft law = {IntegralPieces(BlankevoortForce(ligament), l0), {}, true};
  if (ligament.damping > 0) law.damping = PiecesFrom(l0, ligament.damping / l0, 1, PolynomialPieces(std::vector{1.0}));
  return law;
}

LawDraft CurveLaw(const Ligament& ligament) {
  RequireNotNegative(ligament.force, "force of the ligament", "give newtons, at least 0");
  const std::vector<double> curve = FunctionNumbers(*ligament.curve);
  if (PiecewiseAt(curve, 0).coefficients >= kMostCoefficients) {
    throw Error("the curve of a ligament has " + std::to_string(kMostCoefficients) + " coefficients",
                "give at most " + std::to_string(kMostCoefficients - 1) + ", or a spline");
  }
  const double l0 = ligament.slack_length;
  return {IntegralPieces(PiecesFrom(l0, ligament.force, l0, curve), l0), {}, false};
}

std::vector<LawDraft> LigamentLaws(const Tendon& tendon) {
  std::vector<LawDraft> laws;
  for (const Ligament& ligament : tendon.ligaments) {
    AtTerm(ligament, [&] {
      RequirePositive(ligament.slack_length, "slacklength of the ligament", "give a positive length in metres");
      laws.push_back(ligament.curve ? CurveLaw(ligament) : BlankevoortLaw(ligament));
    });
  }
  return laws;
}

// The laws of a joint or tendon, by its head in the array.
void AppendLaws(int head, const std::vector<LawDraft>& laws, FunctionArray* array) {
  if (laws.empty()) return;
  if (laws.size() > kMostSpringLaws) {
    throw Error("there are " + std::to_string(laws.size()) + " limit forces or ligaments on one element",
                "give at most " + std::to_string(kMostSpringLaws));
  }
  array->Begin(head);
  array->Append(static_cast<double>(laws.size()));
  for (const LawDraft& law : laws) {
    array->AppendAddressOf(law.energy);
    if (law.damping.empty()) {
      array->Append(-1);  // none
    } else {
      array->AppendAddressOf(law.damping);
    }
    array->Append(law.only_lengthens ? 1 : 0);
  }
}

void DraftSpringLaws(Draft& draft) {
  ErrorList errors;
  FunctionArray array(draft.joints.size() + draft.tendons.size());
  std::vector<std::vector<LawDraft>> laws(draft.joints.size() + draft.tendons.size());  // outlive the array
  for (int id = 0; id < static_cast<int>(laws.size()); ++id) {
    std::vector<LawDraft>& own = laws[static_cast<std::size_t>(id)];
    const int tendon = id - static_cast<int>(draft.joints.size());
    const Element& element = tendon < 0 ? static_cast<const Element&>(*FindJoint(draft, id).source)
                                        : *draft.tendons[static_cast<std::size_t>(tendon)].source;
    errors.At(element, [&] {
      own = tendon < 0 ? LimitLaws(static_cast<const Joint&>(element))
                       : LigamentLaws(static_cast<const Tendon&>(element));
      AppendLaws(id, own, &array);
    });
  }
  errors.Throw();
  if (!array.empty()) draft.extensions.push_back({kSpringLawArray, array.Take()});
}

// ---- bushings

constexpr std::size_t kAxes = kBushingAxes;

// All 36 numbers.
std::vector<double> FullStiffness(const std::vector<double>& given) {
  if (given.size() == kAxes * kAxes) return given;
  if (given.size() != kAxes) {
    throw Error("stiffness of the bushing has " + std::to_string(given.size()) + " numbers",
                "give 6, three of rotations and three of translations, or a symmetric matrix of 36");
  }
  std::vector<double> matrix(kAxes * kAxes, 0);
  for (std::size_t i = 0; i < kAxes; ++i) matrix[(kAxes + 1) * i] = given[i];
  return matrix;
}

void CheckStiffness(const std::vector<double>& matrix) {
  double largest = 0;
  for (const double k : matrix) {
    if (!std::isfinite(k)) throw Error("stiffness of the bushing is " + TextOfReal(k), "give finite numbers");
    largest = std::max(largest, std::abs(k));
  }
  for (std::size_t i = 0; i < kAxes; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      // rounding of numbers that are written with 6 digits
      if (std::abs(matrix[kAxes * i + k] - matrix[kAxes * k + i]) <= 1e-5 * largest) continue;
      throw Error("stiffness of the bushing is not symmetric", "give a symmetric matrix, which has an energy");
    }
  }
  if (largest == 0) return;
  // positive, but for rounding: a little more on the diagonal makes it definite
  std::vector<double> shifted = matrix;
  for (std::size_t i = 0; i < kAxes; ++i) shifted[(kAxes + 1) * i] += 1e-6 * largest;
  if (FactorCholesky(shifted.data(), kBushingAxes, 0) < kBushingAxes) {
    throw Error("stiffness of the bushing is negative in some direction", "give a matrix without negative eigenvalues");
  }
}

std::vector<double> CheckedDamping(const std::vector<double>& given) {
  if (given.empty()) return std::vector<double>(kAxes, 0);
  if (given.size() != kAxes) {
    throw Error("damping of the bushing has " + std::to_string(given.size()) + " numbers",
                "give 6, three of rotations and three of translations");
  }
  for (const double damping : given) {
    RequireNotNegative(damping, "damping of the bushing", "give N m s/rad and N s/m, at least 0");
  }
  return given;
}

bool Moves(const Draft& draft, int site) {
  const PartRef& ref = draft.sites[static_cast<std::size_t>(site)];
  return !draft.bodies[static_cast<std::size_t>(ref.body)].sites[ref.index].motion.empty();
}

void AppendBushing(const Draft& draft, int site, const Bushing& bushing, std::vector<double>* numbers) {
  if (bushing.site.empty()) throw Error("the bushing has no second site", "name one as site");
  const int other = Require(draft.spec, mjOBJ_SITE, bushing.site).id;
  if (other == site) throw Error("the bushing joins a site with itself", "name another site");
  if (Moves(draft, site) || Moves(draft, other)) {
    throw Error("a bushing is on a site that moves by a function of a coordinate", "let it act on another site");
  }
  const std::vector<double> stiffness = FullStiffness(bushing.stiffness), damping = CheckedDamping(bushing.damping);
  CheckStiffness(stiffness);
  numbers->insert(numbers->end(), {static_cast<double>(site), static_cast<double>(other)});
  numbers->insert(numbers->end(), stiffness.begin(), stiffness.end());
  numbers->insert(numbers->end(), damping.begin(), damping.end());
}

void DraftBushings(Draft& draft) {
  ErrorList errors;
  std::vector<double> numbers;
  for (int id = 0; id < static_cast<int>(draft.sites.size()); ++id) {
    const PartRef& ref = draft.sites[static_cast<std::size_t>(id)];
    const Site& site = *draft.bodies[static_cast<std::size_t>(ref.body)].sites[ref.index].source;
    for (const Bushing& bushing : site.bushings) {
      errors.At(site, [&] { AtTerm(bushing, [&] { AppendBushing(draft, id, bushing, &numbers); }); });
    }
  }
  errors.Throw();
  if (!numbers.empty()) draft.extensions.push_back({kBushingArray, std::move(numbers)});
}

}  // namespace

void DraftPassiveElements(Draft& draft) {
  DraftSpringLaws(draft);
  DraftBushings(draft);
}

}  // namespace sinew::inline compile
