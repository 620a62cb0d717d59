#include "collision/narrowphase.h"

#include <algorithm>
#include <span>

#include "collision/analytic/analytic.h"
#include "collision/analytic/box_box.h"
#include "collision/contact.h"
#include "collision/convex/convex_pair.h"
#include "collision/pairs.h"
#include "collision/triangles/triangle_contact.h"
#include "core/error.h"
#include "core/stack.h"
#include "core/warning.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "model/kinds/triangle_meshes.h"

namespace sinew::inline collision {
namespace {

// Completes frames in batches: a frame is a chain of operations that takes long, while several of them overlap in time.
class FrameQueue {
 public:
  FrameQueue() = default;
  FrameQueue(const FrameQueue&) = delete;
  FrameQueue& operator=(const FrameQueue&) = delete;
  ~FrameQueue() { Complete(); }  // frames of what was found are completed, whatever stops the rest

  // Adds the contacts of a pair. Most have the normal of the first, and suggest the same tangent: one frame serves.
  void Add(mjContact* contact, int count) {
    for (int i = 0; i < count;) {
      const double* frame = contact[i].frame;
      const int first = i;
      while (++i < count && SuggestTheSame(frame, contact[i].frame)) {
      }
      equal_[size_++] = {contact + first, i - first};
      if (size_ == kBatch) Complete();
    }
  }

 private:
  static constexpr int kBatch = 16;

  struct EqualFrames {
    mjContact* contact;
    int count;
  };

  // Whether two frames have the same normal and the same first tangent.
  static bool SuggestTheSame(const double* a, const double* b) {
    const auto same = [&](int i) { return LoadTwo(a + i) == LoadTwo(b + i); };
    return All(same(0) & same(2) & same(4));
  }
  static void CopyFrame(const double* from, double* to) { std::copy_n(from, 9, to); }

  void Complete() {
    if (size_ == 0) return;
    double* frames[kBatch];
    for (int i = 0; i < size_; ++i) frames[i] = equal_[i].contact->frame;
    CompleteFrames(frames, size_);
    for (const auto& [contact, count] : std::span(equal_, static_cast<size_t>(size_))) {
      for (int i = 1; i < count; ++i) CopyFrame(contact->frame, contact[i].frame);
    }
    size_ = 0;
  }

  EqualFrames equal_[kBatch];
  int size_ = 0;
};

// Pair functions write into the arena, behind the contacts there are. Room for as many as a pair may have is kept
// there; what is left of it in the end is given back.
class ContactRoom {
 public:
  explicit ContactRoom(mjData* d) : d_(d) {}
  ContactRoom(const ContactRoom&) = delete;
  ContactRoom& operator=(const ContactRoom&) = delete;
  ~ContactRoom() { d_->parena -= static_cast<size_t>(free_) * sizeof(mjContact); }

  // Returns room for one pair, or nullptr when the arena is full.
  mjContact* Get() {
    if (free_ == mjMAXCONPAIR) return next_;
    const size_t missing = static_cast<size_t>(mjMAXCONPAIR - free_);
    const size_t bytes = missing * sizeof(mjContact);
    void* more = d_->threadpool ? nullptr : AllocOwnArena(d_, bytes, alignof(mjContact));
    if (!more && !(more = AllocArena(d_, bytes, alignof(mjContact)))) return nullptr;
    next_ = static_cast<mjContact*>(more) - free_;
    free_ = mjMAXCONPAIR;
    return next_;
  }
  // Keeps the first contacts of the room.
  void Take(int count) {
    next_ += count;
    free_ -= count;
  }

 private:
  mjData* d_;
  mjContact* next_ = nullptr;
  int free_ = 0;
};

// Checks the result of a program's own collision function. A normal that is NaN comes from a pose that is NaN, of which
// the step warns; it is no mistake of the function.
void CheckCustom(const mjContact* contact, int count) {
  if (count > mjMAXCONPAIR) throw Error("a collision function returned more than 50 contacts", "return fewer");
  for (int i = 0; i < count; ++i) {
    const Vec3<double> normal = LoadVec3(contact[i].frame);
    if (Dot(normal, normal) <= kMinVal * kMinVal) {
      throw Error("a collision function returned a contact without a normal", "set frame[0..2] of every contact");
    }
  }
}

// Finds the contacts of pairs, in the order in which they were given.
class PairCollider {
 public:
  PairCollider(const mjModel* m, mjData* d, std::span<const ItemPair> pairs)
      : m_(m), d_(d), triangles_(m), convex_(m, d), boxes_(m, d, pairs), room_(d) {}

  void Collide(const ItemPair& pair) {
    const int g1 = pair.first.id, g2 = pair.second.id, type1 = m_->geom_type[g1], type2 = m_->geom_type[g2];
    const mjfCollision collide = mjCOLLISIONFUNC[type1][type2];
    if (!collide) return;
    mjContact* contact = room_.Get();
    if (!contact) {
      RaiseWarning(d_, mjWARN_CONTACTFULL, d_->ncon);
      return;
    }
    const PairKind kind = KindOfPair(type1, type2);
    const int count = kind == PairKind::kBoxBox                 ? boxes_.Collide(contact, pair)
                      : IsOfTriangles(triangles_, kind, g1, g2) ? CollideTriangles(m_, d_, contact, g1, g2, pair.margin)
                      : kind == PairKind::kConvex && pair.explicit_pair < 0  // the midphase has compared the boxes
                          ? convex_.Collide(contact, g1, g2, pair.margin)
                          : collide(m_, d_, contact, g1, g2, pair.margin);
    if (kind == PairKind::kCustom) CheckCustom(contact, count);
    if (count == 0) return;

    room_.Take(count);
    CompleteParameters(m_, pair, contact, count);
    if (kind != PairKind::kBoxBox) frames_.Add(contact, count);  // boxes come with whole frames
    d_->ncon += count;
  }

 private:
  const mjModel* m_;
  mjData* d_;
  TriangleMeshes triangles_;
  ConvexPairs convex_;
  BoxPairs boxes_;
  ContactRoom room_;
  FrameQueue frames_;
};

}  // namespace

SINEW_DISPATCH void NarrowPhase(const mjModel* m, mjData* d, StackList<ItemPair>& pairs, int* ends) {
  PairCollider collider(m, d, {pairs.begin(), static_cast<size_t>(pairs.size())});
  for (const ItemPair& pair : pairs) {
    collider.Collide(pair);
    if (ends) *ends++ = d->ncon;
  }
}

}  // namespace sinew::inline collision
