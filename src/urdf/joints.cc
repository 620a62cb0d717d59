// Reads joints of a robot: their type, axis, limits and dynamics. The frame of a joint is that of its child link, so
// that the axis is in the body's own frame. Units are SI throughout URDF.
#include "urdf/joints.h"

#include <cmath>
#include <optional>
#include <string>

#include "math/orientation.h"
#include "urdf/tag_reader.h"

namespace sinew::urdf {
namespace {

// The values of <limit> and <dynamics>, before it is known which joints get them.
struct JointValues {
  Vec3<double> axis = {1, 0, 0};
  double range[2] = {0, 0};
  int limited = mjLIMITED_AUTO;
  double effort = 0;
  double damping = 0, friction = 0;
};

// Only a range of both ends limits a joint; an empty one has no effect, a reversed one means no limit. Exporters write
// infinite numbers for absent limits. Values that are not used as written are reported.
void ReadLimit(Context& context, const XmlNode& node, JointValues* values) {
  TagReader reader(context, node);
  const auto lower = reader.Bound("lower"), upper = reader.Bound("upper");
  values->range[0] = lower.value_or(0);
  values->range[1] = upper.value_or(0);
  const auto unlimit = [&](const std::string& what, const std::string& remedy) {
    values->limited = mjLIMITED_FALSE;
    context.dropped.Note(node, what, remedy);
  };
  if (std::isinf(values->range[0]) && std::isinf(values->range[1])) {
    unlimit("an infinite range is taken as no limit", "leave 'lower' and 'upper' out");
    values->range[0] = values->range[1] = 0;
  } else if (lower.has_value() != upper.has_value()) {
    unlimit("a range with one end is taken as no limit", "give both 'lower' and 'upper'");
  } else if (values->range[0] > values->range[1]) {
    unlimit("a range with 'lower' above 'upper' is taken as no limit", "exchange them, or leave them out");
  }
  const double effort = std::fabs(reader.Bound("effort").value_or(0));
  if (std::isinf(effort)) context.dropped.Note(node, "an infinite effort is taken as no limit", "leave 'effort' out");
  values->effort = std::isinf(effort) ? 0 : effort;
}

// Without an axis the joint acts along x, as the format says.
JointValues ReadValues(Context& context, TagReader& joint, bool has_axis) {
  JointValues values;
  const XmlNode* axis = joint.Child("axis");
  if (axis && has_axis) {
    double xyz[3];
    if (TagReader(context, *axis).RequiredNumbers("xyz", xyz, 3)) values.axis = LoadVec3(xyz);
  }
  if (const XmlNode* limit = joint.Child("limit")) ReadLimit(context, *limit, &values);
  if (const XmlNode* dynamics = joint.Child("dynamics")) {
    TagReader reader(context, *dynamics);
    values.damping = reader.Number("damping").value_or(0);
    values.friction = reader.Number("friction").value_or(0);
  }
  return values;
}

mjsJoint& AddJoint(Context& context, const XmlNode& node, const std::string& name, mjtJoint type,
                   const JointValues& values, Body& body) {
  Joint& joint = body.Add<Joint>();
  joint.where = node.Location();
  if (!context.spec.SetName(joint, name)) context.problems.Add(node, "another joint has the name '" + name + "'");
  joint.type = type;
  joint.damping[0] = values.damping;
  joint.frictionloss = values.friction;
  if (type != mjJNT_FREE) StoreVec3(values.axis, joint.axis);
  return joint;
}

// Effort bounds the force (N) or torque (N m) of actuators on the joint; zero means no bound.
void SetLimits(const JointValues& values, mjsJoint* joint) {
  joint->limited = values.limited;
  joint->range[0] = values.range[0];
  joint->range[1] = values.range[1];
  if (values.effort == 0) return;
  joint->actfrcrange[0] = -values.effort;
  joint->actfrcrange[1] = values.effort;
}

// Two slides in the plane across the axis and a hinge about it. The limits are those of the first slide.
void AddPlanar(Context& context, const XmlNode& node, const std::string& name, const JointValues& values, Body& body) {
  const Quat<double> frame = FromDirection(values.axis);
  JointValues slide = values;
  slide.axis = Rotate(frame, {1, 0, 0});
  SetLimits(values, &AddJoint(context, node, name + "_TX", mjJNT_SLIDE, slide, body));
  slide.axis = Rotate(frame, {0, 1, 0});
  AddJoint(context, node, name + "_TY", mjJNT_SLIDE, slide, body);
  AddJoint(context, node, name + "_RZ", mjJNT_HINGE, values, body);
}

// A continuous joint is a hinge like a revolute one, but without limits.
std::optional<mjtJoint> TypeOf(const std::string& word) {
  if (word == "revolute" || word == "continuous") return mjJNT_HINGE;
  if (word == "prismatic") return mjJNT_SLIDE;
  if (word == "floating") return mjJNT_FREE;
  if (word == "spherical") return mjJNT_BALL;
  return std::nullopt;
}

void AddJoints(Context& context, TagReader& reader, const std::string& name, const std::string& word, Body& body) {
  const JointValues values = ReadValues(context, reader, word != "fixed" && word != "floating");
  if (word == "fixed") return;
  if (word == "planar") return AddPlanar(context, reader.node(), name, values, body);
  const auto type = TypeOf(word);
  if (!type) {
    return reader.Fail("the joint type is \"" + word + "\"",
                       "use revolute, continuous, prismatic, fixed, floating, planar or spherical");
  }
  SetLimits(values, &AddJoint(context, reader.node(), name, *type, values, body));
}

}  // namespace

// The ends are read before all else, since they make the tree.
JointEnds ReadEnds(Context& context, const XmlNode& node) {
  JointEnds ends;
  const auto link = [&](const char* tag) {
    for (const XmlNode& child : node.children) {
      if (child.tag == tag) return TagReader(context, child).RequiredText("link");
    }
    context.problems.Add(node, std::string("element '") + tag + "' is missing", "a joint has a parent and a child");
    return std::string();
  };
  ends.parent = link("parent");
  ends.child = link("child");
  return ends;
}

// The origin of a joint is the pose of the child link in its parent.
void ReadJoint(Context& context, const XmlNode& node, Body& body) {
  TagReader reader(context, node);
  const std::string name = reader.RequiredText("name"), type = reader.RequiredText("type");
  reader.Child("parent");
  reader.Child("child");
  const Origin origin = reader.ReadOrigin();
  mjsBody& placed = body;
  StoreVec3(origin.pos, placed.pos);
  StoreQuat(origin.quat, placed.quat);
  AddJoints(context, reader, name, type, body);
  if (context.options.mimic) {
    reader.Child("mimic");
  } else {
    reader.Drop("mimic", "the option 'mimic' makes an equality of it");
  }
}

// q = offset + multiplier * q_other. Both joints of a robot are at 0 in the reference configuration, so that the
// polynomial of an equality, which acts on the distances from there, has these as coefficients.
void ReadMimic(Context& context, const XmlNode& node) {
  TagReader reader(context, node);
  const std::string other = reader.RequiredText("joint");
  const std::string* name = node.parent->Find("name");
  const auto scalar = [&](const std::string& joint) {
    const Joint* found = context.spec.Find<Joint>(joint);
    return found && (found->type == mjJNT_HINGE || found->type == mjJNT_SLIDE);
  };
  if (!scalar(other) || !name || !scalar(*name)) {
    return context.dropped.AddElement(node, "it takes two joints that turn about or move along one axis");
  }
  Equality& equality = context.spec.Add<Equality>();
  equality.where = node.Location();
  equality.type = mjEQ_JOINT;
  equality.objtype = mjOBJ_JOINT;
  *equality.name1 = *name;
  *equality.name2 = other;
  equality.data[0] = reader.Number("offset").value_or(0);
  equality.data[1] = reader.Number("multiplier").value_or(1);
}

}  // namespace sinew::urdf
