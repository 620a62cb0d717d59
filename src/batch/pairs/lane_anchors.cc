#include "batch/pairs/lane_anchors.h"

#include <algorithm>
#include <span>

#include "batch/fallback/world_lane.h"
#include "model/kinds/stick.h"

namespace sinew::inline batch {
namespace {

// Numbers of one lane among those of a contact's anchor.
class NumbersOfLane {
 public:
  NumbersOfLane(const LaneContact& contact, size_t lane, size_t width, bool is_single)
      : numbers_(contact.anchor), lane_(lane), width_(width), is_single_(is_single) {}

  void Read(int place, int count, double* to) const {
    for (int i = 0; i < count; ++i) to[i] = NumberAt({numbers_, is_single_}, At(place + i));
  }
  void Write(int place, int count, const double* from) const {
    for (int i = 0; i < count; ++i) {
      if (is_single_) {
        reinterpret_cast<float*>(numbers_)[At(place + i)] = static_cast<float>(from[i]);
      } else {
        numbers_[At(place + i)] = from[i];
      }
    }
  }

 private:
  size_t At(int i) const { return static_cast<size_t>(i) * width_ + lane_; }

  double* numbers_;
  size_t lane_, width_;
  bool is_single_;
};

}  // namespace

// Contacts of a lane are in the order of the union, which is that of its world.
void LaneAnchors::FindHeld(size_t lane, bool is_single) {
  held_.clear();
  const std::vector<LaneContact>& contacts = union_.contacts();
  for (size_t i = 0; i < contacts.size(); ++i) {
    if (!contacts[i].anchor || !union_.IsIn(lane, contacts[i])) continue;
    HeldContact& held = held_.emplace_back();
    held.id = static_cast<int>(i);
    held.anchor = HeldContact::kNoAnchor;
    std::copy_n(contacts[i].parameters->geom, 2, held.geom);
    NumbersOfLane(contacts[i], lane, set_.width(), is_single).Read(LaneContact::kPointInGeom, 6, held.point[0]);
  }
}

void LaneAnchors::Take(bool is_single) {
  for (size_t lane = 0; lane < set_.width(); ++lane) {
    const std::span<const Anchor> anchors = ListOf(AnchorsOf(&set_.m, set_.lanes[lane].world.get()));
    if (anchors.empty()) continue;
    FindHeld(lane, is_single);
    taken_.assign(anchors.size(), 0);
    AnchorMatcher matcher(anchors, held_, taken_.data());
    while (matcher.NextPair()) {
      if (matcher.MatchInOrder()) continue;
      room_.resize(std::max(room_.size(), matcher.Numbers()));
      matcher.MatchNearest(room_.data());
    }
    for (const HeldContact& held : held_) {
      if (held.anchor == HeldContact::kNoAnchor) continue;
      const Anchor& anchor = anchors[static_cast<size_t>(held.anchor)];
      const NumbersOfLane to(union_.contacts()[static_cast<size_t>(held.id)], lane, set_.width(), is_single);
      to.Write(LaneContact::kSlide, 3, anchor.slide);
      to.Write(LaneContact::kTurn, 3, anchor.turn);
      to.Write(LaneContact::kNormal, 3, anchor.normal);
      to.Write(LaneContact::kStiffness, 1, &anchor.stiffness);
    }
  }
}

void LaneAnchors::Keep(bool is_single, bool any) {
  for (size_t lane = 0; lane < set_.width(); ++lane) {
    const std::span<Anchor> anchors = AnchorsOf(&set_.m, set_.lanes[lane].world.get());
    held_.clear();
    if (any) FindHeld(lane, is_single);
    size_t count = 0;
    for (const HeldContact& held : held_) {
      if (count == anchors.size()) break;
      const NumbersOfLane from(union_.contacts()[static_cast<size_t>(held.id)], lane, set_.width(), is_single);
      Anchor& anchor = anchors[count++];
      for (int side = 0; side < 2; ++side) anchor.geom[side] = held.geom[side] + 1;
      std::copy_n(held.point[0], 6, anchor.point[0]);
      from.Read(LaneContact::kSlide, 3, anchor.slide);
      from.Read(LaneContact::kTurn, 3, anchor.turn);
      from.Read(LaneContact::kNormal, 3, anchor.normal);
      from.Read(LaneContact::kStiffness, 1, &anchor.stiffness);
    }
    ForgetBehind(count, anchors);
  }
}

}  // namespace sinew::inline batch
