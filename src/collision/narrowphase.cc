#include "collision/narrowphase.h"

#include <algorithm>

#include "collision/contact.h"
#include "core/error.h"
#include "core/stack.h"
#include "core/warning.h"
#include "math/vec3.h"

namespace sinew {
namespace {

// Reasons for which a contact takes no part in constraints (mjContact.exclude).
constexpr int kInGap = 1;

// Turns what a pair function has written into a contact.
void Finish(const mjContact& parameters, mjContact& contact) {
  const double dist = contact.dist;
  double pos[3], frame[9];
  std::copy_n(contact.pos, 3, pos);
  std::copy_n(contact.frame, 6, frame);
  if (!(Norm(LoadVec3(frame)) > kMinVal)) {
    throw Error("a collision function returned a contact without a normal", "set frame[0..2] of every contact");
  }
  CompleteFrame(frame);

  contact = parameters;
  contact.dist = dist;
  std::copy_n(pos, 3, contact.pos);
  std::copy_n(frame, 9, contact.frame);
  contact.exclude = dist >= parameters.includemargin ? kInGap : 0;
}

// Pair functions write into the arena, behind the contacts there are: room for as many as a pair may have is taken and
// what is left of it given back.
void CollideGeoms(const mjModel* m, mjData* d, const GeomPair& pair) {
  const mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[pair.geom1]][m->geom_type[pair.geom2]];
  if (!collide) return;
  auto* found = static_cast<mjContact*>(AllocArena(d, mjMAXCONPAIR * sizeof(mjContact), alignof(mjContact)));
  if (!found) {
    RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  const int count = collide(m, d, found, pair.geom1, pair.geom2, pair.margin);
  if (count > mjMAXCONPAIR) throw Error("a collision function returned more than 50 contacts", "return fewer");
  d->parena -= static_cast<size_t>(mjMAXCONPAIR - count) * sizeof(mjContact);
  if (count == 0) return;

  const mjContact parameters = ContactOfPair(m, pair);
  for (int i = 0; i < count; ++i) Finish(parameters, found[i]);
  d->ncon += count;
}

}  // namespace

void NarrowPhase(const mjModel* m, mjData* d, StackList<GeomPair>& pairs) {
  for (const GeomPair& pair : pairs) CollideGeoms(m, d, pair);
}

}  // namespace sinew
