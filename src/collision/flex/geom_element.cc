#include "collision/flex/geom_element.h"

#include "collision/analytic/capsule_box_kernel.h"
#include "collision/analytic/capsule_capsule_kernel.h"
#include "collision/analytic/sphere_capsule_kernel.h"
#include "collision/convex/convex_pair.h"
#include "collision/field/height_field.h"
#include "collision/field/sdf_contact.h"
#include "model/data_view.h"

namespace sinew {
namespace {

using TouchList = StackList<Touch<double>>;

template <int N>
void AddHits(const Touches<double, N>& found, TouchList& touches, double sign = 1) {
  for (int i = 0; i < N; ++i) {
    if (!found.hit[i]) continue;
    Touch<double> touch = found.touch[i];
    touch.normal = touch.normal * sign;
    touches.Add(touch);
  }
}

}  // namespace

GeomOfElements::GeomOfElements(const mjModel* m, mjData* d, int geom, HullCache& hulls)
    : m_(m),
      d_(d),
      id_(geom),
      type_(m->geom_type[geom]),
      geom_(LoadGeom(ModelView<double>(m), DataView<double>(d), geom)) {
  if (type_ != mjGEOM_HFIELD && type_ != mjGEOM_SDF) shape_.emplace(m, d, geom, hulls);
}

void GeomOfElements::Collide(const FlexElement& element, double margin, TouchList& touches) {
  const bool has_formula = type_ == mjGEOM_SPHERE || type_ == mjGEOM_CAPSULE || type_ == mjGEOM_BOX;
  if (type_ == mjGEOM_HFIELD) {
    HeightFieldElement(m_, d_, id_, element.AsConvex(), margin, touches);
  } else if (type_ == mjGEOM_SDF) {
    Touch<double> deepest;
    const RoundedTriangle<double> triangle = element.AsTriangle();
    if (element.corners == 3 && FieldTriangle(m_, d_, id_, triangle.corner, deepest)) touches.Add(deepest);
  } else if (has_formula && element.corners == 2) {
    CollideSegment(element, margin, touches);
  } else if (has_formula && element.corners == 3) {
    CollideTriangle(element, margin, touches);
  } else {
    CollideConvex(element, margin, touches);
  }
}

void GeomOfElements::CollideSegment(const FlexElement& element, double margin, TouchList& touches) const {
  const Geom<double> capsule = element.AsCapsule();
  if (type_ == mjGEOM_SPHERE) {
    AddHits(SphereCapsule(geom_, capsule, margin), touches);
  } else if (type_ == mjGEOM_CAPSULE) {
    AddHits(CapsuleCapsule(geom_, capsule, margin), touches);
  } else {
    AddHits(CapsuleBox(capsule, geom_, margin), touches, -1);
  }
}

void GeomOfElements::CollideTriangle(const FlexElement& element, double margin, TouchList& touches) const {
  const RoundedTriangle<double> triangle = element.AsTriangle();
  if (type_ == mjGEOM_SPHERE) {
    AddHits(SphereTriangle(geom_, triangle, margin), touches);
  } else if (type_ == mjGEOM_CAPSULE) {
    AddHits(CapsuleTriangle(geom_, triangle, margin), touches);
  } else {
    AddHits(BoxTriangle(geom_, triangle, margin), touches);
  }
}

void GeomOfElements::CollideConvex(const FlexElement& element, double margin, TouchList& touches) {
  shape_->ForgetSupports();
  ConvexContact found;
  if (FindConvexContact(m_->opt, *shape_, element.AsConvex(), margin, found)) touches.Add(found.touch);
}

void CollideElements(const mjOption& option, const FlexElement& a, const FlexElement& b, double margin,
                     TouchList& touches) {
  if (a.corners == 2 && b.corners == 2) {
    return AddHits(CapsuleCapsule(a.AsCapsule(), b.AsCapsule(), margin), touches);
  }
  ConvexContact found;
  if (FindConvexContact(option, a.AsConvex(), b.AsConvex(), margin, found)) touches.Add(found.touch);
}

void CollideVertex(const mjOption& option, const Vec3<double>& vertex, const FlexElement& element, double margin,
                   TouchList& touches) {
  const Geom<double> sphere = {vertex, Identity3<double>(), {element.radius, 0, 0}};
  if (element.corners == 2) {
    AddHits(SphereCapsule(sphere, element.AsCapsule(), margin), touches);
  } else if (element.corners == 3) {
    AddHits(SphereTriangle(sphere, element.AsTriangle(), margin), touches);
  } else {
    ConvexContact found;
    if (FindConvexContact(option, ConvexShape(&vertex, 1, element.radius), element.AsConvex(), margin, found)) {
      touches.Add(found.touch);
    }
  }
}

}  // namespace sinew
