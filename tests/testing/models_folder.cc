#include "tests/testing/models_folder.h"

namespace sinew {

std::string ModelsFile(const std::string& name) { return SINEW_MODELS "/" + name; }

}  // namespace sinew
