#include "collision/narrowphase.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "collision/contact.h"
#include "core/error.h"
#include "core/stack.h"
#include "core/warning.h"
#include "math/vec3.h"

namespace sinew {
namespace {

// Reasons for which a contact takes no part in constraints (mjContact.exclude).
constexpr int kInGap = 1;

void Complete(double frame[9]) {
  const Vec3<double> normal = LoadVec3(frame);
  if (!(Dot(normal, normal) > kMinVal * kMinVal)) {
    throw Error("a collision function returned a contact without a normal", "set frame[0..2] of every contact");
  }
  CompleteFrame(frame);
}

// Completes the frames of a pair's contacts. Most have the normal of the first and suggest no tangent: one frame
// serves.
void CompleteFrames(mjContact* contact, int count) {
  const Vec3<double> normal = LoadVec3(contact[0].frame);
  const auto is_like_first = [&](const double* frame) {
    return frame[0] == normal.x && frame[1] == normal.y && frame[2] == normal.z && IsZero(LoadVec3(frame + 3));
  };
  const bool is_free = IsZero(LoadVec3(contact[0].frame + 3));
  Complete(contact[0].frame);
  const Vec3<double> tangent1 = LoadVec3(contact[0].frame + 3), tangent2 = LoadVec3(contact[0].frame + 6);
  for (int i = 1; i < count; ++i) {
    double* frame = contact[i].frame;
    if (is_free && is_like_first(frame)) {
      StoreVec3(tangent1, frame + 3);
      StoreVec3(tangent2, frame + 6);
    } else {
      Complete(frame);
    }
  }
}

// Parameters of a pair's contacts: those of the first for all, which is everything behind their geometry.
void CompleteParameters(const mjModel* m, const GeomPair& pair, mjContact* contact, int count) {
  SetParameters(m, pair, contact[0]);
  constexpr size_t kGeometry = offsetof(mjContact, includemargin);
  for (int i = 1; i < count; ++i) {
    std::memcpy(&contact[i].includemargin, &contact[0].includemargin, sizeof(mjContact) - kGeometry);
  }
  for (int i = 0; i < count; ++i) contact[i].exclude = contact[i].dist >= contact[i].includemargin ? kInGap : 0;
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

  CompleteFrames(found, count);
  CompleteParameters(m, pair, found, count);
  d->ncon += count;
}

}  // namespace

void NarrowPhase(const mjModel* m, mjData* d, StackList<GeomPair>& pairs) {
  for (const GeomPair& pair : pairs) CollideGeoms(m, d, pair);
}

}  // namespace sinew
