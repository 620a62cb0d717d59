// Models and specifications for tests: from text, or from the folder models/.
#ifndef SINEW_TESTS_TESTING_MODEL_H_
#define SINEW_TESTS_TESTING_MODEL_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/testing/models_folder.h"

namespace sinew {

struct DeleteModelOf {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DeleteDataOf {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
struct DeleteSpecOf {
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
};
using ModelPtr = std::unique_ptr<mjModel, DeleteModelOf>;
using DataPtr = std::unique_ptr<mjData, DeleteDataOf>;
using SpecPtr = std::unique_ptr<mjSpec, DeleteSpecOf>;

// A model with its data.
struct World {
  ModelPtr m;
  DataPtr d;

  explicit World(ModelPtr model) : m(std::move(model)), d(mj_makeData(m.get())) {}
};

// Compiles MJCF text; throws with the compiler's message.
inline ModelPtr ModelFromText(const std::string& xml) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml.data(), static_cast<int>(xml.size()));
  char error[1000] = "";
  ModelPtr m(mj_loadXML("test.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  if (!m) throw std::runtime_error(error);
  return m;
}

// Compiles models/NAME.
inline ModelPtr ModelFromFile(const std::string& name) {
  char error[1000] = "";
  ModelPtr m(mj_loadXML(ModelsFile(name).c_str(), nullptr, error, sizeof(error)));
  if (!m) throw std::runtime_error(error);
  return m;
}

}  // namespace sinew

#endif  // SINEW_TESTS_TESTING_MODEL_H_
