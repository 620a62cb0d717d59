#include "collision/collision.h"

#include <algorithm>

#include "collision/broad/broadphase.h"
#include "collision/broad/midphase.h"
#include "collision/flex/flex_collision.h"
#include "collision/narrowphase.h"
#include "collision/speculative/speculative.h"
#include "collision/stack_list.h"
#include "core/stack.h"
#include "core/timer.h"
#include "core/warning.h"
#include "model/kinds/speculative.h"
#include "model/storage/data.h"

namespace sinew::inline collision {
namespace {

bool IsDisabled(const mjModel* m) {
  return (m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) || m->nbody + m->nflex < 2;
}

// Only nodes of bodies are marked, unless there are signed distance fields: those of meshes, often a hundred times as
// many, stay zero.
void ClearMarks(const mjModel* m, mjData* d) {
  if (m->noct > 0 || m->nplugin > 0) {
    std::fill_n(d->bvh_active, m->nbvhstatic, mjtByte{0});
    return;
  }
  int begin = 0, end = 0;  // of trees that follow each other
  const auto clear = [&] { std::fill(d->bvh_active + begin, d->bvh_active + end, mjtByte{0}); };
  for (int body = 0; body < m->nbody; ++body) {
    const int first = m->body_bvhadr[body];
    if (first < 0) continue;
    if (first != end) {
      clear();
      begin = first;
    }
    end = first + m->body_bvhnum[body];
  }
  clear();
}

void FindContacts(const mjModel* m, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  StackList<uint32_t> body_pairs(frame);
  StackList<ItemPair> item_pairs(frame);
  {
    StageTimer timer(d, mjTIMER_COL_BROAD);
    BroadPhase(m, d, frame, body_pairs);
  }
  StageTimer timer(d, mjTIMER_COL_NARROW);
  if (!frame.full()) MidPhase(m, d, frame, body_pairs, item_pairs);
  if (frame.full()) return RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
  NarrowPhase(m, d, item_pairs);
  if (m->opt.enableflags & kSpeculative) AddSpeculativeContacts(m, d);
  if (m->nflex > 0) CollideFlexes(m, d);
}

}  // namespace

void Collision(const mjModel* m, mjData* d) {
  ClearArena(d);
  if (m->vis.global.bvactive) ClearMarks(m, d);
  if (!IsDisabled(m)) FindContacts(m, d);
}

}  // namespace sinew::inline collision
