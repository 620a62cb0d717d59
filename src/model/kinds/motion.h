// What moves by functions of a coordinate (docs/how/function-joints.md): where a model holds the parameters.
//
// Each array begins with its heads and ends with functions (math/piecewise.h), whose addresses are places in the array.
// Programs may write into arrays, so that nothing read from them is used before it is found to be inside.
#ifndef SINEW_MODEL_KINDS_MOTION_H_
#define SINEW_MODEL_KINDS_MOTION_H_

#include <algorithm>
#include <span>

#include <mujoco/mujoco.h>

#include "math/piecewise.h"
#include "math/vec3.h"
#include "model/kinds/number_array.h"

namespace sinew {

// Kinds of functions, in the order of their words.
enum class FunctionKind { kPolynomial, kSpline, kSimmSpline, kPolyline };

inline constexpr char kMotionArray[] = "sinew/motions";

// A joint has at most so many rotations, and as many translations.
inline constexpr int kMostMotionTerms = 3;

// A motion in the array: its counts, then its terms, rotations first.
inline constexpr int kMotionHead = 2;
enum MotionTermNumber { kTermAxis, kTermFunction = 3, kMotionTermNumbers };

// How a joint moves its body. Without terms it is none.
struct FunctionMotion {
  std::span<const mjtNum> array;
  const mjtNum* terms = nullptr;
  int rotations = 0, translations = 0;

  explicit operator bool() const { return terms != nullptr; }
  int count() const { return rotations + translations; }
  const mjtNum* Axis(int term) const { return terms + kMotionTermNumbers * term + kTermAxis; }
  Piecewise Function(int term) const { return PiecewiseAt(array, terms[kMotionTermNumbers * term + kTermFunction]); }
};

// The motions of all joints of a model. Finding them compares names, so it is done once for each stage of a step.
class JointMotions {
 public:
  explicit JointMotions(const mjModel* m) : m_(m), array_(FindNumberArray(m, kMotionArray)) {
    if (array_.size() < static_cast<std::size_t>(m->njnt)) array_ = {};
  }

  // Whether any joint has one.
  explicit operator bool() const { return !array_.empty(); }

  FunctionMotion Of(int joint) const {
    if (array_.empty() || m_->jnt_type[joint] < mjJNT_SLIDE) return {};
    const auto size = static_cast<mjtNum>(array_.size());
    const mjtNum place = array_[static_cast<std::size_t>(joint)];
    if (!(place > 0 && place + kMotionHead <= size)) return {};
    const mjtNum* head = array_.data() + static_cast<std::size_t>(place);
    const auto count = [](mjtNum n) { return n >= 0 && n <= kMostMotionTerms ? static_cast<int>(n) : 0; };
    FunctionMotion motion = {array_, head + kMotionHead, count(head[0]), count(head[1])};
    if (place + kMotionHead + kMotionTermNumbers * motion.count() > size) return {};
    return motion;
  }

 private:
  const mjModel* m_;
  std::span<const mjtNum> array_;
};

}  // namespace sinew

#endif  // SINEW_MODEL_KINDS_MOTION_H_
