// Mesh assets of a robot.
//
// Models made with MuJoCo 3.8.0 rest on a rule that confuses meshes: files of one name in different folders are one
// mesh, and a scale other than the first is forgotten when it comes again. It holds, with a warning where it hurts,
// unless the option `meshpaths` asks for one asset for each file and scale.
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

  const Asset* FindByPath(const std::string& file, const Scale& scale) const;
  const Asset* FindByStem(const XmlNode& node, const std::string& file, const Scale& scale);
  const Asset& Make(const XmlNode& node, const std::string& file, const Scale& scale);

  Context& context_;
  Packages packages_;
  std::deque<Asset> assets_;
};

}  // namespace sinew::urdf

#endif  // SINEW_URDF_MESHES_H_
