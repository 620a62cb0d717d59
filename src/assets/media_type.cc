// Tells formats by media type, and without one by the extension of the name.
#include "assets/media_type.h"

#include "core/path.h"

namespace sinew::inline assets {

std::string MediaType(std::string_view declared, std::string_view file) {
  if (!declared.empty()) {
    const std::string_view type = declared.substr(0, declared.find(';'));
    const size_t slash = type.find('/');
    const bool well_formed = slash != std::string_view::npos && slash > 0 && slash + 1 < type.size();
    return well_formed ? ToLower(type) : "";
  }
  const std::string name = ToLower(file);
  if (name.ends_with(".png")) return "image/png";
  if (name.ends_with(".ktx")) return "image/ktx";
  return "";
}

}  // namespace sinew::inline assets
