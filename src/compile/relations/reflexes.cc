// Reflexes of actuators (docs/how/reflexes.md): checks, and the number array that holds them.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compile/diagnose.h"
#include "compile/passes.h"
#include "compile/topology/relations.h"
#include "compile/tree/motion.h"
#include "core/real_text.h"
#include "model/kinds/reflex.h"

namespace sinew::inline compile {
namespace {

void RequireFinite(double value, const char* name) {
  if (!std::isfinite(value)) throw Error(std::string(name) + " of the reflex is " + TextOfReal(value), "give a number");
}

// A reflex reads what a nerve brings: a delayed sensor of one number.
double SensorOf(const Draft& draft, const std::string& name) {
  if (name.empty()) throw Error("the reflex names no sensor", "name one as sensor");
  const int id = Require(draft.spec, mjOBJ_SENSOR, name).id;
  const SensorDraft& sensor = draft.sensors[static_cast<std::size_t>(id)];
  if (sensor.dim != 1) {
    throw Error("sensor '" + name + "' of the reflex has " + std::to_string(sensor.dim) + " numbers",
                "name a sensor of one number");
  }
  if (!(sensor.source->delay > 0)) {
    throw Error("sensor '" + name + "' of the reflex has no delay",
                "give it delay, and nsample of at least delay over timestep");
  }
  return id;
}

void AppendPhases(const Draft& draft, const Reflex& reflex, std::vector<double>* numbers) {
  if (reflex.phases.size() > static_cast<std::size_t>(sinewMAX_REFLEX_PHASES)) {
    throw Error("the reflex has " + std::to_string(reflex.phases.size()) + " phases",
                "give at most " + std::to_string(int{sinewMAX_REFLEX_PHASES}));
  }
  numbers->push_back(static_cast<double>(reflex.phases.size()));
  for (const ReflexPhase& phase : reflex.phases) {
    if (!(phase.range[0] <= phase.range[1])) {
      throw Error("range of the phase is " + TextOfReal(phase.range[0]) + " " + TextOfReal(phase.range[1]),
                  "give the lower end first");
    }
    numbers->insert(numbers->end(), {SensorOf(draft, phase.sensor), phase.range[0], phase.range[1]});
  }
}

void AppendReflex(const Draft& draft, const Reflex& reflex, std::vector<double>* numbers) {
  RequireFinite(reflex.gain, "gain");
  RequireFinite(reflex.reference, "reference");
  RequireFinite(reflex.offset, "offset");
  const std::size_t end = numbers->size() + sinewNREFLEX;
  const double sensor = SensorOf(draft, reflex.sensor);
  const double factor = reflex.factor.empty() ? -1 : SensorOf(draft, reflex.factor);
  numbers->insert(numbers->end(),
                  {sensor, reflex.gain, reflex.reference, reflex.offset, reflex.rectify ? 1.0 : 0.0, factor});
  AppendPhases(draft, reflex, numbers);
  numbers->resize(end, 0);
}

}  // namespace

void DraftReflexes(Draft& draft) {
  ErrorList errors;
  std::vector<double> numbers(draft.actuators.size(), 0);
  const std::size_t heads = numbers.size();
  for (std::size_t i = 0; i < heads; ++i) {
    const Actuator& actuator = *draft.actuators[i].source;
    if (actuator.reflexes.empty()) continue;
    errors.At(actuator, [&] {
      if (actuator.delay > 0) {
        throw Error("an actuator with a delay has a reflex", "let the sensors of its reflexes have the delay");
      }
      if (actuator.reflexes.size() > kMostReflexes) {
        throw Error("the actuator has " + std::to_string(actuator.reflexes.size()) + " reflexes",
                    "give at most " + std::to_string(kMostReflexes));
      }
      numbers[i] = static_cast<double>(numbers.size());
      numbers.push_back(static_cast<double>(actuator.reflexes.size()));
      for (const Reflex& reflex : actuator.reflexes) {
        AtTerm(reflex, [&] { AppendReflex(draft, reflex, &numbers); });
      }
    });
  }
  errors.Throw();
  if (numbers.size() > heads) draft.extensions.push_back({kReflexArray, std::move(numbers)});
}

}  // namespace sinew::inline compile
