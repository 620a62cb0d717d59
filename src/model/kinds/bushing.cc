#include "model/kinds/bushing.h"

namespace sinew::inline model {

MotionNumbers FindBushings(const mjModel* m) { return FindMotionNumbers(m, kBushingArray, 0); }

}  // namespace sinew::inline model
