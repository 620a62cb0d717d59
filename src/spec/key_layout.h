// Keyframes under edits of the tree: which numbers of a keyframe belong to which joint, actuator and mocap body, and
// where they go when these get other places.
#ifndef SINEW_SPEC_KEY_LAYOUT_H_
#define SINEW_SPEC_KEY_LAYOUT_H_

#include <array>
#include <functional>
#include <vector>

#include "spec/spec.h"

namespace sinew::inline spec {

// The layout of the vectors of keyframes in a specification as it is now.
class KeyLayout {
 public:
  KeyLayout() = default;  // of a specification without such elements
  explicit KeyLayout(Spec& spec);

  // Whether the vectors of a key, as far as they are given, have this layout; Check throws Error when not.
  bool Fits(const Key& key) const;
  void Check(const Key& key) const;

  // How many numbers a key has.
  std::size_t size() const;

  // The element of the old layout whose numbers one of the new layout takes over; null: it gets its reference values.
  using Origin = std::function<const Element*(const Element&)>;

  // Gives `key`, which fits the layout `old`, this layout. Reference values that only the compiler knows, such as the
  // pose of a free body, are NaN; it fills them in.
  void Arrange(const KeyLayout& old, const Origin& origin, Key* key) const;

 private:
  // The numbers of one element in one vector.
  struct Slot {
    const Element* element;
    int width;
  };
  // qpos, qvel, act, ctrl, mpos, mquat
  static constexpr std::size_t kVectors = 6;
  static std::vector<double>& VectorOf(const Key& key, std::size_t which);
  static std::size_t Length(const std::vector<Slot>& slots);
  static void AppendReference(const Slot& slot, std::size_t which, std::vector<double>* values);

  std::array<std::vector<Slot>, kVectors> slots_;
};

// Whether there are keyframes, pending ones included.
bool HasKeys(const Spec& spec);

// Gives all keys that fit the layout `old` the layout that the specification has now. Elements that are new get their
// reference values.
void ExtendKeys(Spec& spec, const KeyLayout& old);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_KEY_LAYOUT_H_
