#include "model/kinds/motion.h"

#include <cstddef>
#include <span>

#include "model/kinds/number_array.h"

namespace sinew::inline model {

MotionNumbers FindMotionNumbers(const mjModel* m, const char* name, mjtSize heads) {
  const std::span<const mjtNum> array = FindNumberArray(m, name);
  if (array.empty() || array.size() < static_cast<std::size_t>(heads)) return {};
  return {array.data(), static_cast<mjtNum>(array.size())};
}

MotionNumbers FindJointMotions(const mjModel* m) { return FindMotionNumbers(m, kMotionArray, m->njnt); }
MotionNumbers FindPointMotions(const mjModel* m) { return FindMotionNumbers(m, kPointArray, m->nsite); }
MotionNumbers FindPathRanges(const mjModel* m) { return FindMotionNumbers(m, kRangeArray, m->nwrap); }
MotionNumbers FindJointCouplings(const mjModel* m) { return FindMotionNumbers(m, kCouplingArray, m->neq); }

bool IsScalarJoint(const mjModel* m, mjtNum joint) {
  return joint >= 0 && joint < static_cast<mjtNum>(m->njnt) && m->jnt_type[static_cast<int>(joint)] >= mjJNT_SLIDE;
}

Piecewise FunctionIn(const MotionNumbers& numbers, mjtNum address) {
  return PiecewiseAt({numbers.data, static_cast<std::size_t>(numbers.size)}, address);
}

}  // namespace sinew::inline model
