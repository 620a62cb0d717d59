// `sinew completion SHELL`: completion of commands, options and files in a shell.
#ifndef SINEW_APPS_COMPLETION_H_
#define SINEW_APPS_COMPLETION_H_

#include <CLI/App.hpp>

namespace sinew {

// After all other commands: it knows those that are there.
void AddCompletion(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_COMPLETION_H_
