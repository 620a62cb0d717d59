// Scenes as text, for people.
#ifndef SINEW_SCENE_PRINT_SCENE_H_
#define SINEW_SCENE_PRINT_SCENE_H_

#include <mujoco/mujoco.h>

#include <string>

namespace sinew::inline scene {

// `format` is that of real numbers (model/text/print.h).
std::string PrintScene(const mjvScene& scene, const std::string& format);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_PRINT_SCENE_H_
