// A mjData that is nothing but an arena, for code that needs a stack.
#ifndef SINEW_TESTS_UNIT_SOLVE_SCRATCH_H_
#define SINEW_TESTS_UNIT_SOLVE_SCRATCH_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <vector>

namespace sinew {

class Scratch {
 public:
  Scratch() : data_(std::make_unique<mjData>()), memory_(1 << 18) {
    data_->arena = memory_.data();
    data_->narena = static_cast<mjtSize>(memory_.size() * sizeof(double));
  }
  mjData* data() { return data_.get(); }

 private:
  std::unique_ptr<mjData> data_;
  std::vector<double> memory_;
};

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_SOLVE_SCRATCH_H_
