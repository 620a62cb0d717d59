#include "collision/narrowphase.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "collision/contact.h"
#include "core/error.h"
#include "core/stack.h"
#include "core/warning.h"
#include "math/vec3.h"

namespace sinew {
namespace {

// Reasons for which a contact takes no part in constraints (mjContact.exclude).
constexpr int kInGap = 1;

// Completes frames, four at a time: each takes long, but not for others.
class FrameQueue {
 public:
  FrameQueue() = default;
  FrameQueue(const FrameQueue&) = delete;
  FrameQueue& operator=(const FrameQueue&) = delete;
  ~FrameQueue() { Complete(); }  // of what was found, whatever stops the rest

  // Contacts of a pair. Most have the normal of the first, and suggest the same tangent: one frame serves.
  void Add(mjContact* contact, int count) {
    for (int i = 0; i < count;) {
      const double* frame = contact[i].frame;
      const Vec3<double> normal = LoadVec3(frame);
      if (!(Dot(normal, normal) > kMinVal * kMinVal)) {
        throw Error("a collision function returned a contact without a normal", "set frame[0..2] of every contact");
      }
      const int first = i;
      while (++i < count && std::equal(frame, frame + 6, contact[i].frame)) {
      }
      equal_[size_++] = {contact + first, i - first};
      if (size_ == kTogether) Complete();
    }
  }

 private:
  static constexpr size_t kTogether = 4;

  struct EqualFrames {
    mjContact* contact;
    int count;
  };

  void Complete() {
    if (size_ == 0) return;
    double* frames[kTogether];
    for (size_t i = 0; i < kTogether; ++i) frames[i] = equal_[i < size_ ? i : 0].contact->frame;
    CompleteFrames(frames);
    for (const auto& [contact, count] : std::span(equal_, size_)) {
      for (int i = 1; i < count; ++i) std::copy_n(contact->frame + 3, 6, contact[i].frame + 3);
    }
    size_ = 0;
  }

  EqualFrames equal_[kTogether];
  size_t size_ = 0;
};

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
void CollideGeoms(const mjModel* m, mjData* d, const GeomPair& pair, FrameQueue& frames) {
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

  CompleteParameters(m, pair, found, count);
  frames.Add(found, count);
  d->ncon += count;
}

}  // namespace

void NarrowPhase(const mjModel* m, mjData* d, StackList<GeomPair>& pairs) {
  FrameQueue frames;
  for (const GeomPair& pair : pairs) CollideGeoms(m, d, pair, frames);
}

}  // namespace sinew
