// The skin of a composite cable of boxes.
#ifndef SINEW_MJCF_MACROS_COMPOSITE_SKIN_H_
#define SINEW_MJCF_MACROS_COMPOSITE_SKIN_H_

#include <string>
#include <vector>

#include <mujoco/mujoco.h>

namespace sinew::mjcf {

// Input of the skin: the bodies along the cable, one for each edge, and the half sizes of their boxes as given.
struct SkinnedCable {
  std::vector<std::string> bodies;
  const double* half_size;
};

// Fills vertices, faces, bones and, if asked, texture coordinates. `subgrid`: vertices that are added between two
// neighbors.
void MakeCableSkin(const SkinnedCable& cable, bool texcoord, int subgrid, mjsSkin* skin);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_MACROS_COMPOSITE_SKIN_H_
