#include "collision/collision.h"

#include <mujoco/mjxmacro.h>

#include <algorithm>

#include "collision/broadphase.h"
#include "collision/midphase.h"
#include "collision/narrowphase.h"
#include "collision/stack_list.h"
#include "core/stack.h"

namespace sinew {
namespace {

// Contacts stand first in the arena: everything behind them is lost with them.
void ClearContacts(mjData* d) {
  d->parena = 0;
  d->contact = static_cast<mjContact*>(d->arena);
  d->ncon = d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nisland = d->nidof = 0;
#define X(type, name, nr, nc) d->name = nullptr;
  MJDATA_ARENA_POINTERS_SOLVER
  MJDATA_ARENA_POINTERS_DUAL
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
}

bool IsDisabled(const mjModel* m) {
  return (m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) || m->nbody < 2;
}

}  // namespace

void Collision(const mjModel* m, mjData* d) {
  ClearContacts(d);
  if (m->vis.global.bvactive) std::fill_n(d->bvh_active, m->nbvh, mjtByte{0});
  if (IsDisabled(m)) return;

  StackFrame frame(d);
  StackList<uint32_t> body_pairs(frame);
  StackList<GeomPair> geom_pairs(frame);
  BroadPhase(m, d, frame, body_pairs);
  MidPhase(m, d, body_pairs, geom_pairs);
  NarrowPhase(m, d, geom_pairs);
}

}  // namespace sinew
