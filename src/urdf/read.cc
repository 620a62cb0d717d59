// Reads a robot: links and joints become a tree of bodies. URDF lists both flatly, so links are connected first, and
// bodies are built from the roots down.
#include "urdf/read.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "urdf/extension.h"
#include "urdf/joints.h"
#include "urdf/links.h"
#include "urdf/tag_reader.h"
#include "urdf/transmissions.h"

namespace sinew::urdf {
namespace {

// The name of the link that is the world itself.
constexpr const char* kWorld = "world";

// Bounds every recursion over bodies behind the reader.
constexpr int kMaxDepth = 1000;

// Why known extensions have no place in a model.
constexpr mjcf::DropReason kReasons[] = {
    {"safety_controller", "soft limits are up to a controller"},
    {"calibration", "reference positions concern the encoders of a device"},
    {"transmission", "the option 'actuators' makes motors of it"},
    {"ros2_control", "it describes the software of a robot"},
    {"gazebo", "it is for another simulator"},
    {"sensor", "sensors of URDF describe devices; add sites and sensors to the model"},
    {"texture", "colours come from 'color'"},
    {"contact", "friction and stiffness of contacts are set in MJCF"},
    {"surface", "friction and stiffness of contacts are set in MJCF"},
    {"velocity", "joints have no limit of velocity"},
};

struct Link {
  const XmlNode* node;
  const XmlNode* joint = nullptr;    // to the parent; null: none
  std::vector<Link*> children = {};  // in the order of their joints
  Body* body = nullptr;              // once the tree is built
};

std::string FindText(const XmlNode& node, std::string_view attribute) {
  const std::string* text = node.Find(attribute);
  return text ? *text : "";
}

// Links by name, connected by joints.
class Robot {
 public:
  Robot(Context& context, TagReader& robot) : context_(context), meshes_(context) {
    for (const XmlNode* node : robot.Children("link")) AddLink(*node);
    for (const XmlNode* node : robot.Children("joint")) Connect(*node);
  }

  // Makes a body of each link; those without parent stand in the world.
  void Build();

 private:
  void AddLink(const XmlNode& node);
  void Connect(const XmlNode& node);
  void Build(Link& link, Body& parent, int depth);

  Context& context_;
  Meshes meshes_;
  std::vector<std::unique_ptr<Link>> links_;
  std::map<std::string, Link*, std::less<>> by_name_;
};

void Robot::AddLink(const XmlNode& node) {
  const std::string* name = node.Find("name");
  if (!name || name->empty()) return context_.problems.Add(node, "attribute 'name' is missing");
  Link& link = *links_.emplace_back(std::make_unique<Link>(Link{&node}));
  if (!by_name_.try_emplace(*name, &link).second) {
    context_.problems.Add(node, "another link has the name '" + *name + "'", "names of links differ");
  }
}

// A link has one parent joint at most: the format describes trees only.
void Robot::Connect(const XmlNode& node) {
  const JointEnds ends = ReadEnds(context_, node);
  const auto find = [&](const std::string& name) -> Link* {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return found->second;
    if (!name.empty()) context_.problems.Add(node, "there is no link '" + name + "'", "define it or correct the name");
    return nullptr;
  };
  Link *parent = find(ends.parent), *child = find(ends.child);
  if (!parent || !child) return;
  if (child->joint) {
    context_.problems.Add(node, "link '" + ends.child + "' has another parent joint already",
                          "a link hangs on one joint; close loops by equalities");
    return;
  }
  if (ends.child == kWorld && FindText(node, "type") == "fixed") {
    return context_.dropped.AddElement(node, "link 'world' is the world, which has no parent");
  }
  if (ends.child == kWorld) {
    return context_.problems.Add(node, "link 'world' is the world, which has no parent", "rename the link");
  }
  child->joint = &node;
  parent->children.push_back(child);
}

// A link without a parent joint stands in the world; one that cannot be reached is part of a loop.
void Robot::Build() {
  Body& world = context_.spec.world();
  for (const auto& link : links_) {
    if (!link->joint) Build(*link, world, 1);
  }
  // The contents of links are read in the order of the file, which numbers their meshes.
  for (const auto& link : links_) {
    if (link->body) {
      ReadLink(context_, *link->node, meshes_, *link->body);
    } else {
      return context_.problems.Add(*link->joint, "the joints form a loop, of which no link is the root",
                                   "remove one of them and close the loop by an equality");
    }
  }
  for (const auto& link : links_) GiveMass(context_, *link->node, *link->body);
}

void Robot::Build(Link& link, Body& parent, int depth) {
  if (depth > kMaxDepth) {
    throw Error("links are chained more than " + std::to_string(kMaxDepth) + " deep", "", link.node->Location());
  }
  const std::string& name = *link.node->Find("name");
  const bool is_world = name == kWorld;
  Body& body = is_world ? parent : parent.Add<Body>();
  if (!is_world) {
    body.where = link.node->Location();
    context_.spec.SetName(body, name);
    if (link.joint) ReadJoint(context_, *link.joint, body);
    if (!link.joint && context_.options.floatingbase) {
      Joint& free = body.Add<Joint>();
      free.where = link.node->Location();
      free.type = mjJNT_FREE;
      context_.spec.SetName(free, name + "_free");
    }
  }
  link.body = &body;
  for (Link* child : link.children) Build(*child, body, depth + 1);
}

// Reads elements that refer to joints by name, once all joints exist.
void ReadReferences(Context& context, TagReader& robot) {
  if (context.options.mimic) {
    for (const XmlNode* joint : robot.Children("joint")) {
      for (const XmlNode& child : joint->children) {
        if (child.tag == "mimic") ReadMimic(context, child);
      }
    }
  }
  if (context.options.actuators) {
    for (const XmlNode* node : robot.Children("transmission")) ReadTransmission(context, *node);
  }
}

// Settings come first, because they decide which shapes are read.
void ReadRobot(Context& context, const XmlNode& root) {
  TagReader robot(context, root);
  if (const auto name = robot.Text("name")) *static_cast<mjSpec&>(context.spec).modelname = *name;
  for (const char* unneeded : {"version", "xmlns:xacro"}) robot.Text(unneeded);
  ReadSettings(context, robot.Child("mujoco"));
  robot.Children("material");
  CollectColors(context, root);
  Robot(context, robot).Build();
  if (context.problems.empty()) ReadReferences(context, robot);
}

}  // namespace
// Warnings are kept with the specification, where programs can read them.
std::unique_ptr<Spec> ReadUrdf(const mjcf::XmlDocument& document, const UrdfOptions& options, const mjVFS* vfs) {
  auto spec = std::make_unique<Spec>();
  *spec->comment = document.comment;
  *spec->modelfiledir = document.directory;
  mjcf::Problems problems;
  Context context{*spec, problems, options, vfs, mjcf::Dropped(kReasons), {}, {}};
  ReadRobot(context, *document.root);
  problems.Throw();
  problems.WarnOfNaN();
  spec->warnings = context.dropped.Texts();
  return spec;
}

}  // namespace sinew::urdf
