// The motion of a joint is a product of translations and rotations, X_FM = T(t1) T(t2) T(t3) R1 R2 R3, some of them
// constant. Constant ones are taken to the front, into the pose of the body: for a constant C, T(t) C = C T(C^-1 t),
// and a rotation about a behind it is one about C^-1 a. What is left is a product of motions by coordinates. Neighbours
// of one coordinate are a joint: a hinge or slide if there is one and the function is the coordinate itself or its
// negative, else one that moves by functions (docs/how/function-joints.md).
#include "osim/joint_elements.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "math/orientation.h"
#include "osim/frames.h"

namespace sinew::osim {
namespace {

Pose PoseOf(bool is_rotation, const Vec3<double>& axis, double amount) {
  if (!is_rotation) return {axis * amount, IdentityQuat<double>()};
  return {{0, 0, 0}, AxisAngle(axis, amount)};
}

// The function of an axis is constant where its coordinate is locked, or it is one of none.
std::optional<double> ConstantOf(const TransformAxis& axis) {
  if (!axis.coordinate) return ValueOf(axis.function, 0);
  if (axis.coordinate->locked) return ValueOf(axis.function, axis.coordinate->default_value);
  const auto line = AsLine(axis.function);
  return line && line->slope == 0 ? std::optional(line->offset) : std::nullopt;
}

// The motions by coordinates, and the pose of F that is left of constant ones.
struct Motions {
  Pose front;
  std::vector<TransformAxis> axes;
};

void TakeToFront(const Pose& constant, Motions* motions) {
  motions->front = motions->front * constant;
  const Quat<double> back = Conjugate(constant.quat);
  for (TransformAxis& axis : motions->axes) axis.axis = Rotate(back, axis.axis);
}

// A shift by a constant is taken out of a line of slope 1 or -1, and so is the sign.
void AddMotion(TransformAxis axis, Motions* motions) {
  const auto line = AsLine(axis.function);
  if (line && std::fabs(line->slope) == 1) {
    if (line->offset != 0) TakeToFront(PoseOf(axis.is_rotation, axis.axis, line->offset), motions);
    if (line->slope < 0) axis.axis = axis.axis * -1.0;
    axis.function = {FunctionKind::kPolynomial, {0, 1}};
  }
  motions->axes.push_back(std::move(axis));
}

Motions MotionsOf(const JointRecord& joint) {
  Motions motions;
  for (const TransformAxis& axis : joint.axes) {
    if (const auto constant = ConstantOf(axis)) {
      TakeToFront(PoseOf(axis.is_rotation, axis.axis, *constant), &motions);
    } else {
      AddMotion(axis, &motions);
    }
  }
  return motions;
}

bool IsItself(const TransformAxis& axis) {
  const auto line = AsLine(axis.function);
  return line && line->offset == 0 && line->slope == 1;
}

// ---- elements

Joint& AddJoint(Context& context, const XmlNode& node, const std::string& name, mjtJoint type, Body& body) {
  Joint& joint = body.Add<Joint>();
  Name(context, joint, node, name);
  joint.type = type;
  return joint;
}

// The range says how far the coordinate goes; OpenSim does not stop there, unless a force does.
Joint& AddCoordinate(Context& context, Coordinate& coordinate, mjtJoint type, const JointRecord& record, Body& body) {
  Joint& joint = AddJoint(context, *coordinate.node, coordinate.name, type, body);
  StoreVec3(record.X_BM.pos, joint.pos);
  std::copy(coordinate.range.begin(), coordinate.range.end(), joint.range);
  joint.limited = mjLIMITED_FALSE;
  coordinate.joint = &joint;
  return joint;
}

MotionTerm TermOf(const TransformAxis& axis, const JointRecord& record) {
  MotionTerm term;
  const Vec3<double> in_body = Rotate(record.X_BM.quat, axis.axis);
  term.rotates = axis.is_rotation;
  StoreVec3(in_body, term.axis.data());
  term.function = axis.function;
  term.where = axis.node->Location();
  return term;
}

// The axes of one coordinate.
using Group = std::vector<TransformAxis>;

void AddGroup(Context& context, const Group& group, const JointRecord& record, Body& body) {
  Coordinate& coordinate = *group.front().coordinate;
  if (coordinate.joint) {
    return context.problems.Add(
        *group.front().node, "coordinate '" + coordinate.name + "' moves the joint before and after another coordinate",
        "order the axes so that those of a coordinate are neighbours");
  }
  // a coordinate is an angle if its first rotation, or else a length
  const auto rotation = std::find_if(group.begin(), group.end(), [](const TransformAxis& a) { return a.is_rotation; });
  const TransformAxis& main = rotation == group.end() ? group.front() : *rotation;
  Joint& joint = AddCoordinate(context, coordinate, main.is_rotation ? mjJNT_HINGE : mjJNT_SLIDE, record, body);
  StoreVec3(Rotate(record.X_BM.quat, main.axis), joint.axis);
  if (group.size() == 1 && IsItself(main)) return;
  for (const TransformAxis& axis : group) joint.motion.push_back(TermOf(axis, record));
}

void AddGroups(Context& context, const std::vector<TransformAxis>& axes, const JointRecord& record, Body& body) {
  for (std::size_t i = 0; i < axes.size();) {
    Group group;
    for (; i < axes.size() && (group.empty() || axes[i].coordinate == group.front().coordinate); ++i) {
      group.push_back(axes[i]);
    }
    AddGroup(context, group, record, body);
  }
}

// A body that moves freely in ground has a free joint, whose position is that of the body; elsewhere three slides and a
// ball.
void AddBall(Context& context, const JointRecord& record, Body& body) {
  if (record.kind == JointKind::kFree && record.parent == 0) {
    AddJoint(context, *record.node, record.name, mjJNT_FREE, body);
    return;
  }
  if (record.kind == JointKind::kFree) {
    std::vector<TransformAxis> translations;
    std::copy_if(record.axes.begin(), record.axes.end(), std::back_inserter(translations),
                 [](const TransformAxis& axis) { return !axis.is_rotation; });
    AddGroups(context, translations, record, body);
  }
  Joint& ball = AddJoint(context, *record.node, record.name, mjJNT_BALL, body);
  StoreVec3(record.X_BM.pos, ball.pos);
}

// X_FM at the default values of the coordinates.
Pose DefaultMotion(const JointRecord& record) {
  Pose X_FM;
  for (const TransformAxis& axis : record.axes) {
    const double value = ValueOf(axis.function, axis.coordinate ? axis.coordinate->default_value : 0);
    X_FM = X_FM * PoseOf(axis.is_rotation, axis.axis, value);
  }
  return X_FM;
}

}  // namespace

Pose AddJoints(Context& context, const JointRecord& record, Body& body) {
  const bool has_axes = record.kind == JointKind::kAxes;
  const Motions motions = has_axes ? MotionsOf(record) : Motions();
  const Pose X_MB = Inverse(record.X_BM);
  const Pose in_parent = InModel({record.parent, record.X_PF * motions.front * X_MB});
  mjsBody& placed = body;
  StoreVec3(in_parent.pos, placed.pos);
  StoreQuat(in_parent.quat, placed.quat);
  if (has_axes) AddGroups(context, motions.axes, record, body);
  if (!has_axes) AddBall(context, record, body);
  return record.X_PF * DefaultMotion(record) * X_MB;
}

}  // namespace sinew::osim
