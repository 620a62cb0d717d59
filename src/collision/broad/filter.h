// Which bodies and geoms may collide, whatever their poses.
#ifndef SINEW_COLLISION_BROAD_FILTER_H_
#define SINEW_COLLISION_BROAD_FILTER_H_

#include <mujoco/mujoco.h>

#include <cstdint>

#include "core/stack.h"
#include "model/state/awake.h"

namespace sinew::inline collision {

// Pairs of bodies are sorted and looked up by this number, lower id first.
inline uint32_t PairSignature(int body1, int body2) {
  const uint32_t low = body1 < body2 ? body1 : body2, high = body1 < body2 ? body2 : body1;
  return (low << 16) + high;
}
inline int LowBodyOf(uint32_t signature) { return static_cast<int>(signature >> 16); }
inline int HighBodyOf(uint32_t signature) { return static_cast<int>(signature & 0xffff); }

inline bool MasksMatch(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return ((contype1 & conaffinity2) | (contype2 & conaffinity1)) != 0;
}

// Whether any geom of the body may collide with anything.
inline bool IsCollidable(const mjModel* m, int body) { return m->body_contype[body] || m->body_conaffinity[body]; }

// False when nothing can have moved since the pair was last seen: explicit pairs need one awake body, others for one
// that is awake, or static against awake.
bool PairIsAwake(const mjModel* m, const mjData* d, int body1, int body2, bool explicit_pair);

// Which pairs of bodies may collide: masks, welds and parents, <exclude>, and sleep.
class BodyFilter {
 public:
  // The frame must outlive the filter.
  BodyFilter(const mjModel* m, const mjData* d, StackFrame& frame);

  // Whether the pair passes is hard to predict: there is no branch on it, but for what few models have.
  bool operator()(int body1, int body2) const {
    const Traits &a = traits_[body1], &b = traits_[body2];
    const bool passes = MasksMatch(a.contype, a.conaffinity, b.contype, b.conaffinity) & (a.weld != b.weld) &
                        (a.weld != b.parent) & (b.weld != a.parent);
    return has_exceptions_ ? passes && !IsException(body1, body2) : passes;
  }

 private:
  // Bodies without joints in between move as one, under the number of the first. A body does not collide with the body
  // that it is jointed to, unless that one is static: feet may stand on a floor that carries the robot's base.
  struct Traits {
    int contype, conaffinity;
    int weld, parent;  // parent -1: no parent filters
  };

  // Of a pair that passes otherwise.
  bool IsException(int body1, int body2) const;

  const mjModel* m_;
  const mjData* d_;
  bool any_asleep_, has_exceptions_;
  Traits* traits_;  // by body
};

inline bool GeomMasksMatch(const mjModel* m, int geom1, int geom2) {
  return MasksMatch(m->geom_contype[geom1], m->geom_conaffinity[geom1], m->geom_contype[geom2],
                    m->geom_conaffinity[geom2]);
}

// Masks, or mjcb_contactfilter in their place; the geoms are in the order of their types.
inline bool GeomsMayCollide(const mjModel* m, mjData* d, int geom1, int geom2) {
  return mjcb_contactfilter ? !mjcb_contactfilter(m, d, geom1, geom2) : GeomMasksMatch(m, geom1, geom2);
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_FILTER_H_
