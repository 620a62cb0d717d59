#include "osim/joints.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "math/orientation.h"
#include "osim/frames.h"
#include "osim/properties.h"

namespace sinew::osim {
namespace {

constexpr Vec3<double> kX = {1, 0, 0}, kY = {0, 1, 0}, kZ = {0, 0, 1};

// ---- coordinates

Coordinate& ReadCoordinate(Context& context, const XmlNode& node, const std::string& joint_name) {
  Properties properties(context, node);
  Coordinate& coordinate = context.skeleton.coordinates.emplace_back();
  coordinate.node = &node;
  coordinate.joint_name = joint_name;
  coordinate.name = properties.name();
  coordinate.default_value = properties.Number("default_value", 0);
  coordinate.locked = properties.Flag("locked", false);
  properties.Skip({"initial_value", "clamped", "is_free_to_satisfy_constraints"});
  if (const auto range = properties.Numbers({"range"})) {
    coordinate.has_range = range->size() == 2;
    if (coordinate.has_range) std::copy_n(range->begin(), 2, coordinate.range.begin());
    if (!coordinate.has_range)
      properties.Fail("the range has " + std::to_string(range->size()) + " numbers", "give two");
  }
  properties.ExpectFlag("prescribed", false, "a prescribed coordinate is free here; prescribe it with an equality");
  if (properties.name().empty()) properties.Fail("a coordinate has no name", "give it one");
  return coordinate;
}

void ReadCoordinates(Context& context, Properties& properties, JointRecord* joint) {
  for (const char* set : {"coordinates", "CoordinateSet"}) {
    for (const XmlNode* node : properties.Objects(set)) {
      if (node->tag == "Coordinate") joint->coordinates.push_back(&ReadCoordinate(context, *node, joint->name));
    }
  }
}

// ---- joints whose axes follow from their class

// A rotation or translation by a coordinate itself; the number is that of the coordinate among those of its joint.
struct FixedAxis {
  bool is_rotation;
  Vec3<double> axis;
  std::size_t coordinate;
};

struct FixedJoint {
  std::string_view tag;
  std::vector<FixedAxis> axes;
};

const FixedJoint* FindFixed(std::string_view tag) {
  static const FixedJoint kJoints[] = {
      {"WeldJoint", {}},
      {"PinJoint", {{true, kZ, 0}}},
      {"SliderJoint", {{false, kX, 0}}},
      {"PlanarJoint", {{false, kX, 1}, {false, kY, 2}, {true, kZ, 0}}},
      {"UniversalJoint", {{true, kX, 0}, {true, kY, 1}}},
      {"GimbalJoint", {{true, kX, 0}, {true, kY, 1}, {true, kZ, 2}}},
  };
  const auto found =
      std::find_if(std::begin(kJoints), std::end(kJoints), [&](const FixedJoint& joint) { return joint.tag == tag; });
  return found == std::end(kJoints) ? nullptr : found;
}

// Coordinates that a document leaves out have names of their own.
void CompleteCoordinates(Context& context, std::size_t count, JointRecord* joint) {
  while (joint->coordinates.size() < count) {
    Coordinate& added = context.skeleton.coordinates.emplace_back();
    added.node = joint->node;
    added.joint_name = joint->name;
    added.name = joint->name + "_coord_" + std::to_string(joint->coordinates.size());
    joint->coordinates.push_back(&added);
  }
}

void AddFixedAxes(Context& context, const FixedJoint& fixed, JointRecord* joint) {
  CompleteCoordinates(context, fixed.axes.size(), joint);
  for (const FixedAxis& axis : fixed.axes) {
    Coordinate* coordinate = joint->coordinates[axis.coordinate];
    const FunctionValues itself = {FunctionKind::kPolynomial, {0, 1}};
    joint->axes.push_back({axis.is_rotation, axis.axis, coordinate, itself, coordinate->node});
  }
}

// ---- custom joints

// The function of an axis stands in it, or in its element <function>. A function of no coordinate is constant.
TransformAxis ReadAxis(Context& context, const XmlNode& node, const std::string& joint, bool is_rotation,
                       const Vec3<double>& usual) {
  Properties properties(context, node);
  TransformAxis axis = {is_rotation, properties.Vector({"axis"}, usual), nullptr, ConstantFunction(0), &node};
  if (DivideByNorm(axis.axis) < kMinVal) {
    properties.Fail("the axis has no direction", "give a vector that is not zero");
  }
  const std::string coordinates = properties.Text({"coordinates"});
  if (!coordinates.empty()) axis.coordinate = context.skeleton.FindCoordinate(joint + "/" + coordinates);
  if (!coordinates.empty() && !axis.coordinate) {
    const bool several = coordinates.find(' ') != std::string::npos;
    properties.Fail(several ? "a function of several coordinates, '" + coordinates + "', is none that a model has"
                            : "there is no coordinate '" + coordinates + "' in the joint",
                    several ? "make it a function of one" : "correct the name");
  }
  const XmlNode* holder = properties.Find({"function"});
  const auto own = std::find_if(node.children.begin(), node.children.end(), IsFunction);
  if (!holder && own != node.children.end()) holder = &*own;
  if (own != node.children.end()) properties.Skip({own->tag});
  for (const XmlNode& child : node.children) {
    if (child.tag == "axis" || child.tag == "coordinates" || child.tag == "function" || IsFunction(child)) continue;
    RefuseFunction(context, child);
    properties.Skip({child.tag});
  }
  if (holder) axis.function = ReadFunction(context, *holder);
  if (!holder && axis.coordinate) axis.function = {FunctionKind::kPolynomial, {0, 1}};
  return axis;
}

// OpenSim has rotations first; translations are along axes of F, so they come before.
void ReadSpatialTransform(Context& context, Properties& joint, JointRecord* record) {
  const XmlNode* node = joint.Find({"SpatialTransform"});
  if (!node) return joint.Fail("the joint has no SpatialTransform", "add one");
  constexpr std::array kNames = {"rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3"};
  constexpr std::array kUsual = {kX, kY, kZ, kX, kY, kZ};
  for (const std::size_t i : {3, 4, 5, 0, 1, 2}) {
    const auto found = std::find_if(node->children.begin(), node->children.end(), [&](const XmlNode& child) {
      const std::string* name = child.Find("name");
      return child.tag == "TransformAxis" && name && *name == kNames[i];
    });
    if (found != node->children.end())
      record->axes.push_back(ReadAxis(context, *found, record->name, i < 3, kUsual[i]));
  }
}

// ---- joints

// The coordinates of a ball joint are those of a quaternion here, the ones of a free joint with it a position.
void ReadBall(Context& context, const XmlNode& node, JointRecord* joint) {
  joint->kind = node.tag == "BallJoint" ? JointKind::kBall : JointKind::kFree;
  const std::size_t count = joint->kind == JointKind::kBall ? 3 : 6;
  CompleteCoordinates(context, count, joint);
  const FunctionValues itself = {FunctionKind::kPolynomial, {0, 1}};
  for (std::size_t i = 3; i < count; ++i) {
    joint->axes.push_back({false, std::array{kX, kY, kZ}[i - 3], joint->coordinates[i], itself, &node});
  }
  for (std::size_t i = 0; i < 3; ++i) {
    joint->axes.push_back({true, std::array{kX, kY, kZ}[i], joint->coordinates[i], itself, &node});
  }
}

void ReadMotion(Context& context, Properties& properties, JointRecord* joint) {
  const XmlNode& node = properties.node();
  ReadCoordinates(context, properties, joint);
  if (node.tag == "CustomJoint") return ReadSpatialTransform(context, properties, joint);
  if (node.tag == "BallJoint" || node.tag == "FreeJoint") return ReadBall(context, node, joint);
  if (const FixedJoint* fixed = FindFixed(node.tag)) return AddFixedAxes(context, *fixed, joint);
  properties.Fail(
      "'" + node.tag + "' is no joint that a model has",
      "use CustomJoint, PinJoint, SliderJoint, WeldJoint, BallJoint, FreeJoint, PlanarJoint, UniversalJoint "
      "or GimbalJoint");
  properties.SkipAll();
}

// A body hangs on one joint.
void Connect(Context& context, JointRecord& joint) {
  BodyRecord& child = context.skeleton.bodies[static_cast<std::size_t>(joint.child)];
  if (joint.child == 0) {
    return context.problems.Add(*joint.node, "ground is the child of a joint", "exchange parent and child");
  }
  if (child.joint) {
    return context.problems.Add(*joint.node, "body '" + child.name + "' has another joint to its parent already",
                                "a body hangs on one joint; close loops by a constraint");
  }
  child.joint = &joint;
}

// Since version 4 a joint names two frames.
void ReadJoint(Context& context, const XmlNode& node) {
  JointRecord& joint = context.skeleton.joints.emplace_back();
  joint.node = &node;
  Properties properties(context, node);
  joint.name = properties.name();
  properties.Skip({"frames"});
  const auto frame = [&](std::string_view tag, std::string_view older) {
    return FindFrame(context, properties.Text({tag, older}), node);
  };
  const auto parent = frame("socket_parent_frame", "socket_parent_frame_connectee_name");
  const auto child = frame("socket_child_frame", "socket_child_frame_connectee_name");
  ReadMotion(context, properties, &joint);
  if (!parent || !child) return;
  joint.parent = parent->body;
  joint.child = child->body;
  joint.X_PF = parent->pose;
  joint.X_BM = child->pose;
  Connect(context, joint);
}

// Before, it stands in its child, and says where its frames are.
void ReadJointOfBody(Context& context, const XmlNode& node, int body) {
  JointRecord& joint = context.skeleton.joints.emplace_back();
  joint.node = &node;
  Properties properties(context, node);
  joint.name = properties.name();
  const std::string parent = properties.Text({"parent_body"});
  joint.X_PF = properties.ReadPose({"location_in_parent"}, {"orientation_in_parent"});
  joint.X_BM = properties.ReadPose({"location"}, {"orientation"});
  properties.ExpectFlag("reverse", false, "joints go from the parent to the child");
  ReadMotion(context, properties, &joint);
  joint.child = body;
  joint.parent = context.skeleton.FindBody(parent);
  if (joint.parent < 0) return properties.Fail("there is no body '" + parent + "'", "correct parent_body");
  Connect(context, joint);
}

}  // namespace

void ReadJoints(Context& context, const XmlNode& model) {
  for (std::size_t i = 0; i < context.skeleton.bodies.size(); ++i) {
    const XmlNode* body = context.skeleton.bodies[i].node;
    if (!body) continue;
    for (const XmlNode& child : body->children) {
      if (child.tag != "Joint") continue;
      for (const XmlNode* joint : ObjectsOf(child)) ReadJointOfBody(context, *joint, static_cast<int>(i));
    }
  }
  for (const XmlNode& child : model.children) {
    if (child.tag != "JointSet") continue;
    for (const XmlNode* joint : ObjectsOf(child)) ReadJoint(context, *joint);
  }
}

}  // namespace sinew::osim
