// What moves by functions of a coordinate (docs/how/function-joints.md): where a model holds the parameters.
//
// Each array begins with its heads and ends with functions (math/piecewise.h), whose addresses are places in the array.
// Programs may write into arrays, so that nothing read from them is used before it is found to be inside.
#ifndef SINEW_MODEL_KINDS_MOTION_H_
#define SINEW_MODEL_KINDS_MOTION_H_

#include <cstddef>
#include <span>

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

#include "math/piecewise.h"
#include "model/kinds/number_array.h"

namespace sinew {

// Kinds of functions, in the order of their words.
enum class FunctionKind { kPolynomial, kSpline, kSimmSpline, kPolyline };

// The arrays: places of the motions of joints and of sites, of the ranges of steps of paths, and of the functions of
// equalities; 0: none.
inline constexpr char kMotionArray[] = sinewMOTIONS;
inline constexpr char kPointArray[] = sinewPOINTS;
inline constexpr char kRangeArray[] = sinewRANGES;
inline constexpr char kCouplingArray[] = sinewCOUPLINGS;

// A joint has at most so many rotations, and as many translations; a site as many translations.
inline constexpr int kMostMotionTerms = 3;

// A motion in its array: its counts, then its terms, rotations first.
inline constexpr int kMotionHead = 2;
enum MotionTermNumber { kTermAxis, kTermJoint = 3, kTermFunction, kMotionTermNumbers };

inline bool IsScalarJoint(const mjModel* m, mjtNum joint) {
  return joint >= 0 && joint < static_cast<mjtNum>(m->njnt) && m->jnt_type[static_cast<int>(joint)] >= mjJNT_SLIDE;
}

// How a joint moves its body, or how a site moves in its body. Without terms it is none.
struct FunctionMotion {
  std::span<const mjtNum> array;
  const mjtNum* terms = nullptr;
  int rotations = 0, translations = 0;

  explicit operator bool() const { return terms != nullptr; }
  int count() const { return rotations + translations; }
  const mjtNum* Term(int term) const { return terms + kMotionTermNumbers * term; }
  const mjtNum* Axis(int term) const { return Term(term) + kTermAxis; }
  int Joint(int term) const { return static_cast<int>(Term(term)[kTermJoint]); }
  Piecewise Function(int term) const { return PiecewiseAt(array, Term(term)[kTermFunction]); }
};

// The motions of all joints or sites of a model. Finding them compares names, so it is done once for each stage of a
// step.
class FunctionMotions {
 public:
  // Whether there are any.
  explicit operator bool() const { return !array_.empty(); }

  FunctionMotion Of(int id) const {
    if (array_.empty()) return {};
    const auto size = static_cast<mjtNum>(array_.size());
    const mjtNum place = array_[static_cast<std::size_t>(id)];
    if (!(place > 0 && place + kMotionHead <= size)) return {};
    const mjtNum* head = array_.data() + static_cast<std::size_t>(place);
    const auto count = [](mjtNum n) { return n >= 0 && n <= kMostMotionTerms ? static_cast<int>(n) : 0; };
    const FunctionMotion motion = {array_, head + kMotionHead, count(head[0]), count(head[1])};
    if (place + kMotionHead + kMotionTermNumbers * motion.count() > size) return {};
    for (int k = 0; k < motion.count(); ++k) {
      if (!IsScalarJoint(m_, motion.Term(k)[kTermJoint])) return {};
    }
    return motion;
  }

 protected:
  FunctionMotions(const mjModel* m, const char* name, mjtSize count) : m_(m), array_(FindNumberArray(m, name)) {
    if (array_.size() < static_cast<std::size_t>(count)) array_ = {};
  }

  const mjModel* m_;
  std::span<const mjtNum> array_;
};

struct JointMotions : FunctionMotions {
  explicit JointMotions(const mjModel* m) : FunctionMotions(m, kMotionArray, m->njnt) {}

  FunctionMotion Of(int joint) const {
    const FunctionMotion motion = FunctionMotions::Of(joint);
    return motion && IsScalarJoint(m_, joint) ? motion : FunctionMotion{};
  }
};

struct PointMotions : FunctionMotions {
  explicit PointMotions(const mjModel* m) : FunctionMotions(m, kPointArray, m->nsite) {}
};

// The steps of paths that are passed by while a coordinate is outside of a range.
class PathRanges {
 public:
  explicit PathRanges(const mjModel* m) : m_(m), array_(FindNumberArray(m, kRangeArray)) {
    if (array_.size() < static_cast<std::size_t>(m->nwrap)) array_ = {};
  }

  explicit operator bool() const { return !array_.empty(); }

  // Whether the path runs through the site of a step.
  bool IsOn(const mjtNum* qpos, int step) const {
    if (array_.empty()) return true;
    const mjtNum place = array_[static_cast<std::size_t>(step)];
    if (!(place > 0 && place + 3 <= static_cast<mjtNum>(array_.size()))) return true;
    const mjtNum* range = array_.data() + static_cast<std::size_t>(place);
    if (!IsScalarJoint(m_, range[0])) return true;
    const mjtNum q = qpos[m_->jnt_qposadr[static_cast<int>(range[0])]];
    return range[1] <= q && q <= range[2];
  }

 private:
  const mjModel* m_;
  std::span<const mjtNum> array_;
};

// What paths of tendons may have of both.
struct PathMotions {
  explicit PathMotions(const mjModel* m) : points(m), ranges(m) {}
  explicit operator bool() const { return points || ranges; }

  PointMotions points;
  PathRanges ranges;
};

// The functions by which joints are held to one another.
class JointCouplings {
 public:
  explicit JointCouplings(const mjModel* m) : array_(FindNumberArray(m, kCouplingArray)) {
    if (array_.size() < static_cast<std::size_t>(m->neq)) array_ = {};
  }

  explicit operator bool() const { return !array_.empty(); }

  // Without pieces where the equality has none.
  Piecewise Of(int equality) const {
    if (array_.empty() || !(array_[static_cast<std::size_t>(equality)] > 0)) return {};
    return PiecewiseAt(array_, array_[static_cast<std::size_t>(equality)]);
  }

 private:
  std::span<const mjtNum> array_;
};

}  // namespace sinew

#endif  // SINEW_MODEL_KINDS_MOTION_H_
