#include "hfd/bodies.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hfd/geometry.h"
#include "hfd/joints.h"
#include "hfd/shape.h"
#include "osim/frames.h"

namespace sinew::hfd {
namespace {

// Bounds every recursion over bodies behind the reader.
constexpr int kMaxDepth = 1000;

// The child of a joint that stands in a body is that body.
void CollectJoint(Context& context, const XmlNode& node, const std::string& child) {
  JointRecord record;
  record.node = &node;
  for (const XmlNode& entry : node.children) {
    if (entry.tag == "parent") record.parent = entry.text;
    if (entry.tag == "child") record.child = entry.text;
  }
  if (!child.empty()) record.child = child;
  const std::string* name = node.Find("name");
  record.name = name ? *name : record.child + "_joint";
  if (record.parent.empty()) return context.problems.Add(node, "the joint has no parent", "name a body");
  if (record.child.empty()) return context.problems.Add(node, "the joint has no child", "name a body");
  context.joints.push_back(std::move(record));
}

bool IsJoint(const XmlNode& node) { return node.tag == "joint" || node.tag == "joint_6dof"; }

void CollectBody(Context& context, const XmlNode& node) {
  const std::string* name = node.Find("name");
  if (!name || name->empty()) return context.problems.Add(node, "the body has no name", "give it one");
  if (context.FindBody(*name)) {
    return context.problems.Add(node, "another body has the name '" + *name + "'", "names of bodies differ");
  }
  BodyRecord& record = context.bodies.emplace_back();
  record.name = *name;
  record.node = &node;
  for (const XmlNode& child : node.children) {
    if (IsJoint(child)) CollectJoint(context, child, *name);
  }
}

// Each body has one joint to a parent: more would close a loop.
void ConnectJoints(Context& context) {
  for (const JointRecord& joint : context.joints) {
    BodyRecord *child = context.FindBody(joint.child), *parent = context.FindBody(joint.parent);
    if (!child || !parent) {
      const std::string& missing = child ? joint.parent : joint.child;
      context.problems.Add(*joint.node, "there is no body '" + missing + "'", "correct the name");
    } else if (child->joint) {
      context.problems.Add(*joint.node, "body '" + child->name + "' has another joint, which closes a loop",
                           "leave one of its joints away");
    } else {
      child->joint = &joint;
    }
  }
}

// ---- one body

// By mass and inertia, or by density and shape, which may be that of its contact geometry.
void ReadMass(Context& context, Entries& entries, BodyRecord& record) {
  Body& body = *record.body;
  const XmlNode* shape = entries.Find("shape");
  const auto geometry = entries.All("geometry");
  if (!entries.Find("mass") && (shape || !geometry.empty())) {
    Entries of_shape(context, shape ? *shape : *geometry.front());
    if (!shape) of_shape.SkipAll();
    if (const auto solid = ReadShape(of_shape)) {
      const ShapeMass mass = MassOf(*solid, entries.Number("density", context.options.density));
      body.mass = mass.mass;
      StoreVec3(mass.inertia, body.inertia);
    }
  } else {
    body.mass = entries.Positive("mass");
    StoreVec3(entries.Vector("inertia", {0, 0, 0}), body.inertia);
    entries.Skip({"density"});
  }
  body.explicitinertial = 1;
  std::fill_n(body.ipos, 3, 0.0);  // the origin is the centre of mass
}

void ReadBody(Context& context, BodyRecord& record) {
  Entries entries(context, *record.node);
  entries.Skip({"joint", "joint_6dof", "pos", "ori"});
  if (record.is_fixed) {
    entries.Skip({"mass", "inertia", "density", "shape"});
  } else {
    ReadMass(context, entries, record);
  }
  for (const XmlNode* node : entries.All("geometry")) ReadGeometry(context, *node, &record);
  for (const XmlNode* node : entries.All("mesh")) ReadMesh(context, *node, record);
}

// A body named ground, or without mass, stays where it is.
void ReadStart(Context& context, BodyRecord& record) {
  Entries entries(context, *record.node);
  record.start = {entries.Vector("pos", {0, 0, 0}), entries.Rotation("ori")};
  const XmlNode* mass = entries.Find("mass");
  record.is_fixed = !record.joint && (record.name == "ground" || (mass && entries.Number("mass", 1) == 0));
  entries.SkipAll();  // read with the rest of the body
}

// ---- the tree

class Tree {
 public:
  explicit Tree(Context& context) : context_(context) {}

  void Build() {
    for (BodyRecord& record : context_.bodies) ReadStart(context_, record);
    for (BodyRecord& record : context_.bodies) {
      if (record.is_fixed) Fix(record);
    }
    for (BodyRecord& record : context_.bodies) {
      if (!record.joint && !record.is_fixed) Add(record, context_.spec.world(), 1);
    }
    for (BodyRecord& record : context_.bodies) {
      if (record.body) continue;
      context_.problems.Add(*record.node, "body '" + record.name + "' hangs on itself, by a loop of joints",
                            "let one joint of the loop have another parent");
    }
    context_.problems.Throw();
    // geometry may name any body
    for (BodyRecord& record : context_.bodies) ReadBody(context_, record);
  }

 private:
  // A fixed body is a part of the world.
  void Fix(BodyRecord& record) {
    record.body = &context_.spec.world();
    record.frame = Pose{{0, 0, 0}, osim::FromGround()} * record.start;
    AddChildren(record, 1);
  }

  void Add(BodyRecord& record, Body& parent, int depth) {
    if (depth > kMaxDepth) {
      throw Error("bodies hang on one another more than " + std::to_string(kMaxDepth) + " deep", "",
                  record.node->Location());
    }
    record.body = &parent.Add<Body>();
    Name(context_, *record.body, *record.node, record.name);
    AddJoints(context_, record);
    AddChildren(record, depth + 1);
  }

  void AddChildren(const BodyRecord& parent, int depth) {
    for (BodyRecord& record : context_.bodies) {
      if (record.joint && record.joint->parent == parent.name && !record.body) Add(record, *parent.body, depth);
    }
  }

  Context& context_;
};

// Depth first, as the compiler numbers bodies and joints.
void AppendCoordinates(const Context& context, const Body& body, std::vector<double>* qpos) {
  for (const auto& joint : body.joints) {
    const std::vector<double>& start = context.start.at(joint.get());
    qpos->insert(qpos->end(), start.begin(), start.end());
  }
  for (const auto& child : body.bodies) AppendCoordinates(context, *child, qpos);
}

}  // namespace

void CollectBodies(Context& context, Entries& model) {
  for (const XmlNode* node : model.All("body")) CollectBody(context, *node);
  for (const char* kind : {"joint", "joint_6dof"}) {
    for (const XmlNode* node : model.All(kind)) CollectJoint(context, *node, "");
  }
  ConnectJoints(context);
}

void BuildTree(Context& context) {
  Tree(context).Build();
  for (const Dof& dof : context.dofs) {
    if (dof.is_used) continue;
    context.problems.Add(*dof.node, "there is no coordinate of '" + dof.owner + "' for the dof '" + dof.name + "'",
                         "let its source name a joint, or a body that nothing holds, each axis once");
  }
}

void AddStartKey(Context& context) {
  std::vector<double> qpos;
  AppendCoordinates(context, context.spec.world(), &qpos);
  if (qpos.empty()) return;
  Key& key = context.spec.Add<Key>();
  context.spec.SetName(key, "default");
  key.qpos->assign(qpos.begin(), qpos.end());
}

}  // namespace sinew::hfd
