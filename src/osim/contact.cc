#include "osim/contact.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mjcf/numbers.h"
#include "osim/frames.h"
#include "osim/parts.h"

namespace sinew::osim {
namespace {

constexpr double kPlaneSize = 5;     // m, half of what pictures show
constexpr double kFlatRadius = 1e6;  // m: curvature of the face of a box that stands for a half space
constexpr double kSquareRoot = 0.70710678118654752440;

// A half space fills x > 0 of its frame, so that its normal is -x; that of a plane is z. Planes stand in the world, and
// a half space of a body that moves is the face of a large box.
void MakeHalfSpace(const Pose& frame, bool moves, Geom& geom) {
  const Pose turned = frame * Pose{{0, 0, 0}, {kSquareRoot, 0, -kSquareRoot, 0}};
  StoreQuat(turned.quat, geom.quat);
  StoreVec3(moves ? turned * Vec3<double>{0, 0, -kPlaneSize} : turned.pos, geom.pos);
  geom.type = moves ? mjGEOM_BOX : mjGEOM_PLANE;
  geom.size[0] = geom.size[1] = kPlaneSize;
  geom.size[2] = moves ? kPlaneSize : 0.1;
  if (moves) geom.contact_law[kLawCurvature] = kFlatRadius;
}

bool Moves(const Body& body) {
  for (const Body* at = &body; at; at = at->parent) {
    if (!at->joints.empty()) return true;
  }
  return false;
}

void ReadGeometry(Context& context, const XmlNode& node) {
  const bool is_sphere = node.tag == "ContactSphere";
  if (!is_sphere && node.tag != "ContactHalfSpace") {
    return context.dropped.AddElement(node, "contacts are those of spheres and half spaces");
  }
  Properties properties(context, node);
  const auto place =
      FindFrame(context, properties.Text({"socket_frame", "socket_frame_connectee_name", "body_name"}), node);
  const Pose own = properties.ReadPose({"location"}, {"orientation"});
  const double radius = is_sphere ? properties.RequiredNumber("radius") : 0;
  Body* body = place ? context.skeleton.bodies[static_cast<std::size_t>(place->body)].body : nullptr;
  if (!body) return;
  if (is_sphere && !(radius > 0)) return properties.Fail("the radius is not positive", "give a positive number");
  Geom& geom = body->Add<Geom>();
  const Pose frame = InModel({place->body, place->pose * own});
  StoreVec3(frame.pos, geom.pos);
  geom.size[0] = radius;
  if (!is_sphere) MakeHalfSpace(frame, Moves(*body), geom);
  geom.contype = geom.conaffinity = 0;
  geom.density = 0;
  ShowContact(geom);
  Name(context, geom, node, properties.name());
}

// The material of the geometry that the parameters name. Returns the geoms.
std::vector<Geom*> ReadMaterial(Context& context, const XmlNode& node) {
  Properties properties(context, node);
  std::vector<Geom*> geoms;
  for (const std::string& name : mjcf::Words(properties.Text({"geometry"}))) {
    Geom* geom = context.spec.Find<Geom>(LastPart(name));
    if (geom) geoms.push_back(geom);
    if (!geom) properties.Fail("there is no contact geometry '" + name + "'", "correct the name");
  }
  ContactLawValues law = NoContactLaw();
  law[kLawModel] = static_cast<int>(ContactModel::kHertz);
  law[kLawModulus] = properties.Number("stiffness", 1);
  law[kLawDissipation] = properties.Number("dissipation", 0);
  law[kLawStatic] = properties.Number("static_friction", 0);
  law[kLawDynamic] = properties.Number("dynamic_friction", 0);
  law[kLawViscous] = properties.Number("viscous_friction", 0);
  for (Geom* geom : geoms) {
    law[kLawCurvature] = geom->contact_law[kLawCurvature];
    geom->contact_law = law;
  }
  return geoms;
}

}  // namespace

void ReadContactGeometry(Context& context, const XmlNode& model) {
  ForObjects(model, "ContactGeometrySet", [&](const XmlNode& node) { ReadGeometry(context, node); });
}

// All geometry of a force touches all other of it that belongs to another body.
void ReadHuntCrossley(Context& context, Properties& force) {
  std::vector<Geom*> geoms;
  for (const XmlNode* node : force.Objects("HuntCrossleyForce::ContactParametersSet")) {
    const auto found = ReadMaterial(context, *node);
    geoms.insert(geoms.end(), found.begin(), found.end());
  }
  const double slip_speed = force.Number("transition_velocity", 0.01);
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    for (std::size_t j = i + 1; j < geoms.size(); ++j) {
      const bool flat = geoms[i]->type == mjGEOM_PLANE && geoms[j]->type == mjGEOM_PLANE;
      if (geoms[i]->parent == geoms[j]->parent || flat) continue;
      Pair& pair = context.spec.Add<Pair>();
      Name(context, pair, force.node(), force.name() + "_" + geoms[i]->name + "_" + geoms[j]->name);
      *pair.geomname1 = geoms[i]->name;
      *pair.geomname2 = geoms[j]->name;
      pair.contact_law[kLawSlipSpeed] = slip_speed;
    }
  }
}

}  // namespace sinew::osim
