// Which bodies and geoms may collide, before anybody looks at where they are.
#ifndef SINEW_COLLISION_FILTER_H_
#define SINEW_COLLISION_FILTER_H_

#include <mujoco/mujoco.h>

#include <cstdint>

namespace sinew {

// Pairs of bodies are sorted and looked up by this number, lower id first.
inline uint32_t PairSignature(int body1, int body2) {
  const uint32_t low = body1 < body2 ? body1 : body2, high = body1 < body2 ? body2 : body1;
  return (low << 16) + high;
}

inline bool MasksMatch(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}

// Whether any geom of the body may collide with anything.
inline bool IsCollidable(const mjModel* m, int body) { return m->body_contype[body] || m->body_conaffinity[body]; }

// Masks, <exclude>, parent and weld filter, and sleep.
bool BodiesMayCollide(const mjModel* m, const mjData* d, int body1, int body2);

// Masks, or mjcb_contactfilter in their place; the geoms are in the order of their types.
bool GeomsMayCollide(const mjModel* m, mjData* d, int geom1, int geom2);

// False when nothing can have moved since the pair was last seen: explicit pairs ask for one awake body, others for one
// that is awake, or static against awake.
bool PairIsAwake(const mjModel* m, const mjData* d, int body1, int body2, bool explicit_pair);

}  // namespace sinew

#endif  // SINEW_COLLISION_FILTER_H_
