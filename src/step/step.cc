// One world alone; the order of the stages stands in step/step_kernel.h.
#include "step/step.h"

#include <string>

#include "core/error.h"
#include "core/real_text.h"
#include "integrate/error_control.h"
#include "model/storage/error_control.h"
#include "step/step_kernel.h"
#include "step/world.h"

namespace sinew::inline step {
namespace {

// A world whose integrator is asked for states within the step.
class ObservedWorld : public World {
 public:
  ObservedWorld(const mjModel* m, mjData* d, DenseOutput* dense) : World(m, d), m_(m), d_(d), dense_(dense) {}
  void Integrate(int) const { AdaptiveSteps(m_, d_, dense_); }

 private:
  const mjModel* m_;
  mjData* d_;
  DenseOutput* dense_;
};

}  // namespace

void StepWithDenseOutput(const mjModel* m, mjData* d, const double* times, int count, double* states) {
  if (!IsErrorControlled(m->opt.integrator)) {
    throw Error("states within a step are those of an integrator that controls its error",
                "set integrator merson, rk3 or euler2 in the option element");
  }
  // a clock that has summed up many steps is off by some rounding
  const double tolerance = 1e-6 * m->opt.timestep;
  for (int i = 0; i < count; ++i) {
    const double earliest = i > 0 ? times[i - 1] : d->time - tolerance;
    if (times[i] >= earliest && times[i] <= d->time + m->opt.timestep + tolerance) continue;
    throw Error("time " + std::to_string(i) + " is " + TextOfReal(times[i]) + " s; this step goes from " +
                    TextOfReal(d->time) + " to " + TextOfReal(d->time + m->opt.timestep) + " s",
                "give times in ascending order");
  }
  DenseOutput dense = {times, count, states};
  StepStages(ObservedWorld(m, d, &dense), m->opt.integrator);
}

void Step(const mjModel* m, mjData* d) { StepStages(World(m, d), m->opt.integrator); }

void Step1(const mjModel* m, mjData* d) { FirstHalf(World(m, d)); }

void Step2(const mjModel* m, mjData* d) {
  // methods of several stages need forward dynamics of their own: the model then is one of Euler's method, with which
  // stiff fibres move by implicit steps
  if (m->opt.integrator == mjINT_RK4 || IsErrorControlled(m->opt.integrator)) {
    mjModel euler = *m;
    euler.opt.integrator = mjINT_EULER;
    SecondHalf(World(&euler, d), mjINT_EULER);
  } else {
    SecondHalf(World(m, d), m->opt.integrator);
  }

  // the two halves count as one call
  --d->timer[mjTIMER_STEP].number;
}

}  // namespace sinew::inline step
