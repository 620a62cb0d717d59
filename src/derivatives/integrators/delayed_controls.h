// Controls that act later, in gradients of rollouts. The control that acts at an instant is a sum of controls of
// earlier steps, which the history of the world holds, with weights of its interpolation; its content at the start of
// the rollout is given.
#ifndef SINEW_DERIVATIVES_INTEGRATORS_DELAYED_CONTROLS_H_
#define SINEW_DERIVATIVES_INTEGRATORS_DELAYED_CONTROLS_H_

#include <mujoco/mujoco.h>

#include <vector>

namespace sinew::inline derivatives {

class DelayedControls {
 public:
  // `gradient`: by the controls of all steps (steps x nu), or null where they are not wanted.
  DelayedControls(const mjModel* m, int steps, double* gradient);

  // Steps begin in their order, at ascending times.
  void Begin(int step, double time);

  // Takes the slopes by the delayed controls that act at the time of the world out of `slopes` (nu), to the steps that
  // gave them.
  void Take(const mjData* d, std::vector<double>& slopes) const;

 private:
  void Spread(const mjData* d, int actuator, double slope) const;

  const mjModel* m_;
  double* gradient_;
  std::vector<double> times_;
  std::vector<int> delayed_;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_INTEGRATORS_DELAYED_CONTROLS_H_
