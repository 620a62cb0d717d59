// Contacts in the arena, their parameters and frames.
#ifndef SINEW_COLLISION_CONTACT_H_
#define SINEW_COLLISION_CONTACT_H_

#include <mujoco/mujoco.h>

#include "collision/item.h"

namespace sinew::inline collision {

// Appends a copy of the contact. False, with a warning, when the arena is full.
bool AddContact(mjData* d, const mjContact& contact);

// Distance at which contacts of a pair begin to push: its margin without the gap.
double IncludeMargin(const mjModel* m, const ItemPair& pair);

// Writes all of a pair's contacts but their geometry (dist, pos, frame): ids, and the parameters of the explicit pair
// or those mixed of the two geoms, which are the same for all. margin and gap add up; of different priorities the
// higher decides; otherwise friction is the larger one of each coefficient and the rest is weighted by solmix. Contacts
// within the gap are excluded.
void CompleteParameters(const mjModel* m, const ItemPair& pair, mjContact* contact, int count);

// Completes frame[0..2], the normal, which is normalized, to an orthonormal frame. A first tangent in frame[3..5] is
// made orthogonal; one shorter than a half, or parallel to the normal, is replaced.
void CompleteFrame(double frame[9]);
// Completes `count` different frames.
void CompleteFrames(double* const* frames, int count);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONTACT_H_
