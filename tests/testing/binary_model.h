// A model written as a binary file (MJB), and read again.
#ifndef SINEW_TESTS_TESTING_BINARY_MODEL_H_
#define SINEW_TESTS_TESTING_BINARY_MODEL_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {

// Null where it cannot be read.
inline ModelPtr ThroughBinary(const mjModel* m) {
  std::vector<char> bytes(static_cast<std::size_t>(mj_sizeModel(m)));
  mj_saveModel(m, nullptr, bytes.data(), static_cast<int>(bytes.size()));
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes.data(), static_cast<int>(bytes.size()));
  ModelPtr again(mj_loadModel("m.mjb", &vfs));
  mj_deleteVFS(&vfs);
  return again;
}

}  // namespace sinew

#endif  // SINEW_TESTS_TESTING_BINARY_MODEL_H_
