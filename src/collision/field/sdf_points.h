// Distinct points, up to as many as a pair may have contacts.
#ifndef SINEW_COLLISION_FIELD_SDF_POINTS_H_
#define SINEW_COLLISION_FIELD_SDF_POINTS_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"

namespace sinew::inline collision {

class DistinctPoints {
 public:
  // Keeps a point unless it is there already; whether it was new.
  bool Add(const Vec3<double>& point) {
    for (int i = 0; i < count_; ++i) {
      if (Norm(points_[i] - point) < kMinVal) return false;
    }
    points_[count_++] = point;
    return true;
  }
  int count() const { return count_; }
  bool IsFull() const { return count_ == mjMAXCONPAIR; }

 private:
  Vec3<double> points_[mjMAXCONPAIR];
  int count_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FIELD_SDF_POINTS_H_
