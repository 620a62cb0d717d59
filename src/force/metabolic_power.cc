#include "force/metabolic_power.h"

#include <algorithm>
#include <cmath>

#include "force/actuation.h"
#include "force/actuation_kernel.h"
#include "force/reflex.h"
#include "model/storage/extension.h"

namespace sinew::inline force {
namespace {

constexpr double kQuarterTurn = 1.57079632679489661923;
constexpr double kSpecificTension = 0.25e6;  // Pa
constexpr double kDensity = 1059.7;          // kg/m^3, of muscle
constexpr double kLeastHeat = 1;             // W/kg, of a muscle (Umberger and others 2003)

// Excitation of slow and of fast twitch fibres (Bhargava 2004): slow ones are recruited first.
struct Recruitment {
  double slow, fast;
};
Recruitment RecruitmentOf(const MetabolicState& muscle) {
  const double angle = kQuarterTurn * muscle.excitation;
  return {muscle.slow_share * std::sin(angle), (1 - muscle.slow_share) * (1 - std::cos(angle))};
}

// The share of slow fibres among those that are excited.
double ExcitedSlowShare(const MetabolicState& muscle) {
  const Recruitment excited = RecruitmentOf(muscle);
  return muscle.excitation == 0 ? 1 : excited.slow / (excited.slow + excited.fast);
}

// The work that the active fibre does, negative while it lengthens [W].
double WorkRate(const MetabolicState& muscle) { return -muscle.active_force * muscle.velocity * muscle.optimal_length; }

// Heat and work. The fibre takes no energy in as a whole, and has at least the least heat.
double TotalPower(double heat, double work, double mass) {
  return std::max(std::max(heat, -work), kLeastHeat * mass) + work;
}

// The share of maintenance heat that a fibre of length n has, against one of optimal length (Bhargava 2004).
double MaintenanceByLength(double n) {
  if (n < 0.5) return 0.5;
  return n < 1 ? n : std::max(0.0, 3 - 2 * n);
}

}  // namespace

double UmbergerPower(const MetabolicState& muscle) {
  constexpr double kLengthening = 4;  // heat of lengthening over that of shortening of slow fibres
  constexpr double kAerobic = 1.5;
  constexpr double kSlowestRatio = 2.5;               // largest velocity of fast fibres over that of slow ones
  constexpr double kFastHeat = 153, kSlowHeat = 100;  // W/kg, of shortening at the largest velocity
  const double slow = ExcitedSlowShare(muscle), v = muscle.velocity;
  const double u = muscle.excitation, a = muscle.activation, A = u > a ? u : 0.5 * (u + a);

  // activation and maintenance; a longer fibre has fewer cross bridges
  const double rest = 128 * (1 - slow) + 25;
  const double by_length = muscle.n <= 1 ? 1 : 0.4 + 0.6 * muscle.length_factor;
  const double maintenance = kAerobic * std::pow(A, 0.6) * rest * by_length;

  const double fast_factor = kFastHeat / muscle.largest_velocity;
  const double slow_factor = kSlowHeat / (muscle.largest_velocity / kSlowestRatio);
  double shortening;
  if (v <= 0) {
    const double of_slow = std::min(-slow_factor * v, kSlowHeat);
    shortening = kAerobic * A * A * (of_slow * slow - fast_factor * v * (1 - slow));
  } else {
    shortening = kAerobic * A * kLengthening * slow_factor * v;
  }
  if (muscle.n > 1) shortening *= muscle.length_factor;
  return TotalPower((maintenance + shortening) * muscle.mass, WorkRate(muscle), muscle.mass);
}

double BhargavaPower(const MetabolicState& muscle) {
  constexpr double kSlowActivation = 40, kFastActivation = 133;    // W/kg
  constexpr double kSlowMaintenance = 74, kFastMaintenance = 111;  // W/kg
  constexpr double kShortening = 0.25;                             // of the force of a fibre that shortens
  const Recruitment excited = RecruitmentOf(muscle);
  const double activation = kSlowActivation * excited.slow + kFastActivation * excited.fast;
  const double maintenance =
      MaintenanceByLength(muscle.n) * (kSlowMaintenance * excited.slow + kFastMaintenance * excited.fast);
  const double v = muscle.velocity * muscle.optimal_length;
  const double shortening = v <= 0 ? -kShortening * (muscle.active_force + muscle.passive_force) * v : 0;
  return TotalPower((activation + maintenance) * muscle.mass + shortening, WorkRate(muscle), muscle.mass);
}

namespace {

// The control as it acts, with what reflexes add.
double Excitation(const mjModel* m, const mjData* d, int i) {
  const ModelView<double> model(m);
  const DataView<double> data(const_cast<mjData*>(d));
  const Reflexes reflexes(m);
  if (!reflexes) return LimitedControl(model, data, i);
  return ClampedControl(model, i, d->ctrl[i] + ReflexControl(m, d, reflexes, i));
}

}  // namespace

double MetabolicPower(const mjModel* m, const mjData* d, int i, MetabolicLaw law) {
  const ModelView<double> model(m);
  const DataView<double> data(const_cast<mjData*>(d));
  const FiberReading fiber = ReadFiber(m, d, i);
  const auto muscle = MakeMusculotendon(model, i);
  const mjtNum* dyn = m->actuator_dynprm + mjNDYN * i;
  MetabolicState state;
  state.mass = dyn[kMuscleMass] > 0 ? dyn[kMuscleMass] : muscle.F0 / kSpecificTension * kDensity * muscle.l0;
  state.slow_share = dyn[kSlowShare];
  state.largest_velocity = muscle.vmax;
  state.excitation = std::clamp(Excitation(m, d, i), 0.0, 1.0);
  state.activation = ActingActivation(model, data, i);
  state.n = fiber.length / muscle.l0;
  state.velocity = fiber.velocity / muscle.l0;
  state.optimal_length = muscle.l0;
  state.length_factor = Evaluate(muscle, kActiveLength, state.n).value;
  state.active_force = fiber.active;
  state.passive_force = fiber.passive;
  return law == MetabolicLaw::kUmberger ? UmbergerPower(state) : BhargavaPower(state);
}

}  // namespace sinew::inline force
