// Shapes of contact geometry, of what is shown, and of bodies whose mass follows from a density.
#ifndef SINEW_HFD_SHAPE_H_
#define SINEW_HFD_SHAPE_H_

#include <optional>

#include "hfd/entries.h"

namespace sinew::hfd {

// A geom's type and size, and its turn in the frame of the entry: the axis of capsules and cylinders is y there.
struct Shape {
  mjtGeom type = mjGEOM_SPHERE;
  Vec3<double> size = {0, 0, 0};
  Quat<double> turn = {1, 0, 0, 0};
};

// The entries type, radius, height (of a capsule without its caps), dim (whole lengths), normal. Nothing, and a
// problem, where there is none.
std::optional<Shape> ReadShape(Entries& entries);

// Of a solid of a density [kg/m^3], about the centre, in the frame of the entry.
struct ShapeMass {
  double mass;
  Vec3<double> inertia;
};
ShapeMass MassOf(const Shape& shape, double density);

}  // namespace sinew::hfd

#endif  // SINEW_HFD_SHAPE_H_
