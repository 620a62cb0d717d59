// The type of a geom decides which function finds its contacts with an element of a flex.
#include "collision/flex/geom_element.h"

#include "collision/analytic/capsule_box_kernel.h"
#include "collision/analytic/capsule_capsule_kernel.h"
#include "collision/analytic/sphere_capsule_kernel.h"
#include "collision/convex/convex_pair.h"
#include "collision/convex/round_normal.h"
#include "collision/field/height_field.h"
#include "collision/field/sdf_contact.h"
#include "collision/flex/segment_pairs.h"
#include "collision/flex/solid_pairs.h"
#include "model/view/data_view.h"

namespace sinew::inline collision {
namespace {

using PointList = StackList<ContactPoint<double>>;

// Normals point from the first shape of a formula to the second; a sign of -1 exchanges them.
template <int N>
void AddHits(const ContactPoints<double, N>& found, PointList& points, double sign = 1) {
  for (int i = 0; i < N; ++i) {
    if (!found.hit[i]) continue;
    ContactPoint<double> point = found.point[i];
    point.normal = point.normal * sign;
    points.Add(point);
  }
}

}  // namespace

// Height fields and distance functions have no support, hence no convex shape.
GeomOfElements::GeomOfElements(const mjModel* m, mjData* d, int geom)
    : m_(m),
      d_(d),
      id_(geom),
      type_(m->geom_type[geom]),
      geom_(LoadGeom(ModelView<double>(m), DataView<double>(d), geom)) {
  if (type_ != mjGEOM_HFIELD && type_ != mjGEOM_SDF) shape_.emplace(m, d, geom);
}

FourContacts GeomOfElements::CollideFour(const FlexElement (&element)[4], double margin) const {
  const int corners = element[0].corners;
  if (corners == 2 && HasFormula()) return CollideGeomSegments(type_, geom_, element, margin);
  const bool native = !(m_->opt.disableflags & mjDSBL_NATIVECCD);
  if (corners == 4 && type_ == mjGEOM_BOX && native) return CollideBoxTetrahedra(geom_, element, Max(margin, 0.0));
  return {};
}

// Segments and triangles have formulas against spheres, capsules and boxes; everything else is convex against convex.
void GeomOfElements::Collide(const FlexElement& element, double margin, PointList& points) {
  if (type_ == mjGEOM_HFIELD) {
    HeightFieldElement(m_, d_, id_, element.AsConvex(), margin, points);
  } else if (type_ == mjGEOM_SDF) {
    CollideWithField(element, points);
  } else if (HasFormula() && element.corners == 2) {
    CollideSegment(element, margin, points);
  } else if (HasFormula() && element.corners == 3) {
    CollideTriangle(element, margin, points);
  } else {
    CollideConvex(element, margin, points);
  }
}

bool GeomOfElements::CollideWithField(const FlexElement& element, PointList& points) {
  ContactPoint<double> deepest;
  if (element.corners != 3 || IsFieldFull()) return false;
  if (!FieldTriangle(m_, d_, id_, element.AsTriangle().corner, deepest)) return false;
  if (in_field_.Add(deepest.pos)) points.Add(deepest);  // neighbours may have the same corner there
  return true;
}

// A segment of a flex is a capsule with the radius of the flex.
void GeomOfElements::CollideSegment(const FlexElement& element, double margin, PointList& points) const {
  const PlacedGeom<double> capsule = element.AsCapsule();
  if (type_ == mjGEOM_SPHERE) {
    AddHits(SphereCapsule(geom_, capsule, margin), points);
  } else if (type_ == mjGEOM_CAPSULE) {
    AddHits(CapsuleCapsule(geom_, capsule, margin), points);
  } else {
    AddHits(CapsuleBox(capsule, geom_, margin), points, -1);
  }
}

void GeomOfElements::CollideTriangle(const FlexElement& element, double margin, PointList& points) const {
  const RoundedTriangle triangle = element.AsTriangle();
  if (type_ == mjGEOM_SPHERE) {
    AddHits(SphereTriangle(geom_, triangle, margin), points);
  } else if (type_ == mjGEOM_CAPSULE) {
    AddHits(CapsuleTriangle(geom_, triangle, margin), points);
  } else {
    AddHits(BoxTriangle(geom_, triangle, margin), points);
  }
}

// Where a triangle touches a round surface, the normal is that of the surface, as in MuJoCo 3.8.0.
void GeomOfElements::CollideConvex(const FlexElement& element, double margin, PointList& points) {
  const ConvexShape convex = element.AsConvex();
  ConvexContact found;
  if (!FindConvexContact(m_->opt, *shape_, convex, margin, found)) return;
  const bool native = !(m_->opt.disableflags & mjDSBL_NATIVECCD);
  if (native && element.corners == 3) {
    found.point.normal = RoundNormal(*shape_, convex, found.point.pos, found.point.normal);
  }
  points.Add(found.point);
}

FourContacts CollideFourElements(const mjOption& option, const FlexElement (&a)[4], const FlexElement (&b)[4],
                                 double margin) {
  const bool native = !(option.disableflags & mjDSBL_NATIVECCD);
  if (a[0].corners == 2 && b[0].corners == 2) return CollideSegments(a, b, margin);
  if (a[0].corners == 4 && b[0].corners == 4 && native) return CollideTetrahedra(a, b, Max(margin, 0.0));
  return {};
}

// Elements of flexes have at most one contact, the deepest, unless both are segments.
void CollideElements(const mjOption& option, const FlexElement& a, const FlexElement& b, double margin,
                     PointList& points) {
  if (a.corners == 2 && b.corners == 2) {
    return AddHits(CapsuleCapsule(a.AsCapsule(), b.AsCapsule(), margin), points);
  }
  ConvexContact found;
  if (FindConvexContact(option, a.AsConvex(), b.AsConvex(), margin, found)) points.Add(found.point);
}

// A vertex is a sphere with the radius of the flex that the element belongs to.
void CollideVertex(const mjOption& option, const Vec3<double>& vertex, const FlexElement& element, double margin,
                   PointList& points) {
  const PlacedGeom<double> sphere = {vertex, Identity3<double>(), {element.radius, 0, 0}};
  if (element.corners == 2) {
    AddHits(SphereCapsule(sphere, element.AsCapsule(), margin), points);
  } else if (element.corners == 3) {
    AddHits(SphereTriangle(sphere, element.AsTriangle(), margin), points);
  } else {
    ConvexContact found;
    if (FindConvexContact(option, ConvexShape(&vertex, 1, element.radius), element.AsConvex(), margin, found)) {
      points.Add(found.point);
    }
  }
}

}  // namespace sinew::inline collision
