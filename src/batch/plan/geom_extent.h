// How far a geom reaches from its centre, from its type and size.
#ifndef SINEW_BATCH_PLAN_GEOM_EXTENT_H_
#define SINEW_BATCH_PLAN_GEOM_EXTENT_H_

#include <mujoco/mujoco.h>

#include <optional>

namespace sinew::inline batch {

// The smallest sphere and the smallest box around a geom's centre that hold it.
struct GeomExtent {
  mjtNum radius, half[3];
};

// None for shapes that do not follow from their size.
std::optional<GeomExtent> ExtentOf(int type, const mjtNum* size);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_GEOM_EXTENT_H_
