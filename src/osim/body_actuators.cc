// A motor at a site acts along an axis of the site, or of a second site, its reference, which then gets the opposite.
// OpenSim's actuators say in which of two frames their axis is: that of ground, or that of a body.
#include "osim/body_actuators.h"

#include <algorithm>
#include <optional>

#include "osim/frames.h"
#include "spec/actuator_kinds.h"

namespace sinew::osim {
namespace {

constexpr int kPointGroup = 3;  // of sites; pictures leave it out unless it is asked for

// A site at a location in the frame of a place, or at its origin, with the axes of the body of the document.
std::string AddSite(Context& context, const XmlNode& node, const std::string& name, const Place& place,
                    const Vec3<double>& location) {
  Body* body = context.skeleton.bodies[static_cast<std::size_t>(place.body)].body;
  if (!body) return "";
  const Pose pose = InModel(place);
  Site& site = body->Add<Site>();
  StoreVec3(pose * location, site.pos);
  StoreQuat(pose.quat, site.quat);
  site.group = kPointGroup;
  Name(context, site, node, name);
  return site.name;
}

// The origin of ground, with ground's axes.
std::string AddGroundSite(Context& context, Properties& properties) {
  return AddSite(context, properties.node(), properties.name() + "_ground", Place{}, {0, 0, 0});
}

// Makes the motor act at a site; without a reference its axes are those of the site.
void ActAtSite(Actuator& motor, const std::string& site, const std::string& reference, int first_axis,
               const Vec3<double>& gear) {
  motor.trntype = mjTRN_SITE;
  *motor.target = site;
  *motor.refsite = reference;
  std::fill_n(motor.gear, 6, 0.0);
  for (int i = 0; i < 3; ++i) motor.gear[first_axis + i] = gear[i];
}

constexpr int kForceAxis = 0, kTorqueAxis = 3;  // in the gear of a site

// A direction of length one; a problem otherwise.
std::optional<Vec3<double>> ReadDirection(Properties& properties, std::string_view tag, const Vec3<double>& usual) {
  const Vec3<double> direction = properties.Vector({tag}, usual);
  if (Norm(direction) >= kMinVal) return Normalized(direction);
  properties.Fail(std::string(tag) + " has no direction", "give three numbers that are not all zero");
  return std::nullopt;
}

}  // namespace

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

std::string AddPoint(Context& context, Properties& properties, std::initializer_list<std::string_view> body,
                     const char* point) {
  const Vec3<double> location = properties.Vector({point}, {0, 0, 0});
  const auto place = FindFrame(context, properties.Text(body), properties.node());
  return place ? AddSite(context, properties.node(), properties.name() + "_" + point, *place, location) : "";
}

Tendon& AddLine(Context& context, Properties& properties, const std::string& first, const std::string& second) {
  Tendon& tendon = context.spec.Add<Tendon>();
  Name(context, tendon, properties.node(), properties.name());
  for (const std::string& end : {first, second}) {
    Wrap& wrap = tendon.AddWrap(mjWRAP_SITE);
    wrap.target = end;
    wrap.where = properties.node().Location();
  }
  return tendon;
}

// The torque on body A about the axis, and the opposite one on body B. Where the axis is one of ground, one of the
// bodies must be ground: the motor's reference is the frame of the axis, and gets the opposite torque.
void ReadTorqueActuator(Context& context, Properties& properties) {
  const auto a = FindFrame(context, properties.Text({"bodyA"}), properties.node());
  const auto b = FindFrame(context, properties.Text({"bodyB"}), properties.node());
  const bool in_ground = properties.Flag("torque_is_global", true);
  const auto axis = ReadDirection(properties, "axis", {0, 0, 1});
  const double scale = properties.Number("optimal_force", 1);
  if (!a || !b || !axis) return;
  if (in_ground && a->body != 0 && b->body != 0) {
    context.dropped.AddElement(properties.node(), "its axis is fixed in ground, and both of its bodies move");
    return properties.SkipAll();
  }
  Actuator& motor = AddMotor(context, properties);
  const std::string at_a = AddSite(context, properties.node(), properties.name() + "_bodyA", *a, {0, 0, 0});
  const std::string at_b = AddSite(context, properties.node(), properties.name() + "_bodyB", *b, {0, 0, 0});
  // With b as reference the axis is one of b: right where that is ground, and the axis ground's.
  if (in_ground && b->body == 0) return ActAtSite(motor, at_a, at_b, kTorqueAxis, *axis * scale);
  ActAtSite(motor, at_b, at_a, kTorqueAxis, *axis * -scale);
}

// A force on a body at one of its points.
void ReadPointActuator(Context& context, Properties& properties) {
  const bool in_ground = properties.Flag("force_is_global", false);
  const auto direction = ReadDirection(properties, "direction", {1, 0, 0});
  const double scale = properties.Number("optimal_force", 1);
  if (properties.Flag("point_is_global", false)) {
    context.dropped.AddElement(properties.node(), "its point is fixed in ground, and moves in the body");
    return properties.SkipAll();
  }
  const std::string point = AddPoint(context, properties, {"body"}, "point");
  if (point.empty() || !direction) return;
  Actuator& motor = AddMotor(context, properties);
  ActAtSite(motor, point, in_ground ? AddGroundSite(context, properties) : "", kForceAxis, *direction * scale);
}

// A force that drives two points apart.
void ReadPointToPointActuator(Context& context, Properties& properties) {
  if (properties.Flag("points_are_global", false)) {
    context.dropped.AddElement(properties.node(), "its points are fixed in ground, and move in the bodies");
    return properties.SkipAll();
  }
  const std::string first = AddPoint(context, properties, {"bodyA"}, "pointA");
  const std::string second = AddPoint(context, properties, {"bodyB"}, "pointB");
  if (first.empty() || second.empty()) return;
  Actuator& motor = AddMotor(context, properties);
  motor.trntype = mjTRN_TENDON;
  *motor.target = AddLine(context, properties, first, second).name;
  motor.gear[0] = properties.Number("optimal_force", 1);
}

}  // namespace sinew::osim
