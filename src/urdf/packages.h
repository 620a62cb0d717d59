// Where package:// addresses lead. ROS finds packages by its own index; a model file must load without it, so that the
// folders around the file are searched too.
#ifndef SINEW_URDF_PACKAGES_H_
#define SINEW_URDF_PACKAGES_H_

#include <string>
#include <vector>

#include <mujoco/mujoco.h>

namespace sinew::urdf {

class Packages {
 public:
  // `given` comes first; then the folders of SINEW_PACKAGE_PATH, ROS_PACKAGE_PATH and AMENT_PREFIX_PATH; then the
  // folder of the model file and those above it.
  Packages(const std::vector<std::string>& given, const std::string& model_folder, const mjVFS* vfs);

  // The path that an address names: "package://arm/meshes/hand.stl" is meshes/hand.stl in a folder arm of one of the
  // folders, or in one of them that is called arm itself. model:// means the same, file:// a path. An address that
  // opens as it stands remains: a virtual file system or a provider knows it. One that is not found remains too, and
  // `found` is false.
  std::string Resolve(const std::string& address, bool* found) const;

  // The folders, for messages.
  std::string Searched() const;

 private:
  std::vector<std::string> folders_;
  const mjVFS* vfs_;
};

}  // namespace sinew::urdf

#endif  // SINEW_URDF_PACKAGES_H_
