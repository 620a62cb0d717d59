// Makes motors of transmissions: the gear is the reduction between motor and joint.
#include "urdf/transmissions.h"

#include <cmath>
#include <optional>
#include <string>

#include "mjcf/numbers.h"
#include "urdf/tag_reader.h"

namespace sinew::urdf {
namespace {

// The reduction stands in the joint, in the actuator or beside them, by the age of the format.
std::optional<double> ReadReduction(TagReader& reader) {
  const auto text = reader.ChildText("mechanicalReduction");
  if (!text) return std::nullopt;
  const auto words = mjcf::Words(*text);
  double reduction = 0;
  if (words.size() != 1 || mjcf::ParseReal(words[0], &reduction) != mjcf::NumberError::kNone ||
      !std::isfinite(reduction) || reduction == 0) {
    reader.Fail("mechanicalReduction is \"" + *text + "\"", "give a number that is not 0");
    return std::nullopt;
  }
  return reduction;
}

void NoteInterface(Context& context, TagReader& reader) {
  for (const XmlNode* interface : reader.Children("hardwareInterface")) {
    if (interface->text.find("Effort") != std::string::npos || interface->text.empty()) continue;
    context.dropped.Note(*interface, "the interface '" + interface->text + "' has no gains in URDF",
                         "the actuator is a motor; make it a servo in MJCF");
  }
}

// The range of control is the effort of the joint at the motor's side.
void AddMotor(Context& context, const XmlNode& node, const std::string& name, const Joint& joint, double reduction) {
  Actuator& motor = context.spec.Add<Actuator>();
  motor.where = node.Location();
  if (!context.spec.SetName(motor, name)) {
    // Several transmissions may name the same actuator of the hardware; the later ones get the names of their joints.
    context.dropped.Note(node, "another actuator has the name '" + name + "'",
                         "this one is called '" + joint.name + "'");
    if (!context.spec.SetName(motor, joint.name)) {
      context.problems.Add(node, "another actuator has the name '" + joint.name + "'");
    }
  }
  motor.trntype = mjTRN_JOINT;
  *motor.target = joint.name;
  motor.gear[0] = reduction;
  const double effort = joint.actfrcrange[1];
  if (effort == 0) return;
  motor.ctrllimited = mjLIMITED_TRUE;
  motor.ctrlrange[1] = effort / std::fabs(reduction);
  motor.ctrlrange[0] = -motor.ctrlrange[1];
}

}  // namespace

// Both formats of ROS are read: the reduction in the joint or in the actuator.
void ReadTransmission(Context& context, const XmlNode& node) {
  TagReader reader(context, node);
  reader.Text("name");
  reader.Text("type");
  reader.Child("type");
  double reduction = ReadReduction(reader).value_or(1);

  std::string actuator_name;
  for (const XmlNode* actuator : reader.Children("actuator")) {
    TagReader part(context, *actuator);
    if (actuator_name.empty()) actuator_name = part.Text("name").value_or("");
    reduction = ReadReduction(part).value_or(reduction);
    NoteInterface(context, part);
  }

  // The name of the actuator serves the first joint only: names of motors differ.
  for (const XmlNode* driven : reader.Children("joint")) {
    TagReader part(context, *driven);
    const std::string joint_name = part.RequiredText("name");
    const double own = ReadReduction(part).value_or(reduction);
    NoteInterface(context, part);
    const Joint* joint = context.spec.Find<Joint>(joint_name);
    if (!joint) {
      context.dropped.AddElement(*driven, "there is no joint '" + joint_name + "' that moves");
      continue;
    }
    AddMotor(context, node, actuator_name.empty() ? joint_name : actuator_name, *joint, own);
    actuator_name.clear();
  }
}

}  // namespace sinew::urdf
