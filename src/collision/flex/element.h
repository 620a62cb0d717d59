// An element of a flex: a segment, triangle or tetrahedron, rounded by the flex's radius.
#ifndef SINEW_COLLISION_FLEX_ELEMENT_H_
#define SINEW_COLLISION_FLEX_ELEMENT_H_

#include <mujoco/mujoco.h>

#include <algorithm>

#include "collision/convex/convex_shape.h"
#include "collision/flex/triangle_pairs.h"
#include "math/vec3.h"

namespace sinew::inline collision {

// Where the vertices of a flex begin in mjData's flexvert arrays; a vertex has a number within its flex.
inline Vec3<double> FlexVertex(const mjModel* m, const mjData* d, int flex, int vertex) {
  return LoadVec3(d->flexvert_xpos + 3 * static_cast<ptrdiff_t>(m->flex_vertadr[flex] + vertex));
}

inline namespace SINEW_ISA {
// Of a capsule, only the axis of its frame counts. It points to the first corner, as in MuJoCo 3.8.0: the order of two
// contacts follows from it.
template <class S>
PlacedGeom<S> CapsuleBetween(const Vec3<S>& from, const Vec3<S>& to, S radius) {
  Vec3<S> axis = from - to;
  const S length = Normalize(axis);
  PlacedGeom<S> capsule = {(from + to) * S(0.5), Identity3<S>(), {radius, S(0.5) * length, S(0)}};
  for (int k = 0; k < 3; ++k) capsule.mat(k, 2) = axis[k];
  return capsule;
}
}  // namespace SINEW_ISA

struct FlexElement {
  int flex, id, corners;
  const int* vertex;  // of each corner, within the flex
  Vec3<double> corner[4];
  double radius;

  FlexElement(const mjModel* m, const mjData* d, int flex_id, int elem)
      : flex(flex_id),
        id(elem),
        corners(m->flex_dim[flex] + 1),
        vertex(m->flex_elem + m->flex_elemdataadr[flex] + static_cast<ptrdiff_t>(elem) * corners),
        radius(m->flex_radius[flex]) {
    for (int i = 0; i < corners; ++i) corner[i] = FlexVertex(m, d, flex, vertex[i]);
  }

  // A segment.
  PlacedGeom<double> AsCapsule() const { return CapsuleBetween(corner[0], corner[1], radius); }
  // A triangle.
  RoundedTriangle AsTriangle() const { return {{corner[0], corner[1], corner[2]}, radius}; }
  ConvexShape AsConvex() const { return ConvexShape(corner, corners, radius); }
};

// Whether a vertex of the element is fixed to the body. Vertices that nodes move belong to no body (-1).
inline bool IsAttachedTo(const mjModel* m, const FlexElement& element, int body) {
  const int* bodies = m->flex_vertbodyid + m->flex_vertadr[element.flex];
  return std::any_of(element.vertex, element.vertex + element.corners, [=](int v) { return bodies[v] == body; });
}

// Elements deep inside of a solid meet nothing.
inline bool IsActive(const mjModel* m, int flex, int elem) {
  return m->flex_dim[flex] < 3 || m->flex_elemlayer[m->flex_elemadr[flex] + elem] < m->flex_activelayers[flex];
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_ELEMENT_H_
