#include "collision/narrowphase.h"

#include <algorithm>
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
  for (int i = 1; i < count; ++i) CopyParameters(contact[0], contact[i]);
  for (int i = 0; i < count; ++i) contact[i].exclude = contact[i].dist >= contact[i].includemargin ? kInGap : 0;
}

// Pair functions write into the arena, behind the contacts there are. Room for as many as a pair may have is kept
// there; what is left of it in the end is given back.
class ContactRoom {
 public:
  explicit ContactRoom(mjData* d) : d_(d) {}
  ContactRoom(const ContactRoom&) = delete;
  ContactRoom& operator=(const ContactRoom&) = delete;
  ~ContactRoom() { d_->parena -= static_cast<size_t>(free_) * sizeof(mjContact); }

  // Room for one pair; nullptr when the arena is full.
  mjContact* Get() {
    if (free_ == mjMAXCONPAIR) return next_;
    const size_t missing = static_cast<size_t>(mjMAXCONPAIR - free_);
    auto* more = static_cast<mjContact*>(AllocArena(d_, missing * sizeof(mjContact), alignof(mjContact)));
    if (!more) return nullptr;
    next_ = more - free_;
    free_ = mjMAXCONPAIR;
    return next_;
  }
  // The first of it are taken.
  void Take(int count) {
    next_ += count;
    free_ -= count;
  }

 private:
  mjData* d_;
  mjContact* next_ = nullptr;
  int free_ = 0;
};

void CollideGeoms(const mjModel* m, mjData* d, const GeomPair& pair, ContactRoom& room, FrameQueue& frames) {
  const mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[pair.geom1]][m->geom_type[pair.geom2]];
  if (!collide) return;
  mjContact* found = room.Get();
  if (!found) {
    RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  const int count = collide(m, d, found, pair.geom1, pair.geom2, pair.margin);
  if (count > mjMAXCONPAIR) throw Error("a collision function returned more than 50 contacts", "return fewer");
  if (count == 0) return;

  room.Take(count);
  CompleteParameters(m, pair, found, count);
  frames.Add(found, count);
  d->ncon += count;
}

}  // namespace

void NarrowPhase(const mjModel* m, mjData* d, StackList<GeomPair>& pairs) {
  ContactRoom room(d);
  FrameQueue frames;
  for (const GeomPair& pair : pairs) CollideGeoms(m, d, pair, room, frames);
}

}  // namespace sinew
