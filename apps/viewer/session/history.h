// The last states of a simulation, to go back in time.
#ifndef SINEW_APPS_VIEWER_SESSION_HISTORY_H_
#define SINEW_APPS_VIEWER_SESSION_HISTORY_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <deque>
#include <vector>

namespace sinew {

class History {
 public:
  static constexpr size_t kMostStates = 2000;
  static constexpr size_t kMostBytes = size_t{256} << 20;  // of all states; large ones are fewer

  // For states of this model, none yet.
  void Start(const mjModel* m);

  // Adds the state that is shown now; what came after it is forgotten.
  void Add(const mjModel* m, const mjData* d);

  int size() const { return static_cast<int>(states_.size()); }
  int at() const { return at_; }
  double TimeOf(int index) const { return states_.at(static_cast<size_t>(index))[0]; }

  // Shows a state again, as it was after a forward pass; indices out of range go to the nearest one. False without any.
  bool Show(int index, const mjModel* m, mjData* d);

 private:
  std::deque<std::vector<double>> states_;
  size_t room_ = kMostStates;
  int at_ = -1;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_SESSION_HISTORY_H_
