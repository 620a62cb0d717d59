// A model as one file for browsers, with the engine in it.
#ifndef SINEW_APPS_WEB_PAGE_H_
#define SINEW_APPS_WEB_PAGE_H_

#include <mujoco/mujoco.h>

#include <filesystem>
#include <string>

namespace sinew {

// The page without a model: what the environment variable SINEW_WEB_PAGE names, else what is installed or built beside
// this program. Throws std::runtime_error with the command that builds it.
std::filesystem::path FindPageTemplate();

// Writes the page with the compiled model, shown under this name.
void WriteWebPage(const mjModel& m, const std::string& name, const std::filesystem::path& file);

}  // namespace sinew

#endif  // SINEW_APPS_WEB_PAGE_H_
