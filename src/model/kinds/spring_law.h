// Springs and dampers of joints and tendons whose forces are functions of the coordinate or the length: limit forces
// and ligaments (docs/how/passive-elements.md), and the array that holds them.
//
// The array has a head for each joint and then for each tendon: where its laws begin, or 0. There stand the number of
// laws, and for each of them the addresses of its energy and of its damping, and 1 if it only damps lengthening.
#ifndef SINEW_MODEL_KINDS_SPRING_LAW_H_
#define SINEW_MODEL_KINDS_SPRING_LAW_H_

#include <sinew/passive_elements.h>

#include "model/kinds/motion.h"

namespace sinew::inline model {

inline constexpr char kSpringLawArray[] = sinewSPRINGLAWS;
enum SpringLawNumber { kLawEnergy, kLawDamping, kLawOnlyLengthens, kSpringLawNumbers };

// Of one element; more would make a file that is damaged loop for long.
inline constexpr int kMostSpringLaws = 1000;

MotionNumbers FindSpringLaws(const mjModel* m);

inline namespace SINEW_ISA {

// Force  -energy'(x) - damping(x) v,  the second part only for v > 0 where it damps lengthening alone.
struct SpringLaw {
  Piecewise energy, damping;
  bool only_lengthens;
};

// The laws of one joint or tendon.
struct SpringLawList {
  MotionNumbers numbers;
  const mjtNum* first = nullptr;
  int count = 0;

  explicit operator bool() const { return count > 0; }
  SpringLaw operator[](int i) const {
    const mjtNum* law = first + kSpringLawNumbers * i;
    return {FunctionIn(numbers, law[kLawEnergy]), FunctionIn(numbers, law[kLawDamping]), law[kLawOnlyLengthens] == 1};
  }
};

class SpringLaws {
 public:
  explicit SpringLaws(const mjModel* m) : m_(m), numbers_(FindSpringLaws(m)) {}

  // Whether there are any.
  explicit operator bool() const { return numbers_.data != nullptr; }

  SpringLawList OfJoint(int joint) const {
    if (!numbers_.data || !IsScalarJoint(m_, joint)) return {};
    return At(joint);
  }
  SpringLawList OfTendon(int tendon) const {
    if (!numbers_.data) return {};
    return At(static_cast<int>(m_->njnt) + tendon);
  }

 private:
  SpringLawList At(int head) const {
    const mjtNum place = numbers_.data[head];
    if (!(place > 0 && place + 1 <= numbers_.size)) return {};
    const mjtNum* list = numbers_.data + static_cast<mjtSize>(place);
    const mjtNum count = list[0];
    if (!(count > 0 && count <= kMostSpringLaws && place + 1 + int{kSpringLawNumbers} * count <= numbers_.size))
      return {};
    return {numbers_, list + 1, static_cast<int>(count)};
  }

  const mjModel* m_;
  MotionNumbers numbers_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_SPRING_LAW_H_
