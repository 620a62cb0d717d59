// Whether OpenGL draws here, without a window.
#ifndef SINEW_APPS_GL_PROBE_H_
#define SINEW_APPS_GL_PROBE_H_

#include <string>
#include <utility>
#include <vector>

namespace sinew {

// For each way to a context without a display, its name and what came of it: "works", and with what, or what to
// install.
std::vector<std::pair<std::string, std::string>> ProbeOpenGl();

}  // namespace sinew

#endif  // SINEW_APPS_GL_PROBE_H_
