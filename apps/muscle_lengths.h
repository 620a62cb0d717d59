// How long the paths of muscles become while joints move through their ranges.
#ifndef SINEW_APPS_MUSCLE_LENGTHS_H_
#define SINEW_APPS_MUSCLE_LENGTHS_H_

#include <mujoco/mujoco.h>

#include <array>
#include <vector>

namespace sinew {

// The shortest and the longest path of each actuator [m], over poses at random, the same ones each time: hinges and
// slides anywhere in their ranges, joints without a range at their reference, joints that an equality couples to
// another one where it holds them.
std::vector<std::array<double, 2>> PathRanges(const mjModel* m);

}  // namespace sinew

#endif  // SINEW_APPS_MUSCLE_LENGTHS_H_
