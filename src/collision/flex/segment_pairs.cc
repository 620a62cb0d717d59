#include "collision/flex/segment_pairs.h"

#include "collision/analytic/capsule_box_kernel.h"
#include "collision/analytic/capsule_capsule_kernel.h"
#include "collision/analytic/sphere_capsule_kernel.h"
#include "simd/four.h"

namespace sinew::inline collision {
namespace {

Vec3<Four> Corners(const FlexElement (&segment)[4], int corner) {
  Vec3<Four> corners;
  for (int lane = 0; lane < 4; ++lane) {
    for (int k = 0; k < 3; ++k) corners[k].Set(lane, segment[lane].corner[corner][k]);
  }
  return corners;
}
PlacedGeom<Four> Capsules(const FlexElement (&segment)[4]) {
  return CapsuleBetween(Corners(segment, 0), Corners(segment, 1), InAllLanes(segment[0].radius));
}

Vec3<Four> Broadcast(const Vec3<double>& v) { return {InAllLanes(v.x), InAllLanes(v.y), InAllLanes(v.z)}; }
PlacedGeom<Four> Broadcast(const PlacedGeom<double>& geom) {
  PlacedGeom<Four> all = {Broadcast(geom.pos), {}, Broadcast(geom.size)};
  for (int i = 0; i < 9; ++i) all.mat.m[i] = InAllLanes(geom.mat.m[i]);
  return all;
}

// A sign of -1 exchanges the sides.
template <int N>
FourContacts ContactsOf(const ContactPoints<Four, N>& found, double sign = 1) {
  FourContacts contacts;
  contacts.known = kFourLanes;
  for (int i = 0; i < N; ++i) {
    const unsigned hit = LaneBits(found.hit[i]);
    for (int lane = 0; lane < 4; ++lane) {
      if (!(hit >> lane & 1)) continue;
      const ContactPoint<Four>& p = found.point[i];
      const Vec3<double> normal = {p.normal.x[lane], p.normal.y[lane], p.normal.z[lane]};
      contacts.Add(lane, {p.dist[lane], {p.pos.x[lane], p.pos.y[lane], p.pos.z[lane]}, normal * sign});
    }
  }
  return contacts;
}

}  // namespace

SINEW_DISPATCH FourContacts CollideGeomSegments(int type, const PlacedGeom<double>& geom,
                                                const FlexElement (&segment)[4], double margin) {
  const PlacedGeom<Four> geoms = Broadcast(geom), capsules = Capsules(segment);
  const Four margins = InAllLanes(margin);
  if (type == mjGEOM_SPHERE) return ContactsOf(SphereCapsule(geoms, capsules, margins));
  if (type == mjGEOM_CAPSULE) return ContactsOf(CapsuleCapsule(geoms, capsules, margins));
  return ContactsOf(CapsuleBox(capsules, geoms, margins), -1);
}

SINEW_DISPATCH FourContacts CollideSegments(const FlexElement (&a)[4], const FlexElement (&b)[4], double margin) {
  return ContactsOf(CapsuleCapsule(Capsules(a), Capsules(b), InAllLanes(margin)));
}

}  // namespace sinew::inline collision
