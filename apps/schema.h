// `sinew schema`: the elements and attributes of MJCF.
#ifndef SINEW_APPS_SCHEMA_H_
#define SINEW_APPS_SCHEMA_H_

#include <CLI/App.hpp>

namespace sinew {

void AddSchema(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_SCHEMA_H_
