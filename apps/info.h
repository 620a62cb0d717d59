// `sinew info MODEL`: what a model consists of, and what it takes.
#ifndef SINEW_APPS_INFO_H_
#define SINEW_APPS_INFO_H_

#include <CLI/App.hpp>

namespace sinew {

void AddInfo(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_INFO_H_
