// Reads a document: records of bodies and joints first, then the tree, and what refers to its parts.
#include "osim/read.h"

#include <algorithm>
#include <string>
#include <vector>

#include "mjcf/numbers.h"
#include "osim/bodies.h"
#include "osim/constraints.h"
#include "osim/contact.h"
#include "osim/display.h"
#include "osim/forces.h"
#include "osim/frames.h"
#include "osim/joints.h"
#include "osim/keyframe.h"
#include "osim/parts.h"
#include "osim/properties.h"

namespace sinew::osim {
namespace {

// Versions count 10000 for each whole one.
constexpr int kOldestVersion = 20000;

// Why known components have no place in a model.
constexpr mjcf::DropReason kReasons[] = {
    {"ExpressionBasedCoordinateForce", "forces by expressions are up to a program"},
    {"ExpressionBasedPointToPointForce", "forces by expressions are up to a program"},
    {"ElasticFoundationForce", "contacts are those of HuntCrossleyForce"},
    {"SmoothSphereHalfSpaceForce", "contacts are those of HuntCrossleyForce"},
    {"PrescribedForce", "forces over time are up to a program (xfrc_applied)"},
    {"ExternalForce", "forces over time are up to a program (xfrc_applied)"},
    {"PointOnLineConstraint", "constraints are those of points, frames and coordinates"},
    {"ConstantDistanceConstraint", "constraints are those of points, frames and coordinates"},
    {"RollingOnSurfaceConstraint", "constraints are those of points, frames and coordinates"},
    {"RigidTendonMuscle", "use Millard2012EquilibriumMuscle with ignore_tendon_compliance"},
    {"Schutte1993Muscle_Deprecated", "use Millard2012EquilibriumMuscle"},
    {"Delp1990Muscle_Deprecated", "use Millard2012EquilibriumMuscle"},
    {"Millard2012AccelerationMuscle", "use Millard2012EquilibriumMuscle"},
    {"ControllerSet", "controls are up to a program"},
    {"ProbeSet", "sensors stand in MJCF"},
    {"ComponentSet", "models have none of these components"},
    {"MiscModelComponentSet", "models have none of these components"},
    {"assembly_accuracy", "constraints are held by their solver"},
};

const XmlNode& ModelOf(const XmlNode& root) {
  const auto model = std::find_if(root.children.begin(), root.children.end(),
                                  [](const XmlNode& child) { return child.tag == "Model"; });
  if (model == root.children.end()) {
    throw Error("the document has no Model", "open a model file of OpenSim", root.Location());
  }
  return *model;
}

// Documents before version 2 have other elements.
void CheckVersion(const XmlNode& root) {
  const std::string* text = root.Find("Version");
  int version = 0;
  if (!text || mjcf::ParseInt(*text, &version) != mjcf::NumberError::kNone) {
    throw Error("the document has no Version", "save it with OpenSim", root.Location());
  }
  if (version < kOldestVersion) {
    throw Error("the document has version " + *text, "open and save it with OpenSim 3 or later", root.Location());
  }
}

void CollectDefaults(Context& context, const XmlNode& model) {
  ForObjects(model, "defaults", [&](const XmlNode& object) { context.defaults.try_emplace(object.tag, &object); });
}

void ReadSettings(Context& context, Properties& model) {
  mjSpec& spec = context.spec;
  *spec.modelname = model.name();
  BecomeMuscleModel(spec, model.Vector({"gravity"}, {0, -9.80665, 0}));
  const std::string unit = model.Text({"length_units"});
  if (!unit.empty() && unit != "meters") {
    context.dropped.Note(*model.Find({"length_units"}), "lengths are taken as metres", "scale the model to metres");
  }
  model.Skip({"defaults", "Ground", "BodySet", "JointSet", "ConstraintSet", "ForceSet", "MarkerSet",
              "ContactGeometrySet", "inertia"});
}

// The order is that of references: bodies and joints make the tree; paths need obstacles, forces and equalities joints.
void ReadModel(Context& context, const XmlNode& root) {
  CheckVersion(root);
  const XmlNode& model = ModelOf(root);
  CollectDefaults(context, model);
  Properties properties(context, model);
  ReadSettings(context, properties);
  CollectBodies(context, model);
  ReadJoints(context, model);
  context.problems.Throw();
  BuildTree(context);
  ReadWraps(context, model);
  ReadContactGeometry(context, model);
  ReadForces(context, model);
  ReadConstraints(context, model);
  ReadMarkers(context, model);
  ReadDisplayGeometry(context, model);
  AddDefaultKey(context);
}

}  // namespace
std::unique_ptr<Spec> ReadOsim(const mjcf::XmlDocument& document, const mjVFS* vfs) {
  return osim::ReadIntoSpec<Context>(document.directory, vfs, kReasons,
                                     [&](Context& context) { ReadModel(context, *document.root); });
}

}  // namespace sinew::osim
