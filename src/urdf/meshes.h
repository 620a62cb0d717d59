// Mesh assets of a robot: one for each file and scale. Files of one name in different folders or packages are different
// ones.
#ifndef SINEW_URDF_MESHES_H_
#define SINEW_URDF_MESHES_H_

#include <array>
#include <deque>
#include <string>

#include "urdf/context.h"
#include "urdf/packages.h"

namespace sinew::urdf {

class Meshes {
 public:
  explicit Meshes(Context& context);

  // The name of the asset for an element <mesh filename scale>, which is made on first use. It is the file's name
  // without folder and extension; a number is appended where another asset has the name.
  std::string Require(const XmlNode& node);

 private:
  using Scale = std::array<double, 3>;
  struct Asset {
    std::string name, file;
    Scale scale;
  };

  const Asset* Find(const std::string& file, const Scale& scale) const;
  const Asset& Make(const XmlNode& node, const std::string& file, const Scale& scale);

  Context& context_;
  Packages packages_;
  std::deque<Asset> assets_;
};

}  // namespace sinew::urdf

#endif  // SINEW_URDF_MESHES_H_
