#include "constraint/anchor_match.h"

#include <algorithm>
#include <limits>

#include "math/vec3.h"

namespace sinew::inline constraint {
namespace {

bool IsOf(const Anchor& anchor, const HeldContact& contact) {
  return anchor.geom[0] == contact.geom[0] + 1 && anchor.geom[1] == contact.geom[1] + 1;
}

bool IsSamePair(const HeldContact& a, const HeldContact& b) { return a.geom[0] == b.geom[0] && a.geom[1] == b.geom[1]; }

// The squared distance of two points.
double Distance(const double* a, const double* b) {
  const Vec3<double> apart = LoadVec3(a) - LoadVec3(b);
  return Dot(apart, apart);
}

}  // namespace

std::span<Anchor> ListOf(std::span<Anchor> anchors) {
  size_t count = 0;
  while (count < anchors.size() && !IsEmpty(anchors[count])) ++count;
  return anchors.first(count);
}

void ForgetBehind(size_t count, std::span<Anchor> anchors) {
  for (size_t i = count; i < anchors.size() && !IsEmpty(anchors[i]); ++i) anchors[i] = Anchor{};
}

AnchorMatcher::AnchorMatcher(std::span<const Anchor> anchors, std::span<HeldContact> contacts, char* taken)
    : anchors_(anchors), contacts_(contacts), taken_(taken) {}

bool AnchorMatcher::NextPair() {
  while (end_contact_ < contacts_.size()) {
    first_contact_ = end_contact_;
    const HeldContact& first = contacts_[first_contact_];
    while (end_contact_ < contacts_.size() && IsSamePair(first, contacts_[end_contact_])) ++end_contact_;
    if (FindAnchors(first)) return true;
  }
  return false;
}

// Looks where the anchors of the pair before have ended, then from the front.
bool AnchorMatcher::FindAnchors(const HeldContact& contact) {
  const auto is_at = [&](size_t i) { return i < anchors_.size() && IsOf(anchors_[i], contact); };
  const auto is_end = [&](size_t i) { return i == anchors_.size() || IsEmpty(anchors_[i]); };
  for (const size_t start : {end_, size_t{0}}) {
    begin_ = start;
    while (!is_end(begin_) && !is_at(begin_)) ++begin_;
    if (!is_at(begin_)) continue;
    end_ = begin_ + 1;
    while (is_at(end_)) ++end_;
    return true;
  }
  return false;
}

bool AnchorMatcher::MatchInOrder() {
  if (rows() != columns()) return false;
  double moved = 0, apart = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < rows(); ++i) {
    const HeldContact& contact = contacts_[first_contact_ + i];
    const Anchor& anchor = anchors_[begin_ + i];
    for (int side = 0; side < 2; ++side) moved += Distance(anchor.point[side], contact.point[side]);
    for (size_t k = 0; k < i; ++k) {
      apart = std::min(apart, Distance(contacts_[first_contact_ + k].point[0], contact.point[0]));
    }
  }
  if (!(9 * moved < apart)) return false;
  for (size_t i = 0; i < rows(); ++i) Take(i, i);
  return true;
}

void AnchorMatcher::MatchNearest(double* room) {
  for (size_t i = 0; i < rows(); ++i) {
    const HeldContact& contact = contacts_[first_contact_ + i];
    for (size_t k = 0; k < columns(); ++k) {
      const Anchor& anchor = anchors_[begin_ + k];
      room[i * columns() + k] =
          std::min(Distance(anchor.point[0], contact.point[0]), Distance(anchor.point[1], contact.point[1]));
    }
  }
  while (TakeNearest(room)) {
  }
}

// False: no anchor or no contact is left.
bool AnchorMatcher::TakeNearest(const double* distance) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double least = kNone;
  size_t row = 0, column = 0;
  for (size_t i = 0; i < rows(); ++i) {
    if (contacts_[first_contact_ + i].anchor != HeldContact::kNoAnchor) continue;
    for (size_t k = 0; k < columns(); ++k) {
      if (taken_[begin_ + k] || !(distance[i * columns() + k] < least)) continue;
      least = distance[i * columns() + k];
      row = i;
      column = k;
    }
  }
  if (!(least < kNone)) return false;
  Take(row, column);
  return true;
}

void AnchorMatcher::Take(size_t row, size_t column) {
  contacts_[first_contact_ + row].anchor = static_cast<int>(begin_ + column);
  taken_[begin_ + column] = 1;
}

}  // namespace sinew::inline constraint
