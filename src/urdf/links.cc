// Reads links of a robot: inertia, shapes that are seen and shapes that collide. Sizes in URDF are whole lengths, those
// of geoms half of them.
#include "urdf/links.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "math/mat3.h"
#include "urdf/tag_reader.h"

namespace sinew::urdf {
namespace {

// ---- inertia

// A symmetric matrix (xx, yy, zz, xy, xz, yz) in axes that are turned by R, in those around them: R I R^T.
void Turn(const Quat<double>& axes, double (&full)[6]) {
  const Mat3<double> R = ToMat3(axes);
  const Mat3<double> turned =
      R * Mat3<double>{{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}} *
      Transpose(R);
  const double entries[6] = {turned(0, 0), turned(1, 1), turned(2, 2), turned(0, 1), turned(0, 2), turned(1, 2)};
  std::copy_n(entries, 6, full);
}

// The matrix is about the centre of mass, in the axes of the origin.
void ReadInertial(Context& context, const XmlNode& node, Body& body) {
  TagReader reader(context, node);
  const Origin origin = reader.ReadOrigin();
  mjsBody& values = body;
  values.explicitinertial = 1;
  StoreVec3(origin.pos, values.ipos);
  StoreQuat(origin.quat, values.iquat);
  if (const XmlNode* mass = reader.RequiredChild("mass")) {
    values.mass = TagReader(context, *mass).RequiredNumber("value");
  }
  const XmlNode* inertia = reader.RequiredChild("inertia");
  if (!inertia) return;
  TagReader matrix(context, *inertia);
  double full[6];
  static constexpr const char* kEntries[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  std::transform(std::begin(kEntries), std::end(kEntries), full,
                 [&](const char* entry) { return matrix.RequiredNumber(entry); });
  // A matrix of zeros is none.
  if (std::none_of(std::begin(full), std::end(full), [](double entry) { return entry != 0; })) return;
  const bool is_turned = origin.quat.x != 0 || origin.quat.y != 0 || origin.quat.z != 0;
  if (is_turned) Turn(origin.quat, full);
  std::copy_n(full, 6, values.fullinertia);
}

// ---- materials

// Colours are red, green, blue and opacity in [0, 1]; a material may be defined once and named elsewhere.
void CollectColor(Context& context, const XmlNode& material) {
  TagReader reader(context, material);
  const auto name = reader.Text("name");
  const XmlNode* node = reader.Child("color");
  double rgba[4];
  if (!node || !TagReader(context, *node).RequiredNumbers("rgba", rgba, 4)) return;
  Color color;
  std::transform(rgba, rgba + 4, color.begin(), [](double x) { return static_cast<float>(x); });
  context.own_colors[&material] = color;
  // The first colour that bears a name counts.
  if (name) context.colors.try_emplace(*name, color);
}

// The colour that a material gives itself, else the one that its name has elsewhere; null: neither.
const Color* FindColor(const Context& context, const XmlNode& shape) {
  const auto material = std::find_if(shape.children.begin(), shape.children.end(),
                                     [](const XmlNode& child) { return child.tag == "material"; });
  if (material == shape.children.end()) return nullptr;
  if (const auto own = context.own_colors.find(&*material); own != context.own_colors.end()) return &own->second;
  const std::string* name = material->Find("name");
  const auto named = context.colors.find(name ? *name : "");
  return named == context.colors.end() ? nullptr : &named->second;
}

// ---- shapes

// Exactly one element says the shape.
void ReadShape(Context& context, const XmlNode& geometry, Meshes& meshes, mjsGeom& geom) {
  TagReader reader(context, geometry);
  const XmlNode* shape = reader.FirstOf({"box", "cylinder", "capsule", "sphere", "mesh"});
  if (!shape) return reader.Fail("the geometry has no shape", "add box, cylinder, capsule, sphere or mesh");
  if (shape->tag == "mesh") {
    geom.type = mjGEOM_MESH;
    *geom.meshname = meshes.Require(*shape);
    return;
  }
  TagReader size(context, *shape);
  if (shape->tag == "box") {
    geom.type = mjGEOM_BOX;
    size.RequiredNumbers("size", geom.size, 3);
    for (double& edge : geom.size) edge /= 2;
    return;
  }
  geom.size[0] = size.RequiredNumber("radius");
  geom.type = mjGEOM_SPHERE;
  if (shape->tag == "sphere") return;
  geom.size[1] = size.RequiredNumber("length") / 2;
  geom.type = shape->tag == "capsule" ? mjGEOM_CAPSULE : mjGEOM_CYLINDER;
}

// <visual> and <collision> have the same children. Names need not be unique in URDF: a second bearer has none.
void ReadGeom(Context& context, const XmlNode& node, Meshes& meshes, const Color* color, Body& body) {
  const bool visual = node.tag == "visual";
  TagReader reader(context, node);
  const auto name = reader.Text("name").value_or("");
  reader.Child("material");
  const Origin origin = reader.ReadOrigin();
  const XmlNode* geometry = reader.RequiredChild("geometry");
  if (!geometry) return;

  Geom& added = body.Add<Geom>();
  added.where = node.Location();
  if (!name.empty() && context.spec.Find<Geom>(name)) {
    context.dropped.AddAttribute(node, "name", "another geom is called '" + name + "'");
  } else {
    context.spec.SetName(added, name);
  }
  mjsGeom& geom = added;
  StoreVec3(origin.pos, geom.pos);
  StoreQuat(origin.quat, geom.quat);
  ReadShape(context, *geometry, meshes, geom);
  if (color) std::copy(color->begin(), color->end(), geom.rgba);
  geom.contype = geom.conaffinity = !visual;
  geom.group = visual ? 1 : 0;
  // Visual geoms have no mass.
  if (visual) geom.density = 0;
}

// ---- links without mass

bool HasOwnMass(const Body& body) {
  if (!body.explicitinertial) {
    return std::any_of(body.geoms.begin(), body.geoms.end(), [](const auto& geom) { return geom->density > 0; });
  }
  return body.mass >= mjMINVAL && !std::isnan(body.fullinertia[0]);
}

// Whether a body, or one that is fixed to it, has mass and inertia.
bool IsHeavy(const Body& body) {
  return HasOwnMass(body) || std::any_of(body.bodies.begin(), body.bodies.end(),
                                         [](const auto& child) { return child->joints.empty() && IsHeavy(*child); });
}

}  // namespace

// A milligram is too little to matter to a robot, and enough for its mass matrix to have an inverse.
void GiveMass(Context& context, const XmlNode& node, Body& body) {
  constexpr double kMass = 1e-6, kInertia = 1e-8;  // kg, kg m^2
  const mjsCompiler& compiler = static_cast<const mjSpec&>(context.spec).compiler;
  const bool is_bounded = compiler.boundmass > 0 && compiler.boundinertia > 0;
  if (body.joints.empty() || is_bounded || IsHeavy(body)) return;
  if (!body.explicitinertial) StoreVec3(Vec3<double>{0, 0, 0}, body.ipos);
  body.explicitinertial = 1;
  body.mass = std::max(body.mass, kMass);
  std::fill_n(body.inertia, 3, kInertia);
  std::fill_n(body.fullinertia, 6, std::numeric_limits<double>::quiet_NaN());
  context.dropped.Note(node, "a link that moves has no mass or no inertia, and gets 1e-6 kg and 1e-8 kg m^2",
                       "give it <inertial>");
}

// Materials may stand at the top or in a shape, and names are known in the whole file.
void CollectColors(Context& context, const XmlNode& node) {
  for (const XmlNode& child : node.children) {
    if (child.tag == "material") CollectColor(context, child);
    if (child.tag == "link" || child.tag == "visual" || child.tag == "collision") CollectColors(context, child);
  }
}

void ReadLink(Context& context, const XmlNode& node, Meshes& meshes, Body& body) {
  TagReader reader(context, node);
  reader.Text("name");
  if (const XmlNode* inertial = reader.Child("inertial")) {
    if (body.parent) {
      ReadInertial(context, *inertial, body);
    } else {
      context.dropped.AddElement(*inertial, "the world has no mass");
    }
  }

  // Shapes in the order of the file. A collision shape is coloured like the last visual one before it.
  const bool keep_visuals = !static_cast<mjSpec&>(context.spec).compiler.discardvisual;
  reader.Children("visual");
  reader.Children("collision");
  const Color* color = nullptr;
  for (const XmlNode& child : node.children) {
    const bool visual = child.tag == "visual";
    if (!visual && child.tag != "collision") continue;
    if (const Color* own = visual ? FindColor(context, child) : nullptr) color = own;
    if (visual && !keep_visuals) {
      context.dropped.AddElement(child, "the compiler setting discardvisual=\"false\" keeps what is only seen");
      continue;
    }
    ReadGeom(context, child, meshes, color, body);
  }
}

}  // namespace sinew::urdf
