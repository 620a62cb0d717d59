// Muscles with tendons: checks their parameters, builds curves of their own shape, and warns of paths and time steps
// that cannot work (docs/how/musculotendon.md).
#include "compile/constants/musculotendon.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compile/diagnose.h"
#include "core/real_text.h"
#include "core/warning.h"
#include "force/actuation.h"
#include "force/muscle_curves.h"
#include "force/musculotendon_kernel.h"
#include "model/storage/extension.h"

namespace sinew::inline compile {
namespace {

void Demand(bool holds, const std::string& problem, const char* remedy) {
  if (!holds) throw Error(problem, remedy);
}

std::string Given(const char* name, double value) { return std::string(name) + " is " + TextOfReal(value); }

void CheckPositive(const char* name, double value) {
  Demand(value > 0 && std::isfinite(value), Given(name, value), "give a positive number");
}

// Every rule here keeps the equilibrium of fibre and tendon solvable.
void CheckParameters(const Actuator& source) {
  constexpr double kLargestPennation = 1.47;  // below arccos 0.1, where the fibre's pull on the tendon vanishes
  const double *gain = source.gainprm, *dyn = source.dynprm;
  CheckPositive("force", gain[kPeakForce]);
  CheckPositive("fiberlength", gain[kFiberLength]);
  CheckPositive("slacklength", gain[kSlackLength]);
  CheckPositive("vmax", gain[kLargestVelocity]);
  CheckPositive("stiffnessscale", gain[kStiffnessScale]);
  CheckPositive("timeconst of activation", dyn[kActivationTime]);
  CheckPositive("timeconst of deactivation", dyn[kDeactivationTime]);
  Demand(gain[kFiberDamping] >= 0 && std::isfinite(gain[kFiberDamping]), Given("fiberdamping", gain[kFiberDamping]),
         "give a finite number of at least 0");
  Demand(dyn[kSmoothing] >= 0, Given("tausmooth", dyn[kSmoothing]), "give a number of at least 0");
  Demand(dyn[kLeastActivation] >= 0 && dyn[kLeastActivation] < 1, Given("minact", dyn[kLeastActivation]),
         "give a number from 0 to below 1");
  Demand(dyn[kMuscleMass] >= 0 && std::isfinite(dyn[kMuscleMass]), Given("musclemass", dyn[kMuscleMass]),
         "give kilograms, or 0 for the mass that follows from force and fibre length");
  Demand(dyn[kSlowShare] >= 0 && dyn[kSlowShare] <= 1, Given("slowshare", dyn[kSlowShare]), "give a share from 0 to 1");
  const double pennation = PennationOf(source);
  Demand(pennation >= 0 && pennation < kLargestPennation, "pennation is " + TextOfReal(pennation) + " rad",
         "give an angle from 0 to 84 degrees; compiler/angle says in which unit");
  const bool undamped = gain[kFiberDamping] < kMinFiberDamping;
  Demand(!undamped || dyn[kLeastActivation] >= 0.01, "an undamped fibre at zero activation has no velocity",
         "give fiberdamping of at least 0.001, or minact of at least 0.01");
  Demand(!source.actearly, "actearly is not for muscles with tendons", "remove it");
  Demand(!source.plugin.active, "a muscle with a tendon is no plugin", "use one of the two");
}

template <size_t N>
// A shape is given by all its numbers or not at all.
void Override(const std::vector<double>& given, const char* name, std::array<double, N>* shape) {
  if (given.empty()) return;
  Demand(given.size() == N, Given(name, static_cast<double>(given.size())) + " numbers long",
         "see docs/how/musculotendon.md");
  std::copy(given.begin(), given.end(), shape->begin());
}

template <class Shapes>
Shapes OwnShapes(const ActuatorExtension& given, Shapes shapes) {
  Override(given.active, "activecurve", &shapes.active);
  Override(given.velocity, "velcurve", &shapes.velocity);
  Override(given.passive, "passivecurve", &shapes.passive);
  Override(given.tendon, "tendoncurve", &shapes.tendon);
  return shapes;
}

// The curves of an actuator that gives them a shape.
std::vector<double> CurvesOfShape(const Actuator& source) {
  const double set = source.gainprm[kCurves];
  std::vector<double> numbers(kCurveSetNumbers);
  if (set == static_cast<int>(CurveSet::kThelen)) {
    BuildThelenCurves(OwnShapes(source.extension, ThelenShapes()), numbers.data());
    return numbers;
  }
  Demand(set == static_cast<int>(CurveSet::kMillard), "shapes belong to Millard's and Thelen's curves",
         "remove the shapes, or set curves to 'millard' or 'thelen'");
  const bool undamped = source.gainprm[kFiberDamping] < kMinFiberDamping;
  BuildMillardCurves(OwnShapes(source.extension, undamped ? UndampedShapes() : CurveShapes()), numbers.data());
  return numbers;
}

// Whether a model may have rows of constraints.
bool MayHaveRows(const mjModel* m) {
  const auto any = [](const auto* numbers, mjtSize count) {
    return std::any_of(numbers, numbers + count, [](auto x) { return x != 0; });
  };
  return m->neq > 0 || m->npair > 0 || any(m->jnt_limited, m->njnt) || any(m->tendon_limited, m->ntendon) ||
         any(m->dof_frictionloss, m->nv) || any(m->tendon_frictionloss, m->ntendon) ||
         (any(m->geom_contype, m->ngeom) && any(m->geom_conaffinity, m->ngeom));
}

// Told at the first of these muscles: implicit integrators solve rows with the inertia alone, and then move the world
// by a matrix that has the stiffness of tendons in it.
void CheckIntegratorOfMuscles(const Actuator& source, const mjModel* m, int actuator) {
  const bool parts = m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
  for (int i = 0; i < actuator; ++i) {
    if (IsMusculotendon(m, i)) return;
  }
  if (!parts || !MayHaveRows(m)) return;
  Warn("%s", Error("implicit integrators open constraints beside muscles with tendons, since they solve both apart",
                   "use integrator discrete, which solves both in one metric", Place(source))
                 .what());
}

}  // namespace

double PennationOf(const Actuator& source) {
  constexpr double kDegree = 3.14159265358979323846 / 180;
  return source.gainprm[kPennation] * (source.compiler().degree ? kDegree : 1);
}

int DraftMusculotendon(const Actuator& source, Draft& draft) {
  CheckParameters(source);
  const ActuatorExtension& e = source.extension;
  if (e.active.empty() && e.velocity.empty() && e.passive.empty() && e.tendon.empty()) return -1;
  const std::vector<double> numbers = CurvesOfShape(source);

  // muscles of one shape share their curves
  for (size_t i = 0; i < draft.extensions.size(); ++i) {
    if (draft.extensions[i].data == numbers) return static_cast<int>(i);
  }
  const std::string name = std::string(kExtensionPrefix) + "curves/" + std::to_string(draft.extensions.size());
  draft.extensions.push_back({name, numbers});
  return static_cast<int>(draft.extensions.size()) - 1;
}

void CheckMusculotendonPath(const Actuator& source, const mjModel* m, int actuator) {
  const double length = m->actuator_length0[actuator];
  Demand(length > 0, "the path is " + TextOfReal(length) + " m long at the reference configuration",
         "a muscle with a tendon needs a path with a length, as a spatial tendon has");
  const double pull = RestingTendonForce(m, actuator, /*act=*/1, length);
  if (pull <= 0) {
    Warn("%s", Error("the path of " + TextOfReal(length) + " m is so short that the tendon is slack at full activation",
                     "check slacklength and fiberlength", Place(source))
                   .what());
  }
  CheckIntegratorOfMuscles(source, m, actuator);
  const double limit = LargestFiberStep(m, actuator);
  if (m->opt.integrator == mjINT_RK4 && m->opt.timestep > limit) {
    Warn("%s",
         Error("Runge-Kutta steps of this fibre are unstable above " + TextOfReal(limit) + " s",
               "use an implicit integrator or Euler, reduce the timestep, or make the tendon rigid", Place(source))
             .what());
  }
}

}  // namespace sinew::inline compile
