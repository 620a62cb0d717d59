// joint_motor: torque = [ t0 + kp (target - q) + kd (v_target - v) ] within -max..max. Each hinge of the joint gets an
// actuator; where there are several, angles stand in the place of the rotation vector.
#include "hfd/motors.h"

#include <algorithm>
#include <string>

#include "hfd/entries.h"

namespace sinew::hfd {
namespace {

// The part of a motor that acts on one hinge.
struct AxisMotor {
  double stiffness, damping, max_torque;
  double torque, speed;  // at the start: t0, v_target
};

// The control is the target; without stiffness, a torque that adds to t0.
void AddAxisMotor(Context& context, const XmlNode& node, const std::string& name, const Joint& hinge,
                  const AxisMotor& motor) {
  Actuator& actuator = context.spec.Add<Actuator>();
  Name(context, actuator, node, name);
  actuator.trntype = mjTRN_JOINT;
  *actuator.target = hinge.name;
  actuator.gaintype = mjGAIN_FIXED;
  actuator.biastype = mjBIAS_AFFINE;
  actuator.gainprm[0] = motor.stiffness > 0 ? motor.stiffness : 1;
  actuator.biasprm[0] = motor.torque + motor.damping * motor.speed;
  actuator.biasprm[1] = -motor.stiffness;
  actuator.biasprm[2] = -motor.damping;
  if (motor.max_torque <= 0) return;
  actuator.forcelimited = mjLIMITED_TRUE;
  actuator.forcerange[0] = -motor.max_torque;
  actuator.forcerange[1] = motor.max_torque;
}

// The component of a vector along the axis of a hinge.
double Along(const Joint& hinge, const Vec3<double>& vector) { return Dot(LoadVec3(hinge.axis), vector); }

}  // namespace

void ReadMotor(Context& context, const XmlNode& node) {
  Entries entries(context, node);
  const std::string joint = entries.Text("joint");
  const auto record = std::find_if(context.bodies.begin(), context.bodies.end(),
                                   [&](const BodyRecord& body) { return body.joint && body.joint->name == joint; });
  const Vec3<double> torque = entries.Vector("torque_offset", {0, 0, 0}),
                     speed = entries.Vector("target_vel", {0, 0, 0});
  AxisMotor motor = {entries.NotNegative("stiffness", 0), entries.NotNegative("damping", 0),
                     entries.Find("max_torque") ? entries.Positive("max_torque") : 0, 0, 0};
  const Quat<double> target = entries.Rotation("target_ori");
  if (target.w * target.w < 1 - 1e-12) {
    context.dropped.AddElement(*entries.Find("target_ori"), "the target is the control of the motor");
  }
  if (record == context.bodies.end()) return entries.Fail("there is no joint '" + joint + "'", "correct the name");
  const auto& joints = record->body->joints;
  const auto count = std::count_if(joints.begin(), joints.end(), [](const auto& j) { return j->type == mjJNT_HINGE; });
  if (count == 0) return context.dropped.AddElement(node, "the joint has no hinge");
  for (const auto& hinge : joints) {
    if (hinge->type != mjJNT_HINGE) continue;
    motor.torque = Along(*hinge, torque);
    motor.speed = Along(*hinge, speed);
    const std::string own = entries.name().empty() ? joint + "_motor" : entries.name();
    AddAxisMotor(context, node, count == 1 ? own : own + "_" + hinge->name, *hinge, motor);
  }
}

}  // namespace sinew::hfd
