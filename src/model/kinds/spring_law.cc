#include "model/kinds/spring_law.h"

namespace sinew::inline model {

MotionNumbers FindSpringLaws(const mjModel* m) { return FindMotionNumbers(m, kSpringLawArray, m->njnt + m->ntendon); }

}  // namespace sinew::inline model
