// One world alone; the order of the stages stands in step/step_kernel.h.
#include "step/step.h"

#include "model/error_control.h"
#include "step/step_kernel.h"
#include "step/world.h"

namespace sinew {

void Step(const mjModel* m, mjData* d) { StepStages(World(m, d), m->opt.integrator); }

void Step1(const mjModel* m, mjData* d) { FirstHalf(World(m, d)); }

void Step2(const mjModel* m, mjData* d) {
  // methods of several stages need forward dynamics of their own
  const bool stages = m->opt.integrator == mjINT_RK4 || IsErrorControlled(m->opt.integrator);
  SecondHalf(World(m, d), stages ? mjINT_EULER : m->opt.integrator);

  // the two halves count as one call
  --d->timer[mjTIMER_STEP].number;
}

}  // namespace sinew
