// Which bodies and geoms may collide, before anybody looks at where they are.
#ifndef SINEW_COLLISION_FILTER_H_
#define SINEW_COLLISION_FILTER_H_

#include <mujoco/mujoco.h>

#include <cstdint>

#include "model/awake.h"

namespace sinew {

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

// False when nothing can have moved since the pair was last seen: explicit pairs ask for one awake body, others for one
// that is awake, or static against awake.
bool PairIsAwake(const mjModel* m, const mjData* d, int body1, int body2, bool explicit_pair);

// Which pairs of bodies may collide: masks, welds and parents, <exclude>, and sleep.
class BodyFilter {
 public:
  BodyFilter(const mjModel* m, const mjData* d)
      : m_(m), d_(d), parents_pass_(m->opt.disableflags & mjDSBL_FILTERPARENT), any_asleep_(AnyAsleep(m, d)) {}

  bool operator()(int body1, int body2) const {
    return MasksMatch(m_->body_contype[body1], m_->body_conaffinity[body1], m_->body_contype[body2],
                      m_->body_conaffinity[body2]) &&
           !(any_asleep_ && !PairIsAwake(m_, d_, body1, body2, false)) && !WeldedOrParent(body1, body2) &&
           !(m_->nexclude > 0 && IsExcluded(body1, body2));
  }

 private:
  // Bodies without joints in between move as one. A body does not collide with the body that it is jointed to, unless
  // that one is static: feet may stand on a floor that carries the robot's base.
  bool WeldedOrParent(int body1, int body2) const {
    const int weld1 = m_->body_weldid[body1], weld2 = m_->body_weldid[body2];
    if (weld1 == weld2) return true;
    if (parents_pass_ || weld1 == 0 || weld2 == 0) return false;
    const int parent1 = ParentWeld(weld1), parent2 = ParentWeld(weld2);
    return (weld1 == parent2) | (weld2 == parent1);  // chance: no branch
  }
  int ParentWeld(int body) const { return m_->body_weldid[m_->body_parentid[body]]; }
  bool IsExcluded(int body1, int body2) const;

  const mjModel* m_;
  const mjData* d_;
  bool parents_pass_, any_asleep_;
};

inline bool GeomMasksMatch(const mjModel* m, int geom1, int geom2) {
  return MasksMatch(m->geom_contype[geom1], m->geom_conaffinity[geom1], m->geom_contype[geom2],
                    m->geom_conaffinity[geom2]);
}

// Masks, or mjcb_contactfilter in their place; the geoms are in the order of their types.
inline bool GeomsMayCollide(const mjModel* m, mjData* d, int geom1, int geom2) {
  return mjcb_contactfilter ? !mjcb_contactfilter(m, d, geom1, geom2) : GeomMasksMatch(m, geom1, geom2);
}

}  // namespace sinew

#endif  // SINEW_COLLISION_FILTER_H_
