#include "render/light_choice.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.h"

namespace sinew::inline render {

bool LightsVertices() {
  const char* set = std::getenv("SINEW_LIGHT");
  const std::string_view choice = set ? set : "";
  if (choice.empty() || choice == "vertices") return true;
  if (choice == "pixels") return false;
  throw Error("SINEW_LIGHT is '" + std::string(choice) + "'", "set it to vertices or pixels");
}

}  // namespace sinew::inline render
