// Several contacts of two polytopes (boxes, meshes) in one pass: the faces, or the edge and the face, with which they
// lie on each other are clipped against each other. All contacts have the depth of the first one.
#ifndef SINEW_COLLISION_CONVEX_FACE_CONTACT_H_
#define SINEW_COLLISION_CONVEX_FACE_CONTACT_H_

#include <mujoco/mujoco.h>

#include "collision/convex/convex_pair.h"

namespace sinew {

// Replaces con[0], the deepest contact of the shapes, by up to four where they lie flat; returns how many there are.
int FaceContacts(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                 const ConvexContact& deepest, mjContact* con);

}  // namespace sinew

#endif  // SINEW_COLLISION_CONVEX_FACE_CONTACT_H_
