// Several contacts of two polytopes (boxes, meshes) in one pass: the faces, or the edge and the face, with which they
// lie on each other are clipped against each other. All contacts have the depth of the first one.
#ifndef SINEW_COLLISION_CONVEX_FACE_CONTACT_H_
#define SINEW_COLLISION_CONVEX_FACE_CONTACT_H_

#include <mujoco/mujoco.h>

#include "collision/convex/convex_pair.h"
#include "collision/convex/polygon_kernel.h"

namespace sinew::inline collision {

// The features of two polytopes that lie flat on each other: a face of one, the outline, and a face or an edge of one,
// which is clipped by its sides. Shapes are numbered 0 and 1, and an outline is of the shape that `clipped` is not of.
struct FlatContact {
  Polygon outline, clipped;
  int clipped_of;   // the shape that it belongs to
  int with_normal;  // the shape whose face gives the normal of the contacts

  // From the first shape to the second.
  Vec3<double> Normal() const {
    const Vec3<double>& outward = (with_normal == clipped_of ? clipped : outline).normal;
    return with_normal == 0 ? outward : -outward;
  }
};
bool FindFlatContact(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                     const ConvexContact& deepest, FlatContact& out);

// The contact at a vertex of what is clipped: midway to the other shape, which is as far as the shapes are deep.
template <class S>
ContactPoint<S> AtFlatVertex(const Vec3<S>& vertex, const S& dist, const Vec3<S>& normal) {
  const Vec3<S> opposite = vertex + normal * Abs(dist);
  return {dist, (vertex + opposite) * S(0.5), normal};
}

// Replaces con[0], the deepest contact of the shapes, by up to four where they lie flat; returns how many there are.
int FaceContacts(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                 const ConvexContact& deepest, mjContact* con);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_FACE_CONTACT_H_
