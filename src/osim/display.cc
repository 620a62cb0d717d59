#include "osim/display.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "osim/frames.h"
#include "osim/parts.h"
#include "osim/properties.h"

namespace sinew::osim {
namespace {

constexpr int kMarkerGroup = 2;
constexpr double kMarkerSize = 0.01;  // m
constexpr float kMarkerColor[4] = {1, 0.6F, 0.8F, 1};
constexpr double kSquareRoot = 0.70710678118654752440;

void ReadMarker(Context& context, const XmlNode& node) {
  if (node.tag != "Marker") return context.dropped.AddElement(node);
  Properties properties(context, node);
  const auto place =
      FindFrame(context, properties.Text({"socket_parent_frame", "socket_parent_frame_connectee_name", "body"}), node);
  const Vec3<double> location = properties.Vector({"location"}, {0, 0, 0});
  properties.Skip({"fixed"});
  Body* body = place ? context.skeleton.bodies[static_cast<std::size_t>(place->body)].body : nullptr;
  if (!body) return;
  Site& site = body->Add<Site>();
  StoreVec3(InModel(*place) * location, site.pos);
  site.size[0] = kMarkerSize;
  site.group = kMarkerGroup;
  std::copy_n(kMarkerColor, 4, site.rgba);
  Name(context, site, node, properties.name());
}

// ---- shapes

void ReadColor(Context& context, Properties& properties, float (&rgba)[4]) {
  const XmlNode* node = properties.Find({"Appearance"});
  if (!node) return;
  Properties appearance(context, *node);
  const Vec3<double> color = appearance.Vector({"color"}, {1, 1, 1});
  for (int i = 0; i < 3; ++i) rgba[i] = static_cast<float>(color[i]);
  rgba[3] = static_cast<float>(appearance.Number("opacity", 1));
  appearance.SkipAll();
}

// The values of a geom that a shape of the document gives.
struct Shape {
  mjtGeom type;
  Vec3<double> size;
  std::string mesh;
  Quat<double> turn = {1, 0, 0, 0};
};

Shape ReadSolid(Properties& properties, const Vec3<double>& scale) {
  const std::string& tag = properties.node().tag;
  const auto scaled = [&](const Vec3<double>& v) { return Vec3<double>{v.x * scale.x, v.y * scale.y, v.z * scale.z}; };
  if (tag == "Brick") return {mjGEOM_BOX, scaled(properties.Vector({"half_lengths"}, {0.5, 0.5, 0.5})), ""};
  if (tag == "Ellipsoid") return {mjGEOM_ELLIPSOID, scaled(properties.Vector({"radii"}, {1, 1, 1})), ""};
  const double radius = properties.Number("radius", 1);
  if (tag == "Sphere") return {mjGEOM_SPHERE, scaled({radius, radius, radius}), ""};
  // cylinders of OpenSim are along y
  const Vec3<double> size = scaled({radius, properties.Number("half_height", 1), 0});
  return {mjGEOM_CYLINDER, size, "", {kSquareRoot, kSquareRoot, 0, 0}};
}

std::optional<Shape> ReadMesh(Context& context, Properties& properties, const Vec3<double>& scale) {
  const std::string file = properties.Text({"mesh_file", "geometry_file"});
  const Mesh* mesh = AddShownMesh(context, properties.node(), file, properties.name(), scale);
  return mesh ? std::optional(Shape{mjGEOM_MESH, {0, 0, 0}, mesh->name}) : std::nullopt;
}

bool IsShape(const std::string& tag) {
  static constexpr std::array kShapes = {"Mesh", "Sphere", "Cylinder", "Brick", "Ellipsoid"};
  return std::find(kShapes.begin(), kShapes.end(), tag) != kShapes.end();
}

void AddShape(Context& context, Properties& properties, const Shape& shape, const Place& place, Body& body) {
  Geom& geom = body.Add<Geom>();
  const Pose pose = InModel({place.body, place.pose * Pose{{0, 0, 0}, shape.turn}});
  StoreVec3(pose.pos, geom.pos);
  StoreQuat(pose.quat, geom.quat);
  geom.type = shape.type;
  StoreVec3(shape.size, geom.size);
  *geom.meshname = shape.mesh;
  ShowShape(geom);
  ReadColor(context, properties, geom.rgba);
  Name(context, geom, properties.node(), properties.name());
}

void ReadGeometry(Context& context, const XmlNode& node, const Place& place) {
  if (!IsShape(node.tag)) return context.dropped.AddElement(node);
  Properties properties(context, node);
  properties.Skip({"socket_frame", "socket_frame_connectee_name", "input_transform"});
  const Vec3<double> scale = properties.Vector({"scale_factors"}, {1, 1, 1});
  const auto shape = node.tag == "Mesh" ? ReadMesh(context, properties, scale) : ReadSolid(properties, scale);
  Body* body = context.skeleton.bodies[static_cast<std::size_t>(place.body)].body;
  if (shape && body) AddShape(context, properties, *shape, place, *body);
}

}  // namespace

void ReadMarkers(Context& context, const XmlNode& model) {
  ForObjects(model, "MarkerSet", [&](const XmlNode& node) { ReadMarker(context, node); });
}

void ReadDisplayGeometry(Context& context, const XmlNode& model) {
  ForEachInFrames(context, model, "attached_geometry",
                  [&](const XmlNode& node, const Place& place) { ReadGeometry(context, node, place); });
}

}  // namespace sinew::osim
