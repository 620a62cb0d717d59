#include "osim/forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "osim/contact.h"
#include "osim/frames.h"
#include "osim/muscles.h"
#include "osim/paths.h"
#include "osim/properties.h"
#include "spec/actuator_kinds.h"

namespace sinew::osim {
namespace {

// ---- actuators

// Controls are bounded where the document says so.
Actuator& AddMotor(Context& context, Properties& properties) {
  Actuator& motor = context.spec.Add<Actuator>();
  Name(context, motor, properties.node(), properties.name());
  SetToMotor(&motor);
  const double least = properties.Number("min_control", -mjMAXVAL), most = properties.Number("max_control", mjMAXVAL);
  const bool is_limited = least > -mjMAXVAL || most < mjMAXVAL;
  motor.ctrllimited = is_limited ? mjLIMITED_TRUE : mjLIMITED_FALSE;
  if (is_limited) {
    motor.ctrlrange[0] = std::max(least, -mjMAXVAL);
    motor.ctrlrange[1] = std::min(most, mjMAXVAL);
  }
  return motor;
}

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

// Pulls when it is longer than at rest.
void ReadPathSpring(Context& context, Properties& properties) {
  Tendon* path = AddPath(context, properties);
  if (!path) return;
  path->stiffness[0] = properties.Number("stiffness", 1);
  path->springlength[0] = 0;
  path->springlength[1] = properties.Number("resting_length", 0);
  properties.Expect("dissipation", 0, "springs of paths have no dissipation that grows with their stretch");
}

std::string AddPoint(Context& context, Properties& properties, const std::string& frame, const char* point) {
  const auto place = FindFrame(context, frame, properties.node());
  Body* body = place ? context.skeleton.bodies[static_cast<std::size_t>(place->body)].body : nullptr;
  const Vec3<double> location = properties.Vector({point}, {0, 0, 0});
  if (!body) return "";
  Site& site = body->Add<Site>();
  StoreVec3(InModel(*place) * location, site.pos);
  site.group = 3;
  Name(context, site, properties.node(), properties.name() + "_" + point);
  return site.name;
}

// Pulls and pushes along the line between two points.
void ReadPointSpring(Context& context, Properties& properties) {
  const std::string ends[] = {AddPoint(context, properties, properties.Text({"socket_body1", "body1"}), "point1"),
                              AddPoint(context, properties, properties.Text({"socket_body2", "body2"}), "point2")};
  Tendon& tendon = context.spec.Add<Tendon>();
  Name(context, tendon, properties.node(), properties.name());
  for (const std::string& end : ends) {
    Wrap& wrap = tendon.AddWrap(mjWRAP_SITE);
    wrap.target = end;
    wrap.where = properties.node().Location();
  }
  tendon.stiffness[0] = properties.Number("stiffness", 1);
  tendon.springlength[0] = tendon.springlength[1] = properties.Number("rest_length", 0);
}

struct ForceKind {
  std::string_view tag;
  void (*read)(Context&, Properties&);
};
constexpr std::array kKinds = {
    ForceKind{"CoordinateActuator", &ReadCoordinateActuator},   ForceKind{"PathActuator", &ReadPathActuator},
    ForceKind{"SpringGeneralizedForce", &ReadCoordinateSpring}, ForceKind{"PathSpring", &ReadPathSpring},
    ForceKind{"PointToPointSpring", &ReadPointSpring},          ForceKind{"HuntCrossleyForce", &ReadHuntCrossley},
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
  for (const XmlNode& child : model.children) {
    if (child.tag != "ForceSet") continue;
    for (const XmlNode* node : ObjectsOf(child)) ReadForce(context, *node);
  }
}

}  // namespace sinew::osim
