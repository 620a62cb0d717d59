// The link of a window with the program that has started it: requests go to standard output, replies come from standard
// input. Before each message stands how many numbers it has, as a number.
#ifndef SINEW_APPS_VIEWER_PIPE_LINK_H_
#define SINEW_APPS_VIEWER_PIPE_LINK_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "viewer/link.h"

namespace sinew {

class PipeLink {
 public:
  PipeLink();

  Link& link() { return link_; }

  // Takes what has come, without waiting for it, and sends a request when the last one has been answered. Returns
  // whether there is a new state.
  bool Exchange(const mjModel* m, mjData* d, const mjvPerturb& perturb, bool& paused);

  // Whether the program has ended, or has closed the link.
  bool closed() const { return closed_; }

 private:
  void Read();
  void Send(const std::vector<double>& request);

  Link link_;
  std::vector<unsigned char> received_;
  bool waiting_ = false, closed_ = false;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_PIPE_LINK_H_
