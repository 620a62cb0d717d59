// Joints and points that move by functions of a coordinate (docs/how/function-joints.md): the arrays of the parameters.
#ifndef SINEW_MODEL_KINDS_MOTION_H_
#define SINEW_MODEL_KINDS_MOTION_H_

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

#include "math/piecewise.h"
#include "simd/pack.h"

namespace sinew::inline model {

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

// One of the arrays of a model; empty where the model has none, or a shorter one than its heads take.
struct MotionNumbers {
  const mjtNum* data = nullptr;
  mjtNum size = 0;
};

// Ordinary functions, because kernels that are compiled for larger instruction sets call them. Finding compares names,
// so it is done once for each stage of a step. `heads`: the least length of the array.
MotionNumbers FindMotionNumbers(const mjModel* m, const char* name, mjtSize heads);
MotionNumbers FindJointMotions(const mjModel* m);
MotionNumbers FindPointMotions(const mjModel* m);
MotionNumbers FindPathRanges(const mjModel* m);
MotionNumbers FindJointCouplings(const mjModel* m);
bool IsScalarJoint(const mjModel* m, mjtNum joint);

// The function whose address stands at `address`; zero unless all of it is inside of the array.
Piecewise FunctionIn(const MotionNumbers& numbers, mjtNum address);

inline namespace SINEW_ISA {

// The motion of a joint's body, or of a site in its body, by functions. Without terms there is none.
struct FunctionMotion {
  MotionNumbers numbers;
  const mjtNum* terms = nullptr;
  int rotations = 0, translations = 0;

  explicit operator bool() const { return terms != nullptr; }
  int count() const { return rotations + translations; }
  const mjtNum* Term(int term) const { return terms + kMotionTermNumbers * term; }
  const mjtNum* Axis(int term) const { return Term(term) + kTermAxis; }
  int Joint(int term) const { return static_cast<int>(Term(term)[kTermJoint]); }
  Piecewise Function(int term) const { return FunctionIn(numbers, Term(term)[kTermFunction]); }
};

// The motions of all joints or sites of a model.
class FunctionMotions {
 public:
  // Whether there are any.
  explicit operator bool() const { return numbers_.data != nullptr; }

  FunctionMotion Of(int id) const {
    if (!numbers_.data) return {};
    const mjtNum place = numbers_.data[id];
    if (!(place > 0 && place + kMotionHead <= numbers_.size)) return {};
    const mjtNum* head = numbers_.data + static_cast<mjtSize>(place);
    const FunctionMotion motion = {numbers_, head + kMotionHead, TermCount(head[0]), TermCount(head[1])};
    if (place + kMotionHead + kMotionTermNumbers * motion.count() > numbers_.size) return {};
    for (int k = 0; k < motion.count(); ++k) {
      if (!IsScalarJoint(m_, motion.Term(k)[kTermJoint])) return {};
    }
    return motion;
  }

 protected:
  FunctionMotions(const mjModel* m, const MotionNumbers& numbers) : m_(m), numbers_(numbers) {}

  const mjModel* m_;
  MotionNumbers numbers_;

 private:
  static int TermCount(mjtNum n) { return n >= 0 && n <= kMostMotionTerms ? static_cast<int>(n) : 0; }
};

struct JointMotions : FunctionMotions {
  explicit JointMotions(const mjModel* m) : FunctionMotions(m, FindJointMotions(m)) {}

  FunctionMotion Of(int joint) const {
    if (!*this) return {};
    const FunctionMotion motion = FunctionMotions::Of(joint);
    return motion && IsScalarJoint(m_, joint) ? motion : FunctionMotion{};
  }
};

// Those of models without any: what is made for it has no branches for functions.
struct NoMotions {
  FunctionMotion Of(int) const { return {}; }
};

// work(motions) with the motions of the joints of a model.
template <class Work>
void WithJointMotions(const mjModel* m, const Work& work) {
  const JointMotions motions(m);
  if (motions) {
    work(motions);
  } else {
    work(NoMotions());
  }
}

struct PointMotions : FunctionMotions {
  explicit PointMotions(const mjModel* m) : FunctionMotions(m, FindPointMotions(m)) {}
};

// The steps of paths that are passed by while a coordinate is outside of a range.
class PathRanges {
 public:
  explicit PathRanges(const mjModel* m) : m_(m), numbers_(FindPathRanges(m)) {}

  explicit operator bool() const { return numbers_.data != nullptr; }

  // Whether the path runs through the site of a step.
  bool IsOn(const mjtNum* qpos, int step) const {
    if (!numbers_.data) return true;
    const mjtNum place = numbers_.data[step];
    if (!(place > 0 && place + 3 <= numbers_.size)) return true;
    const mjtNum* range = numbers_.data + static_cast<mjtSize>(place);
    if (!IsScalarJoint(m_, range[0])) return true;
    const mjtNum q = qpos[m_->jnt_qposadr[static_cast<int>(range[0])]];
    return range[1] <= q && q <= range[2];
  }

 private:
  const mjModel* m_;
  MotionNumbers numbers_;
};

// The motions that paths of tendons may have: of points, and with ranges.
struct PathMotions {
  explicit PathMotions(const mjModel* m) : points(m), ranges(m) {}
  explicit operator bool() const { return points || ranges; }

  PointMotions points;
  PathRanges ranges;
};

// The functions by which joints are held to one another.
class JointCouplings {
 public:
  explicit JointCouplings(const mjModel* m) : numbers_(FindJointCouplings(m)) {}

  explicit operator bool() const { return numbers_.data != nullptr; }

  // Without pieces where the equality has none.
  Piecewise Of(int equality) const {
    if (!numbers_.data || !(numbers_.data[equality] > 0)) return {};
    return FunctionIn(numbers_, numbers_.data[equality]);
  }

 private:
  MotionNumbers numbers_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_MOTION_H_
