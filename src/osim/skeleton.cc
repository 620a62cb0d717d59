#include "osim/skeleton.h"

#include <algorithm>

namespace sinew::osim {

std::string_view LastPart(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view OwnerPart(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : LastPart(path.substr(0, slash));
}

int Skeleton::FindBody(std::string_view path) const {
  const std::string_view name = LastPart(path);
  const auto found =
      std::find_if(bodies.begin(), bodies.end(), [&](const BodyRecord& body) { return body.name == name; });
  return found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin());
}

Coordinate* Skeleton::FindCoordinate(std::string_view path) {
  const std::string_view name = LastPart(path), owner = OwnerPart(path);
  Coordinate* found = nullptr;
  for (Coordinate& coordinate : coordinates) {
    if (coordinate.name != name) continue;
    if (!found || coordinate.joint_name == owner) found = &coordinate;
  }
  return found;
}

}  // namespace sinew::osim
