// Fields of one world by name, for code that has plain pointers: ViewOf(d).site_xpos(site) is a Vec3.
#ifndef SINEW_MODEL_VIEW_VIEW_OF_H_
#define SINEW_MODEL_VIEW_VIEW_OF_H_

#include <mujoco/mujoco.h>

#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline model {

inline ModelView<mjtNum> ViewOf(const mjModel* m) { return ModelView<mjtNum>(m); }
inline DataView<mjtNum> ViewOf(mjData* d) { return DataView<mjtNum>(d); }
// Views give access for writing, which whoever has a constant world does not use.
inline DataView<mjtNum> ViewOf(const mjData* d) { return DataView<mjtNum>(const_cast<mjData*>(d)); }

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_VIEW_OF_H_
