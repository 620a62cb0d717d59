// Replicates what stands in a frame: copies with numbers in their names, each one step further along a screw, and
// keyframes for each of them (docs/how/spec.md).
#include "spec/replicate.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "spec/graft.h"
#include "spec/key_layout.h"
#include "spec/orientation.h"

namespace sinew::inline spec {
namespace {

// Number of a copy, with as many digits as the count has.
std::string Number(int i, int count) {
  const std::string digits = std::to_string(i);
  return std::string(std::to_string(count).size() - digits.size(), '0') + digits;
}

// Poses of the copies, one after the other.
class Screw {
 public:
  Screw(const Replication& replication, const mjsCompiler& compiler)
      : offset_(LoadVec3(replication.offset)), euler_(LoadVec3(replication.euler)), compiler_(compiler) {}

  // Puts a frame at the present pose, and moves on.
  void Place(Frame* frame) {
    StoreVec3(pos_, frame->pos);
    frame->alt.type = mjORIENTATION_EULER;
    StoreVec3(euler_ * static_cast<double>(turns_), frame->alt.euler);
    pos_ = pos_ + Rotate(Orientation(frame->quat, frame->alt, compiler_), offset_);
    ++turns_;
  }

 private:
  Vec3<double> pos_ = {0, 0, 0};
  const Vec3<double> offset_, euler_;
  const mjsCompiler& compiler_;
  int turns_ = 0;
};

// Who is a copy of whom, for the elements that have numbers in keyframes.
using Ancestry = std::unordered_map<const Element*, const Element*>;

Ancestry AncestryOf(const Graft& graft) {
  Ancestry ancestry;
  const auto add = [&](const auto& originals) {
    for (const auto* original : originals) ancestry.emplace(graft.CopyOf(*original), original);
  };
  add(graft.Get<Body>());
  add(graft.Get<Joint>());
  add(graft.Get<Actuator>());
  return ancestry;
}

// Whether anything of a graft has numbers in keyframes.
bool HasState(const Graft& graft) {
  const auto& bodies = graft.Get<Body>();
  return !graft.Get<Joint>().empty() || !graft.Get<Actuator>().empty() ||
         std::any_of(bodies.begin(), bodies.end(), [](const Body* body) { return body->mocap; });
}

// The keyframes of a model that is about to be replicated. A keyframe of the size of the tree as it has been read so
// far becomes one for each copy, in which that copy has the values of the original, followed by one in which none has;
// all of them are pending. Keyframes that are pending already, since a replicate has made them or they have come with
// an attached model, are not copied: there the first copy has the values. A keyframe of another size is left as it is:
// it must be one of the whole model, which the reader checks at the end. Scenery, which has no numbers in keyframes,
// changes none.
class ReplicatedKeys {
 public:
  ReplicatedKeys(Spec& spec, const Graft& graft) : spec_(spec) {
    if (!HasKeys(spec) || !HasState(graft)) return;
    old_.emplace(spec);
    for (const auto& key : spec.List<Key>()) {
      if (old_->Fits(*key)) fitting_.push_back(key.get());
    }
  }

  void AddCopy(const Graft& graft, const std::string& suffix) {
    if (old_) copies_.push_back({suffix, AncestryOf(graft)});
  }

  // How many numbers the new keyframes have: each copy of the tree adds a key for every key, and numbers to all of
  // them.
  double NumberCount(double count) const {
    return old_ ? static_cast<double>(fitting_.size() * old_->size()) * count * count : 0;
  }

  // Once the tree is as it will be; the originals must still exist.
  void Finish() {
    if (!old_) return;
    const KeyLayout now(spec_);
    const Ancestry none;
    const auto first = OriginIn(copies_.empty() ? none : copies_.front().ancestry);
    for (const auto& key : spec_.pending_keys) now.Arrange(*old_, first, key.get());
    for (const Copied& copied : copies_) {
      for (const Key* key : fitting_) AddKey(*key, copied, now);
    }
    for (Key* key : fitting_) now.Arrange(*old_, OriginIn(none), key);
    spec_.SuspendKeys(
        [&](const Key& key) { return std::find(fitting_.begin(), fitting_.end(), &key) != fitting_.end(); });
  }

 private:
  struct Copied {
    std::string suffix;
    Ancestry ancestry;
  };

  // An element has the values of the one that it is a copy of, else its own.
  static KeyLayout::Origin OriginIn(const Ancestry& ancestry) {
    return [&ancestry](const Element& element) {
      const auto found = ancestry.find(&element);
      return found == ancestry.end() ? &element : found->second;
    };
  }

  void AddKey(const Key& key, const Copied& copied, const KeyLayout& now) {
    Key& added = *spec_.pending_keys.emplace_back(std::make_unique<Key>(key));
    added.spec = key.spec;
    added.home = key.home;
    if (!key.name.empty()) added.name = key.name + copied.suffix;
    now.Arrange(*old_, OriginIn(copied.ancestry), &added);
  }

  Spec& spec_;
  std::optional<KeyLayout> old_;
  std::vector<Key*> fitting_;
  std::vector<Copied> copies_;
};

// Numbers of keyframes weigh less than elements. The counts are of any size, so they are not multiplied as integers.
void CheckLimit(double elements, double key_numbers, std::size_t limit) {
  constexpr double kNumbersOfElement = 100;
  if (elements + key_numbers / kNumbersOfElement <= static_cast<double>(limit)) return;
  throw Error("the copies have too many elements",
              "all replicates of a model may make " + std::to_string(limit) + " more: lower 'count'");
}

}  // namespace

Replicated Replicate(Spec& spec, Frame& prototype, const Replication& replication, std::size_t limit) {
  Graft graft(spec, spec);
  graft.Include(prototype);
  graft.IncludeRelations();
  ReplicatedKeys keys(spec, graft);
  const double count = replication.count;
  CheckLimit(count * static_cast<double>(graft.size()), keys.NumberCount(count), limit);
  const Replicated replicated = {graft.size() * static_cast<std::size_t>(replication.count), HasState(graft)};

  Screw screw(replication, prototype.compiler());
  for (int i = 0; i < replication.count; ++i) {
    const std::string suffix = replication.separator + Number(i, replication.count);
    graft.Copy({"", suffix}, *prototype.parent, prototype.frame);
    screw.Place(graft.CopyOf(prototype));
    keys.AddCopy(graft, suffix);
  }
  const ElementList<Element> originals = graft.TakeOutOriginals();
  keys.Finish();
  return replicated;
}

}  // namespace sinew::inline spec
