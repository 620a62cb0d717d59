// Short robots for the tests of the reader.
#ifndef SINEW_TESTS_UNIT_URDF_READ_ROBOT_H_
#define SINEW_TESTS_UNIT_URDF_READ_ROBOT_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "compile/compile.h"
#include "core/error.h"
#include "read/read_xml.h"

namespace sinew::urdf {

// A mass with three different moments.
inline const std::string kInertial =
    R"(<inertial><mass value="1"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>)";

inline std::string Link(const std::string& name, const std::string& content = kInertial) {
  return "<link name='" + name + "'>" + content + "</link>";
}

inline std::string JointTo(const std::string& type, const std::string& parent, const std::string& child,
                           const std::string& content = "") {
  return "<joint name='to_" + child + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
         "'/>" + content + "</joint>";
}

inline std::unique_ptr<Spec> ReadRobot(const std::string& content, const urdf::UrdfOptions& options = {}) {
  return ReadXmlText("<robot name='robot'>\n" + content + "\n</robot>", "robot.urdf", nullptr, options);
}

inline ModelPtr CompileRobot(const std::string& content, const urdf::UrdfOptions& options = {}) {
  return Compile(*ReadRobot(content, options), nullptr);
}

inline std::string ErrorOfRobot(const std::string& content) {
  try {
    ReadRobot(content);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// All warnings of a robot, one a line.
inline std::string WarningsOf(const std::string& content, const urdf::UrdfOptions& options = {}) {
  const auto spec = ReadRobot(content, options);
  std::string all;
  for (const std::string& warning : spec->warnings) all += warning + "\n";
  return all;
}

inline bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace sinew::urdf

#endif  // SINEW_TESTS_UNIT_URDF_READ_ROBOT_H_
