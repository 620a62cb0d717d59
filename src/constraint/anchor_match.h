// Which anchor belongs to which contact (docs/how/stick.md), in a world alone and in the lanes of a pack.
#ifndef SINEW_CONSTRAINT_ANCHOR_MATCH_H_
#define SINEW_CONSTRAINT_ANCHOR_MATCH_H_

#include <cstddef>
#include <span>

#include "model/kinds/stick.h"

namespace sinew::inline constraint {

// A contact that holds its point, with that point in the frames of both geoms.
struct HeldContact {
  static constexpr int kNoAnchor = -1;

  int id;  // of the contact
  int geom[2];
  int anchor;  // its number among the anchors, or kNoAnchor
  double point[2][3];
};

// An anchor without geoms is none, and ends the list.
inline bool IsEmpty(const Anchor& anchor) { return anchor.geom[0] == 0 && anchor.geom[1] == 0; }
// The anchors of the list: what a step takes room for, however many there may be.
std::span<Anchor> ListOf(std::span<Anchor> anchors);
// Ends the list with the first `count` anchors.
void ForgetBehind(size_t count, std::span<Anchor> anchors);

// Gives anchors to contacts, one pair of geoms after the other. Contacts of a pair follow one another, and so do their
// anchors, mostly in the order of the last step.
//
//   while (matcher.NextPair()) {
//     if (!matcher.MatchInOrder()) matcher.MatchNearest(room for matcher.Numbers() numbers);
//   }
class AnchorMatcher {
 public:
  // `taken`: a zero for each anchor, which becomes one where a contact has it.
  AnchorMatcher(std::span<const Anchor> anchors, std::span<HeldContact> contacts, char* taken);

  // Goes to the next pair that has contacts and anchors; false: there is none.
  bool NextPair();
  // Gives the i-th contact the i-th anchor where they are sure to be each other's nearest, for all i, so that it does
  // not matter which is taken first: what they are apart, in both frames together, is less than a third of what is
  // between any two contacts. False: nothing is done.
  bool MatchInOrder();
  // The nearest ones first, by the smaller one of the distances in both frames.
  size_t Numbers() const { return rows() * columns(); }
  void MatchNearest(double* room);

 private:
  size_t rows() const { return end_contact_ - first_contact_; }
  size_t columns() const { return end_ - begin_; }
  bool FindAnchors(const HeldContact& contact);
  bool TakeNearest(const double* distance);
  void Take(size_t row, size_t column);

  std::span<const Anchor> anchors_;
  std::span<HeldContact> contacts_;
  char* taken_;
  size_t first_contact_ = 0, end_contact_ = 0;  // of the pair at hand
  size_t begin_ = 0, end_ = 0;                  // its anchors
};

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ANCHOR_MATCH_H_
