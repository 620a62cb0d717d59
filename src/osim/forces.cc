#include "osim/forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "osim/body_actuators.h"
#include "osim/contact.h"
#include "osim/frames.h"
#include "osim/muscles.h"
#include "osim/passive_forces.h"
#include "osim/paths.h"
#include "osim/properties.h"

namespace sinew::osim {
namespace {

// ---- actuators

// The joint of a coordinate; null: the coordinate is locked, or one of a ball or free joint, which is told.
Joint* FindJoint(Context& context, Properties& properties) {
  const std::string name = properties.Text({"coordinate", "socket_coordinate"});
  const Coordinate* coordinate = context.skeleton.FindCoordinate(name);
  if (!coordinate) {
    properties.Fail("there is no coordinate '" + name + "'", "correct the name");
    return nullptr;
  }
  if (!coordinate->joint) {
    context.dropped.AddElement(properties.node(), "its coordinate is locked, or part of a ball or free joint");
    properties.SkipAll();
  }
  return coordinate->joint;
}

void ReadCoordinateActuator(Context& context, Properties& properties) {
  const Joint* joint = FindJoint(context, properties);
  if (!joint) return;
  Actuator& motor = AddMotor(context, properties);
  motor.trntype = mjTRN_JOINT;
  *motor.target = joint->name;
  motor.gear[0] = properties.Number("optimal_force", 1);
}

// Tension shortens the path.
void ReadPathActuator(Context& context, Properties& properties) {
  const Tendon* path = AddPath(context, properties);
  if (!path) return;
  Actuator& motor = AddMotor(context, properties);
  motor.trntype = mjTRN_TENDON;
  *motor.target = path->name;
  motor.gear[0] = -properties.Number("optimal_force", 1);
}

// ---- springs

void ReadCoordinateSpring(Context& context, Properties& properties) {
  Joint* joint = FindJoint(context, properties);
  if (!joint) return;
  if (joint->stiffness[0] != 0) {
    context.dropped.AddElement(properties.node(), "a joint has one spring");
    return properties.SkipAll();
  }
  joint->stiffness[0] = properties.Number("stiffness", 0);
  joint->springref = properties.Number("rest_length", 0);
  joint->damping[0] = properties.Number("viscosity", 0);
}

void ReadCoordinateLimit(Context& context, Properties& properties) {
  if (Joint* joint = FindJoint(context, properties)) ReadLimitForce(properties, joint);
}

// Pulls when it is longer than at rest.
void ReadPathSpring(Context& context, Properties& properties) {
  Tendon* path = AddPath(context, properties);
  if (!path) return;
  path->stiffness[0] = properties.Number("stiffness", 1);
  path->springlength[0] = 0;
  path->springlength[1] = properties.Number("resting_length", 0);
  properties.Expect("dissipation", 0, "springs of paths have no dissipation that grows with their stretch");
}

// Pulls and pushes along the line between two points.
void ReadPointSpring(Context& context, Properties& properties) {
  const std::string first = AddPoint(context, properties, {"socket_body1", "body1"}, "point1");
  const std::string second = AddPoint(context, properties, {"socket_body2", "body2"}, "point2");
  Tendon& tendon = AddLine(context, properties, first, second);
  tendon.stiffness[0] = properties.Number("stiffness", 1);
  tendon.springlength[0] = tendon.springlength[1] = properties.Number("rest_length", 0);
}

struct ForceKind {
  std::string_view tag;
  void (*read)(Context&, Properties&);
};
constexpr std::array kKinds = {
    ForceKind{"CoordinateActuator", &ReadCoordinateActuator},
    ForceKind{"PathActuator", &ReadPathActuator},
    ForceKind{"SpringGeneralizedForce", &ReadCoordinateSpring},
    ForceKind{"CoordinateLimitForce", &ReadCoordinateLimit},
    ForceKind{"Blankevoort1991Ligament", &ReadBlankevoort},
    ForceKind{"Ligament", &ReadLigament},
    ForceKind{"BushingForce", &ReadBushing},
    ForceKind{"FunctionBasedBushingForce", &ReadFunctionBushing},
    ForceKind{"ExpressionBasedBushingForce", &ReadExpressionBushing},
    ForceKind{"PathSpring", &ReadPathSpring},
    ForceKind{"PointToPointSpring", &ReadPointSpring},
    ForceKind{"HuntCrossleyForce", &ReadHuntCrossley},
    ForceKind{"TorqueActuator", &ReadTorqueActuator},
    ForceKind{"PointActuator", &ReadPointActuator},
    ForceKind{"PointToPointActuator", &ReadPointToPointActuator},
};

bool IsSwitchedOff(Properties& properties) {
  return !properties.Flag("appliesForce", true) || properties.Flag("isDisabled", false);
}

void ReadForce(Context& context, const XmlNode& node) {
  if (IsMuscle(node)) {
    Properties switches(context, node);
    const bool is_off = IsSwitchedOff(switches);
    switches.SkipAll();
    if (is_off) return context.dropped.AddElement(node, "it is switched off");
    return ReadMuscle(context, node);
  }
  const auto kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const ForceKind& known) { return known.tag == node.tag; });
  if (kind == kKinds.end()) return context.dropped.AddElement(node);
  Properties properties(context, node);
  if (IsSwitchedOff(properties)) {
    context.dropped.AddElement(node, "it is switched off");
    return properties.SkipAll();
  }
  kind->read(context, properties);
}

}  // namespace

void ReadForces(Context& context, const XmlNode& model) {
  ForObjects(model, "ForceSet", [&](const XmlNode& node) { ReadForce(context, node); });
}

}  // namespace sinew::osim
