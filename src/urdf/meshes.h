// Mesh assets of a robot: one for each file and scale.
#ifndef SINEW_URDF_MESHES_H_
#define SINEW_URDF_MESHES_H_

#include <array>
#include <map>
#include <string>
#include <utility>

#include "urdf/context.h"
#include "urdf/packages.h"

namespace sinew::urdf {

class Meshes {
 public:
  explicit Meshes(Context& context);

  // The name of the asset for an element <mesh filename scale>, which is made on first use. It is the file's name
  // without folder and extension; a number is appended where another file or scale has the name.
  std::string Require(const XmlNode& node);

 private:
  std::string NewName(const std::string& file) const;

  Context& context_;
  Packages packages_;
  std::map<std::pair<std::string, std::array<double, 3>>, std::string> names_;  // by file and scale
};

}  // namespace sinew::urdf

#endif  // SINEW_URDF_MESHES_H_
