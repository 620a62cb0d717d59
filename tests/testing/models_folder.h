// Where the repository's models/ is, for tests, fuzz targets and benchmarks.
#ifndef SINEW_TESTS_TESTING_MODELS_FOLDER_H_
#define SINEW_TESTS_TESTING_MODELS_FOLDER_H_

#include <string>

namespace sinew {

// The path of models/NAME.
std::string ModelsFile(const std::string& name);

}  // namespace sinew

#endif  // SINEW_TESTS_TESTING_MODELS_FOLDER_H_
