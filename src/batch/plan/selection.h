// Which worlds of a batch a call is about.
#ifndef SINEW_BATCH_PLAN_SELECTION_H_
#define SINEW_BATCH_PLAN_SELECTION_H_

#include <algorithm>
#include <span>

namespace sinew::inline batch {

// All worlds, or a list of numbers, which ascend where a call does not say otherwise. Whether all are meant does not
// follow from an address: an empty list may have none.
class Selection {
 public:
  Selection() = default;  // all worlds
  explicit Selection(std::span<const int> ids) : all_(false), ids_(ids) {}

  bool is_all() const { return all_; }
  std::span<const int> ids() const { return ids_; }  // empty where all are meant
  // How many of `worlds` worlds are selected, the number of the one at a place among them, and the place of one.
  int CountOf(int worlds) const { return all_ ? worlds : static_cast<int>(ids_.size()); }
  int WorldAt(int place) const { return all_ ? place : ids_[static_cast<size_t>(place)]; }
  int PlaceOf(int world) const {
    return all_ ? world : static_cast<int>(std::lower_bound(ids_.begin(), ids_.end(), world) - ids_.begin());
  }

 private:
  bool all_ = true;
  std::span<const int> ids_;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_SELECTION_H_
