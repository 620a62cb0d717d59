// A mjData that is nothing but an arena, for code that needs a stack.
#ifndef SINEW_TESTS_UNIT_SOLVE_SCRATCH_H_
#define SINEW_TESTS_UNIT_SOLVE_SCRATCH_H_

#include <mujoco/mujoco.h>

#include <memory>

#include "core/stack.h"

namespace sinew {

class Scratch {
 public:
  Scratch() : data_(std::make_unique<mjData>()) {
    data_->narena = 1 << 21;
    data_->arena = AllocateArena(static_cast<size_t>(data_->narena), 0);
  }
  ~Scratch() { FreeArena(data_->arena); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  mjData* data() { return data_.get(); }

 private:
  std::unique_ptr<mjData> data_;
};

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_SOLVE_SCRATCH_H_
