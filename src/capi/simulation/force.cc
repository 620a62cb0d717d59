// Exported functions of passive forces, and the curves of muscles. Gains and biases are N for a length and velocity of
// the actuator in m (or N m and rad on hinges).
#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "force/muscle_kernel.h"
#include "force/passive.h"

using sinew::capi::Guard;

void mj_passive(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_passive);
  Guard("mj_passive", [&] { sinew::Passive(m, d); });
}

// ---- muscles

mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  SINEW_CHECK(mju_muscleGain);
  return sinew::MuscleGain(sinew::MakeMuscle(lengthrange, acc0, prm), len, vel);
}
mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  SINEW_CHECK(mju_muscleBias);
  return sinew::MuscleBias(sinew::MakeMuscle(lengthrange, acc0, prm), len);
}
// Returns the rate of the activation, 1/s.
mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]) {
  SINEW_CHECK(mju_muscleDynamics);
  return sinew::MuscleActivationRate(ctrl, act, prm);
}
