// What a viewer and a program that simulates tell each other, once for each picture. Both messages are rows of numbers:
//
//   request of the viewer:  paused, steps, pull (kPullNumbers), count, count times (index, value)
//   reply of the program:   paused, state
//
// `state` has the parts kLinkState of the world (mj_getState). In a request, `paused` is 0 or 1 where the user has
// changed it and -1 elsewhere; `steps` are those to be taken although time stands still; the first number of the pull
// is its body, 0 for none; the pairs are the numbers of the state that the user has changed: controls, positions,
// everything after a reset. The program computes the force of a pull from its own state, so that the pull is damped
// however late messages are.
//
// Used by the window (pipe_link.h), the page for browsers (apps/web/engine.cc) and the Python package
// (python/src/viewing.cc, python/sinew/viewing.py).
#ifndef SINEW_APPS_VIEWER_LINK_H_
#define SINEW_APPS_VIEWER_LINK_H_

#include <mujoco/mujoco.h>

#include <array>
#include <cstddef>
#include <map>
#include <vector>

namespace sinew {

// All that a world goes on from. Warm starts are left out: computing what is shown changes them.
inline constexpr int kLinkState = mjSTATE_INTEGRATION & ~mjSTATE_WARMSTART;

// Of a perturbation, what its force depends on.
inline constexpr int kPullNumbers = 16;
std::array<double, kPullNumbers> PullNumbers(const mjvPerturb& perturb);
mjvPerturb PerturbOf(const double* numbers);

// Moves mocap bodies and sets the force on other ones, as a perturbation says; removes the force that was there.
void ApplyPull(const mjModel* m, mjData* d, const mjvPerturb& perturb);

// Keeps, for a viewer, what it has shown and what its user has changed, and makes its requests of that.
class Link {
 public:
  // From now on changes are those from this state.
  void Start(const mjModel* m, const mjData* d);

  // So many steps are asked for with the next request.
  void AskSteps(int steps) { steps_ += steps; }

  // The next request; what it holds counts as told.
  const std::vector<double>& Request(const mjModel* m, const mjData* d, const mjvPerturb& perturb, bool paused);

  // Shows the state of a reply, with the changes that are not told yet. Returns whether it is one of this model.
  bool Take(const double* reply, size_t size, const mjModel* m, mjData* d, bool& paused);

 private:
  void FindChanges(const mjModel* m, const mjData* d);

  std::vector<double> shown_, now_, request_;
  std::map<size_t, double> changes_;  // by index in the state
  int steps_ = 0;
  bool told_paused_ = false;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_LINK_H_
