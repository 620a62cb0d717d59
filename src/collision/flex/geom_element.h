// Contacts of a geom with an element of a flex.
#ifndef SINEW_COLLISION_FLEX_GEOM_ELEMENT_H_
#define SINEW_COLLISION_FLEX_GEOM_ELEMENT_H_

#include <mujoco/mujoco.h>

#include <optional>

#include "collision/convex/convex_shape.h"
#include "collision/field/sdf_points.h"
#include "collision/flex/element.h"
#include "collision/flex/four_contacts.h"
#include "collision/stack_list.h"

namespace sinew::inline collision {

// A geom that meets elements of flexes. Its shape is prepared once for all of them.
class GeomOfElements {
 public:
  // The geom's pose must outlive it.
  GeomOfElements(const mjModel* m, mjData* d, int geom);

  // The contacts with four elements at once, as far as the formulas of lanes give them.
  FourContacts CollideFour(const FlexElement (&element)[4], double margin) const;

  // Appends the contacts within `margin`; normals lead from the geom to the element.
  void Collide(const FlexElement& element, double margin, StackList<ContactPoint<double>>& points);

  // The same for a distance field; returns whether the element reaches into it, be it at the corner of another one.
  // Of all elements, 50 points count.
  bool CollideWithField(const FlexElement& element, StackList<ContactPoint<double>>& points);
  bool IsFieldFull() const { return in_field_.IsFull(); }

 private:
  // Against segments and triangles.
  bool HasFormula() const { return type_ == mjGEOM_SPHERE || type_ == mjGEOM_CAPSULE || type_ == mjGEOM_BOX; }
  void CollideSegment(const FlexElement& element, double margin, StackList<ContactPoint<double>>& points) const;
  void CollideTriangle(const FlexElement& element, double margin, StackList<ContactPoint<double>>& points) const;
  void CollideConvex(const FlexElement& element, double margin, StackList<ContactPoint<double>>& points);

  const mjModel* m_;
  mjData* d_;
  int id_, type_;
  PlacedGeom<double> geom_;
  std::optional<ConvexShape> shape_;  // of geoms that have no formula for some element
  DistinctPoints in_field_;           // contacts of a distance field with elements before
};

// The same of four pairs of elements.
FourContacts CollideFourElements(const mjOption& option, const FlexElement (&a)[4], const FlexElement (&b)[4],
                                 double margin);

// The contact of two elements, of the same or of two flexes.
void CollideElements(const mjOption& option, const FlexElement& a, const FlexElement& b, double margin,
                     StackList<ContactPoint<double>>& points);

// A vertex, as a sphere of the flex's radius, with an element.
void CollideVertex(const mjOption& option, const Vec3<double>& vertex, const FlexElement& element, double margin,
                   StackList<ContactPoint<double>>& points);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FLEX_GEOM_ELEMENT_H_
