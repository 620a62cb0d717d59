// Muscles with tendons (force/fiber_kernel.h) as functions of what they depend on. Their kernels run on dual numbers;
// the velocity of a fibre, which solves an equation, by one step of Newton's method from its root, which has the slopes
// of the implicit function.
#ifndef SINEW_DERIVATIVES_TERMS_MUSCLE_LAW_H_
#define SINEW_DERIVATIVES_TERMS_MUSCLE_LAW_H_

#include "derivatives/terms/activation_law.h"
#include "force/fiber_reading_kernel.h"

namespace sinew::inline derivatives {

inline constexpr int kMostFiberStates = 2;
inline constexpr int kByEnd = kByState + kMostFiberStates;  // by the velocity of the path at the end of a step
using StateNumber = Dual<double, kByEnd + 1>;

// The force, pulling negative, and the slope by velocity that implicit integrators take.
struct FiberForce {
  StateNumber force, slope;
};
FiberForce ForceOfFiber(const ModelView<double>& m, const DataView<double>& d, int actuator);

// Rates of the activations at one instant.
struct FiberChanges {
  StateNumber state[kMostFiberStates];
};
FiberChanges RatesOfFiber(const ModelView<double>& m, const DataView<double>& d, int actuator);

// Activations after a step with fixed stages. The length of the path at its end is L + h V', with a velocity V' that is
// J v' with the velocities v' of the end.
FiberChanges EndsOfFiber(const ModelView<double>& m, const DataView<double>& d, int actuator, double end_velocity);

// The values of its sensors.
FiberReadingOf<StateNumber> ReadingOfFiber(const ModelView<double>& m, const DataView<double>& d, int actuator);

// Throws where the length of an elastic muscle's fibre is not set yet: rest is found by the next forward dynamics, of
// which zero is no smooth function.
void RequireFiberLengths(const mjModel* m, const mjData* d);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_MUSCLE_LAW_H_
