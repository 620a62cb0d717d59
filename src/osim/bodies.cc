#include "osim/bodies.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "osim/frames.h"
#include "osim/joint_elements.h"
#include "osim/properties.h"

namespace sinew::osim {
namespace {

// Bounds every recursion over bodies behind the reader.
constexpr int kMaxDepth = 1000;

// Mass and inertia of a body that moves and has none: negligible beside a hand, and enough to invert inertia matrices.
constexpr double kLeastMass = 1e-6, kLeastInertia = 1e-9;  // kg, kg m^2

void CollectBody(Context& context, const XmlNode& node) {
  const std::string* name = node.Find("name");
  if (!name || name->empty()) return context.problems.Add(node, "the body has no name", "give it one");
  const std::string bare(LastPart(*name));
  if (bare == "ground") return;  // as files before version 4 have it
  if (context.skeleton.FindBody(bare) >= 0) {
    return context.problems.Add(node, "another body has the name '" + bare + "'", "names of bodies differ");
  }
  context.skeleton.bodies.push_back({bare, &node});
}

// The matrix is about the centre of mass, in the axes of the body: xx, yy, zz, xy, xz, yz, which files before version 4
// have as numbers of their own.
void ReadInertia(Properties& properties, mjsBody& body) {
  static constexpr const char* kEntries[] = {"inertia_xx", "inertia_yy", "inertia_zz",
                                             "inertia_xy", "inertia_xz", "inertia_yz"};
  double full[6] = {0, 0, 0, 0, 0, 0};
  if (const auto numbers = properties.Numbers({"inertia"})) {
    if (numbers->size() == 6) std::copy(numbers->begin(), numbers->end(), full);
    if (numbers->size() != 6)
      properties.Fail("the inertia has " + std::to_string(numbers->size()) + " numbers", "give six");
  } else {
    std::transform(std::begin(kEntries), std::end(kEntries), full,
                   [&](const char* entry) { return properties.Number(entry, 0); });
  }
  if (std::any_of(std::begin(full), std::end(full), [](double x) { return x != 0; })) {
    std::copy(std::begin(full), std::end(full), body.fullinertia);
  }
}

// Planar models have moments about one axis alone, which no body can have: each is at most the sum of the others. The
// smaller ones are raised to half of the largest; motion in the plane does not depend on them.
void MendInertia(Context& context, const XmlNode& node, mjsBody& body) {
  double* moments = body.fullinertia;
  const bool is_diagonal = std::all_of(moments + 3, moments + 6, [](double x) { return x == 0; });
  const double largest = std::max({moments[0], moments[1], moments[2]});
  const double sum = moments[0] + moments[1] + moments[2];
  const bool has_zero = std::any_of(moments, moments + 3, [](double x) { return x == 0; });
  if (!is_diagonal || !has_zero || sum - largest >= largest) return;
  for (int i = 0; i < 3; ++i) moments[i] = std::max(moments[i], largest / 2);
  context.dropped.Note(node, "a body has no moment of inertia about an axis, and gets half of its largest one",
                       "give it moments about all axes, unless the model is planar");
}

void ReadBody(Context& context, const XmlNode& node, Body& body) {
  Properties properties(context, node);
  mjsBody& values = body;
  values.explicitinertial = 1;
  values.mass = properties.RequiredNumber("mass");
  StoreVec3(properties.Vector({"mass_center"}, {0, 0, 0}), values.ipos);
  ReadInertia(properties, values);
  MendInertia(context, node, values);
  // read with what refers to them
  properties.Skip({"Joint", "WrapObjectSet", "scale_factors"});
}

bool HasInertia(const Body& body) { return body.mass > 0 && body.fullinertia[0] == body.fullinertia[0]; }

// Whether a body, or one that is fixed to it, has mass and inertia.
bool IsHeavy(const Body& body) {
  return HasInertia(body) || std::any_of(body.bodies.begin(), body.bodies.end(),
                                         [](const auto& child) { return child->joints.empty() && IsHeavy(*child); });
}

void GiveMass(Context& context, const XmlNode& node, Body& body) {
  if (body.joints.empty() || IsHeavy(body)) return;
  body.mass = std::max(body.mass, kLeastMass);
  std::fill_n(body.inertia, 3, kLeastInertia);
  context.dropped.Note(node, "a body that moves has no mass or no inertia, and gets 1e-6 kg and 1e-9 kg m^2",
                       "give it mass and inertia");
}

class Tree {
 public:
  explicit Tree(Context& context) : context_(context), bodies_(context.skeleton.bodies) {}

  void Build() {
    bodies_[0].body = &context_.spec.world();
    BuildChildren(0, 1);
    for (BodyRecord& record : bodies_) {
      if (record.body) continue;
      return context_.problems.Add(*record.node, "body '" + record.name + "' hangs on itself, by a loop of joints",
                                   "let one joint of the loop have another parent");
    }
    for (BodyRecord& record : bodies_) {
      if (record.node) GiveMass(context_, *record.node, *record.body);
    }
  }

 private:
  // Builds the children of a body in the order of the document.
  void BuildChildren(int parent, int depth) {
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      const JointRecord* joint = bodies_[i].joint;
      if ((joint ? joint->parent : 0) == parent && !bodies_[i].body) Build(static_cast<int>(i), depth);
    }
  }

  void Build(int index, int depth) {
    BodyRecord& record = bodies_[static_cast<std::size_t>(index)];
    if (depth > kMaxDepth) {
      throw Error("bodies hang on one another more than " + std::to_string(kMaxDepth) + " deep", "",
                  record.node->Location());
    }
    if (!record.joint) record.joint = &MakeFree(index);
    BodyRecord& parent = bodies_[static_cast<std::size_t>(record.joint->parent)];
    record.body = &parent.body->Add<Body>();
    Name(context_, *record.body, *record.node, record.name);
    ReadBody(context_, *record.node, *record.body);
    record.X_GB = parent.X_GB * AddJoints(context_, *record.joint, *record.body);
    BuildChildren(index, depth + 1);
  }

  JointRecord& MakeFree(int index) {
    BodyRecord& record = bodies_[static_cast<std::size_t>(index)];
    JointRecord& joint = context_.skeleton.joints.emplace_back();
    joint.node = record.node;
    joint.name = record.name + "_free";
    joint.kind = JointKind::kFree;
    joint.child = index;
    return joint;
  }

  Context& context_;
  std::vector<BodyRecord>& bodies_;
};

}  // namespace

void CollectBodies(Context& context, const XmlNode& model) {
  const auto ground = std::find_if(model.children.begin(), model.children.end(),
                                   [](const XmlNode& child) { return child.tag == "Ground"; });
  context.skeleton.bodies.push_back({"ground", ground == model.children.end() ? nullptr : &*ground});
  ForObjects(model, "BodySet", [&](const XmlNode& node) { CollectBody(context, node); });
}

void BuildTree(Context& context) { Tree(context).Build(); }

}  // namespace sinew::osim
