#include "batch/plan/geom_extent.h"

#include <algorithm>
#include <cmath>

namespace sinew::inline batch {

std::optional<GeomExtent> ExtentOf(int type, const mjtNum* size) {
  const mjtNum a = size[0], b = size[1], c = size[2];
  switch (type) {
    case mjGEOM_SPHERE:
      return GeomExtent{a, {a, a, a}};
    case mjGEOM_CAPSULE:
      return GeomExtent{a + b, {a, a, a + b}};
    case mjGEOM_CYLINDER:
      return GeomExtent{std::sqrt(a * a + b * b), {a, a, b}};
    case mjGEOM_ELLIPSOID:
      return GeomExtent{std::max({a, b, c}), {a, b, c}};
    case mjGEOM_BOX:
      return GeomExtent{std::sqrt(a * a + b * b + c * c), {a, b, c}};
    default:
      return std::nullopt;
  }
}

}  // namespace sinew::inline batch
