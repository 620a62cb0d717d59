// Contacts of signed distance fields (docs/how/sdf.md), in the signature of mjCOLLISIONFUNC. Margins do not count:
// there are contacts only where shapes overlap.
#ifndef SINEW_COLLISION_FIELD_SDF_CONTACT_H_
#define SINEW_COLLISION_FIELD_SDF_CONTACT_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"

namespace sinew::inline collision {

// A primitive or a field with a field: searches for points that are deep in both.
int FieldField(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

// A mesh with a field: searches the faces of the mesh for points that are deep in the field.
int MeshField(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

// The deepest point of a triangle, given in the world frame, in a field; false when no point that was tried is inside.
// The normal leads out of the field's shape.
bool FieldTriangle(const mjModel* m, mjData* d, int geom, const Vec3<double> (&corner)[3],
                   ContactPoint<double>& deepest);

// A height field with a field: not detected, with a warning.
int HeightFieldField(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FIELD_SDF_CONTACT_H_
