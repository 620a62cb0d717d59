// Bushings: springs and dampers in six directions between two sites (docs/how/passive-elements.md), and the array that
// holds them: for each the two sites, the stiffness, row by row, and the damping of each direction. Directions are
// three angles of rotation about the axes x, y, z that turn with the second site, and three translations in the frame
// of the first.
#ifndef SINEW_MODEL_KINDS_BUSHING_H_
#define SINEW_MODEL_KINDS_BUSHING_H_

#include <sinew/passive_elements.h>

#include "model/kinds/motion.h"

namespace sinew::inline model {

inline constexpr char kBushingArray[] = sinewBUSHINGS;
inline constexpr int kBushingAxes = 6;
enum BushingNumber {
  kBushingSite1,
  kBushingSite2,
  kBushingStiffness,                                                  // N m/rad, N/rad, N m/m, N/m
  kBushingDamping = kBushingStiffness + kBushingAxes * kBushingAxes,  // N m s/rad, N s/m
  kBushingNumbers = kBushingDamping + kBushingAxes
};

MotionNumbers FindBushings(const mjModel* m);

inline namespace SINEW_ISA {

class Bushings {
 public:
  explicit Bushings(const mjModel* m) : m_(m), numbers_(FindBushings(m)) {}

  // Whether there are any.
  explicit operator bool() const { return numbers_.data != nullptr; }
  int count() const { return static_cast<int>(numbers_.size) / kBushingNumbers; }
  // Its numbers; null: it has no sites.
  const mjtNum* Of(int i) const {
    const mjtNum* numbers = numbers_.data + kBushingNumbers * i;
    const auto is_site = [&](mjtNum id) { return id >= 0 && id < static_cast<mjtNum>(m_->nsite); };
    return is_site(numbers[kBushingSite1]) && is_site(numbers[kBushingSite2]) ? numbers : nullptr;
  }

 private:
  const mjModel* m_;
  MotionNumbers numbers_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_BUSHING_H_
