#include "osim/wraps.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "osim/frames.h"
#include "osim/properties.h"

namespace sinew::osim {
namespace {

constexpr int kWrapGroup = 3;                 // of geoms and sites; pictures leave it out unless it is asked for
constexpr float kColor[4] = {0, 1, 1, 0.4F};  // as OpenSim shows obstacles
constexpr double kSideDistance = 1.5;         // of the side site from the centre, in radii
constexpr double kSideSize = 0.002;           // m

// "x", "+x", "-x": where a path has to pass.
struct Side {
  int axis = 0;
  double sign = 0;  // 0: anywhere
};

Side ReadSide(Properties& properties) {
  const std::string text = properties.Text({"quadrant"});
  if (text.empty() || text == "all" || text == "none") return {};
  const std::string_view letter = std::string_view(text).substr(text[0] == '+' || text[0] == '-' ? 1 : 0);
  const auto axis = letter.size() == 1 ? std::string_view("xyz").find(letter[0]) : std::string_view::npos;
  if (axis == std::string_view::npos) {
    properties.Fail("the quadrant is '" + text + "'", "use all, or an axis with a sign, as in '-x'");
    return {};
  }
  return {static_cast<int>(axis), text[0] == '-' ? -1.0 : 1.0};
}

// The shape of an obstacle; without sizes it is one that models do not have.
struct Shape {
  mjtGeom type = mjGEOM_SPHERE;
  Vec3<double> size = {0, 0, 0};
  Vec3<double> inverse = {0, 0, 0};  // of the radii
};

void AddSideSite(Context& context, const XmlNode& node, const Side& side, const Geom& geom, Body& body,
                 WrapObject* wrap) {
  const double radius = 1 / std::max({wrap->inverse[side.axis], wrap->inverse.x, kMinVal});
  Site& site = body.Add<Site>();
  Vec3<double> direction = {0, 0, 0};
  direction[side.axis] = side.sign;
  const Pose pose = {LoadVec3(geom.pos), LoadQuat(geom.quat)};
  StoreVec3(pose * (direction * (kSideDistance * radius)), site.pos);
  site.size[0] = kSideSize;
  site.group = kWrapGroup;
  Name(context, site, node, wrap->name + "_side");
  wrap->side_site = site.name;
}

double RequirePositive(Properties& properties, std::string_view tag) {
  const double value = properties.RequiredNumber(tag);
  if (!(value > 0) || !std::isfinite(value)) {
    properties.Fail(std::string(tag) + " of the obstacle is not a positive number", "give one");
  }
  return value;
}

Shape ReadEllipsoid(Properties& properties) {
  const Vec3<double> radii = properties.Vector({"dimensions"}, {0, 0, 0});
  if (std::min({radii.x, radii.y, radii.z}) > 0)
    return {mjGEOM_ELLIPSOID, radii, {1 / radii.x, 1 / radii.y, 1 / radii.z}};
  properties.Fail("the radii of the ellipsoid are not positive", "give three positive numbers as dimensions");
  return {};
}

Shape ReadShape(Context& context, Properties& properties) {
  const std::string& tag = properties.node().tag;
  if (tag == "WrapEllipsoid") return ReadEllipsoid(properties);
  if (tag == "WrapSphere") {
    const double r = RequirePositive(properties, "radius");
    return {mjGEOM_SPHERE, {r, r, r}, {1 / r, 1 / r, 1 / r}};
  }
  if (tag == "WrapCylinder") {
    const double r = RequirePositive(properties, "radius"), length = RequirePositive(properties, "length");
    return {mjGEOM_CYLINDER, {r, length / 2, 0}, {1 / r, 1 / r, 0}};
  }
  context.dropped.AddElement(properties.node(), "paths run around spheres, cylinders and ellipsoids");
  properties.SkipAll();
  return {};
}

Geom& AddGeom(Context& context, const XmlNode& node, const Shape& shape, const WrapObject& wrap, Body& body) {
  Geom& geom = body.Add<Geom>();
  geom.type = shape.type;
  StoreVec3(shape.size, geom.size);
  const Pose pose = InModel({wrap.body, wrap.X_BW});
  StoreVec3(pose.pos, geom.pos);
  StoreQuat(pose.quat, geom.quat);
  geom.contype = geom.conaffinity = 0;
  geom.density = 0;
  geom.group = kWrapGroup;
  std::copy_n(kColor, 4, geom.rgba);
  Name(context, geom, node, wrap.name);
  return geom;
}

void ReadWrap(Context& context, const XmlNode& node, const Place& owner) {
  Properties properties(context, node);
  WrapObject wrap;
  wrap.name = properties.name();
  wrap.body = owner.body;
  wrap.X_BW = owner.pose * properties.ReadPose({"translation"}, {"xyz_body_rotation"});
  const bool is_active = properties.Flag("active", true);
  const Side side = ReadSide(properties);
  const Shape shape = ReadShape(context, properties);
  wrap.inverse = shape.inverse;
  Body* body = context.skeleton.bodies[static_cast<std::size_t>(owner.body)].body;
  if (is_active && body && shape.size.x > 0) {
    const Geom& geom = AddGeom(context, node, shape, wrap, *body);
    wrap.geom = geom.name;
    if (side.sign != 0) AddSideSite(context, node, side, geom, *body, &wrap);
  }
  context.wraps.push_back(wrap);
}

}  // namespace

void ReadWraps(Context& context, const XmlNode& model) {
  ForEachInFrames(context, model, "WrapObjectSet",
                  [&](const XmlNode& node, const Place& place) { ReadWrap(context, node, place); });
}

const WrapObject* FindWrap(const Context& context, const std::string& name) {
  const std::string_view wanted = LastPart(name);
  const auto found = std::find_if(context.wraps.begin(), context.wraps.end(),
                                  [&](const WrapObject& wrap) { return wrap.name == wanted; });
  return found == context.wraps.end() ? nullptr : &*found;
}

double NearestPass(const WrapObject& wrap, const Vec3<double>& from, const Vec3<double>& to) {
  const auto scaled = [&](const Vec3<double>& p) {
    return Vec3<double>{p.x * wrap.inverse.x, p.y * wrap.inverse.y, p.z * wrap.inverse.z};
  };
  const Vec3<double> start = scaled(from), along = scaled(to) - start;
  const double square = std::max(Dot(along, along), kMinVal);
  return Norm(start + along * std::clamp(-Dot(start, along) / square, 0.0, 1.0));
}

}  // namespace sinew::osim
