#include "collision/broad/filter.h"

#include <algorithm>

namespace sinew::inline collision {

BodyFilter::BodyFilter(const mjModel* m, const mjData* d, StackFrame& frame)
    : m_(m),
      d_(d),
      any_asleep_(AnyAsleep(m, d)),
      has_exceptions_(any_asleep_ || m->nexclude > 0),
      traits_(frame.Alloc<Traits>(m->nbody)) {
  const bool parents_pass = m->opt.disableflags & mjDSBL_FILTERPARENT;
  for (int body = 0; traits_ && body < m->nbody; ++body) {
    const int weld = m->body_weldid[body], parent = m->body_weldid[m->body_parentid[weld]];
    traits_[body] = {m->body_contype[body], m->body_conaffinity[body], weld, parents_pass || parent == 0 ? -1 : parent};
  }
}

// The compiler sorts signatures.
bool BodyFilter::IsException(int body1, int body2) const {
  if (any_asleep_ && !PairIsAwake(m_, d_, body1, body2, false)) return true;
  const int* begin = m_->exclude_signature;
  return std::binary_search(begin, begin + m_->nexclude, static_cast<int>(PairSignature(body1, body2)));
}

bool PairIsAwake(const mjModel* m, const mjData* d, int body1, int body2, bool explicit_pair) {
  if (!AnyAsleep(m, d)) return true;
  const int state1 = d->body_awake[body1], state2 = d->body_awake[body2];
  if (explicit_pair) return state1 == mjS_AWAKE || state2 == mjS_AWAKE;
  const bool asleep1 = state1 == mjS_ASLEEP, asleep2 = state2 == mjS_ASLEEP;
  return !(asleep1 && (asleep2 || state2 == mjS_STATIC)) && !(asleep2 && state1 == mjS_STATIC);
}

}  // namespace sinew::inline collision
