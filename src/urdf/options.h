// Options of the reader of URDF beyond the format's common core. With the default values, a robot compiles to the same
// model as without options; each option adds content of the file that this model leaves out.
#ifndef SINEW_URDF_OPTIONS_H_
#define SINEW_URDF_OPTIONS_H_

#include <string>
#include <vector>

namespace sinew::urdf {

struct UrdfOptions {
  bool mimic = false;         // <mimic> becomes an equality of two joints
  bool visuals = false;       // shapes that are only seen are kept
  bool actuators = false;     // <transmission> becomes motors
  bool floatingbase = false;  // links without a parent joint move freely

  // Folders that hold packages or are packages, searched first for package:// addresses.
  std::vector<std::string> package_path = {};
};

}  // namespace sinew::urdf

#endif  // SINEW_URDF_OPTIONS_H_
