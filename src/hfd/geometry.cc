#include "hfd/geometry.h"

#include <optional>
#include <string>

#include "hfd/shape.h"
#include "hfd/zml.h"
#include "model/kinds/contact_law.h"
#include "osim/parts.h"

namespace sinew::hfd {
namespace {

// contact_force_hunt_crossley_sb without settings of its own, which are not in a model's file.
constexpr double kTransitionVelocity = 0.1;  // m/s

Geom& AddGeom(Context& context, Entries& entries, const BodyRecord& record, const Shape& shape) {
  Geom& geom = record.body->Add<Geom>();
  const Pose own = {entries.Vector("pos", {0, 0, 0}), entries.Rotation("ori")};
  const Pose pose = record.frame * own * Pose{{0, 0, 0}, shape.turn};
  StoreVec3(pose.pos, geom.pos);
  StoreQuat(pose.quat, geom.quat);
  StoreVec3(shape.size, geom.size);
  geom.type = shape.type;
  geom.density = 0;
  Name(context, geom, entries.node(), entries.name());
  return geom;
}

// The material that is named, or that of the model.
Material MaterialOf(Context& context, Entries& entries) {
  const std::string name = entries.Text("material");
  const auto found = context.materials.find(name.empty() ? "default_material" : name);
  if (found != context.materials.end()) return found->second;
  if (!name.empty()) entries.Fail("there is no material '" + name + "'", "correct the name");
  return context.materials.empty() ? Material() : context.materials.begin()->second;
}

void SetLaw(const Material& material, Geom& geom) {
  ContactLawValues& law = geom.contact_law;
  law[kLawModel] = static_cast<int>(ContactModel::kHertz);
  law[kLawStiffness] = material.stiffness;
  law[kLawDissipation] = material.damping;
  law[kLawStatic] = material.static_friction;
  law[kLawDynamic] = material.dynamic_friction;
  law[kLawViscous] = 0;
}

std::optional<Vec3<double>> ScaleOf(Entries& entries) {
  const XmlNode* scale = entries.Find("scale");
  if (!scale) return Vec3<double>{1, 1, 1};
  if (!scale->children.empty()) return entries.Vector("scale", {1, 1, 1});
  const double all = entries.Positive("scale");
  return Vec3<double>{all, all, all};
}

// [ r g b ] or [ r g b a ]
void ReadColor(Context& context, Entries& entries, Geom& geom) {
  const XmlNode* color = entries.Find("color");
  if (!color) return;
  const std::size_t count = color->children.size();
  if (count < 3 || count > 4 || color->children.front().tag != kItem) {
    return context.dropped.AddElement(*color, "colours are three or four numbers in brackets");
  }
  for (std::size_t i = 0; i < count; ++i) {
    geom.rgba[i] = static_cast<float>(NumberOf(context, color->children[i], 1));
  }
}

}  // namespace

// Fixed geometry touches what moves, and nothing else does: simple_collision_detection without settings.
void ReadGeometry(Context& context, const XmlNode& node, const BodyRecord* owner) {
  Entries entries(context, node);
  const std::string name = entries.Text("body");
  const BodyRecord* record = owner ? owner : context.FindBody(name);
  if (!record) return entries.Fail("there is no body '" + name + "'", "correct the name");
  const auto shape = ReadShape(entries);
  const Material material = MaterialOf(context, entries);
  if (!shape) return entries.SkipAll();
  Geom& geom = AddGeom(context, entries, *record, *shape);
  geom.contype = record->is_fixed ? 1 : 0;
  geom.conaffinity = record->is_fixed ? 0 : 1;
  SetLaw(material, geom);
  osim::ShowContact(geom);
}

void ReadMesh(Context& context, const XmlNode& node, const BodyRecord& owner) {
  Entries entries(context, node);
  const std::string file = entries.Text("file");
  const XmlNode* solid = entries.Find("shape");
  const auto scale = ScaleOf(entries);
  std::optional<Shape> shape;
  const Mesh* mesh = nullptr;
  if (solid) {
    Entries of_shape(context, *solid);
    shape = ReadShape(of_shape);
    if (shape) shape->size = {shape->size.x * scale->x, shape->size.y * scale->y, shape->size.z * scale->z};
  } else if ((mesh = osim::AddShownMesh(context, node, file, file, *scale))) {
    shape = Shape{mjGEOM_MESH};
  }
  if (!shape) return entries.SkipAll();
  Geom& geom = AddGeom(context, entries, owner, *shape);
  if (mesh) *geom.meshname = mesh->name;
  ReadColor(context, entries, geom);
  osim::ShowShape(geom);
}

void SetContactOption(Context& context) {
  Numeric& numbers = context.spec.Add<Numeric>();
  context.spec.SetName(numbers, kContactOptionArray);
  *numbers.data = {kTransitionVelocity, static_cast<double>(ContactMixing::kHyfydy)};
}

}  // namespace sinew::hfd
