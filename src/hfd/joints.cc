#include "hfd/joints.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hfd/entries.h"
#include "osim/frames.h"

namespace sinew::hfd {
namespace {

// Where no dof says otherwise: flexion first, as in the models of gait that the format is made for.
constexpr std::array kOrder = {2, 0, 1};

Vec3<double> UnitAxis(int axis) {
  Vec3<double> unit = {0, 0, 0};
  unit[axis] = 1;
  return unit;
}

Joint& AddJoint(Context& context, BodyRecord& record, const XmlNode& node, const std::string& name, mjtJoint type) {
  Joint& joint = record.body->Add<Joint>();
  Name(context, joint, node, name);
  joint.type = type;
  joint.limited = mjLIMITED_FALSE;
  return joint;
}

void Place(const Pose& pose, Body& body) {
  mjsBody& values = body;
  StoreVec3(pose.pos, values.pos);
  StoreQuat(pose.quat, values.quat);
}

// The coordinates of a joint or body; each is used once.
std::vector<Dof*> DofsOf(Context& context, const std::string& owner, bool rotations) {
  std::vector<Dof*> found;
  for (Dof& dof : context.dofs) {
    const bool is_second =
        std::any_of(found.begin(), found.end(), [&](const Dof* other) { return other->axis == dof.axis; });
    if (dof.is_used || dof.owner != owner || dof.is_rotation != rotations || is_second) continue;
    found.push_back(&dof);
  }
  for (Dof* dof : found) dof->is_used = true;
  return found;
}

Joint& AddCoordinate(Context& context, BodyRecord& record, const Dof& dof, const Vec3<double>& axis) {
  Joint& joint = AddJoint(context, record, *dof.node, dof.name, dof.is_rotation ? mjJNT_HINGE : mjJNT_SLIDE);
  StoreVec3(axis * dof.sign, joint.axis);
  if (dof.range) std::copy_n(dof.range->begin(), 2, joint.range);
  context.start[&joint] = {dof.value};
  return joint;
}

// ---- a body that nothing holds

// Its coordinates are counted from where the document places it: translations along the axes of ground, rotations about
// the centre of mass. Without a dof it is free.
void AddRoot(Context& context, BodyRecord& record) {
  const Pose start = Pose{{0, 0, 0}, osim::FromGround()} * record.start;
  Place(start, *record.body);
  const std::vector<Dof*> translations = DofsOf(context, record.name, false);
  const std::vector<Dof*> rotations = DofsOf(context, record.name, true);
  if (translations.empty() && rotations.empty()) {
    const Joint& free = AddJoint(context, record, *record.node, record.name + "_free", mjJNT_FREE);
    const Quat<double>& q = start.quat;
    context.start[&free] = {start.pos.x, start.pos.y, start.pos.z, q[0], q[1], q[2], q[3]};
    return;
  }
  const Quat<double> to_body = Conjugate(record.start.quat);
  for (const Dof* dof : translations) AddCoordinate(context, record, *dof, Rotate(to_body, UnitAxis(dof->axis)));
  for (const Dof* dof : rotations) AddCoordinate(context, record, *dof, UnitAxis(dof->axis));
}

// ---- a body on a joint

class JointReader {
 public:
  JointReader(Context& context, BodyRecord& record)
      : context_(context), record_(record), entries_(context, *record.joint->node) {}

  void Read() {
    const Vec3<double> in_parent = entries_.Vector("pos_in_parent", {0, 0, 0});
    anchor_ = entries_.Vector("pos_in_child", {0, 0, 0});
    const Quat<double> turn = entries_.Rotation("ref_ori");
    const Pose X_PB = {in_parent - Rotate(turn, anchor_), turn};
    Place(context_.FindBody(record_.joint->parent)->frame * X_PB, *record_.body);
    entries_.Skip({"parent", "child"});
    limits_ = entries_.LimitsOfAxes("limits");
    limit_.stiffness[0] = limit_.stiffness[1] =
        entries_.NotNegative("limit_stiffness", context_.options.limit_stiffness);
    limit_.force_damping = entries_.NotNegative("limit_damping", 0);
    limit_.where = entries_.node().Location();
    AddRotations();
  }

 private:
  // An axis moves if a dof names it, or if its limits leave room.
  void AddRotations() {
    std::vector<Dof*> dofs = DofsOf(context_, record_.joint->name, true);
    if (dofs.empty()) dofs = DofsOf(context_, record_.name, true);
    const bool has_limits = std::any_of(limits_.begin(), limits_.end(), [](const auto& range) { return !!range; });
    if (dofs.empty() && !has_limits) return AddBall();
    for (const Dof* dof : dofs) AddHinge(*dof);
    for (const int axis : kOrder) {
      const auto& range = limits_[static_cast<std::size_t>(axis)];
      const bool is_there = std::any_of(dofs.begin(), dofs.end(), [&](const Dof* dof) { return dof->axis == axis; });
      const bool has_room = !range || (*range)[0] < (*range)[1];
      if (!is_there && has_room) AddHinge(UnnamedDof(axis));
    }
  }

  Dof UnnamedDof(int axis) const {
    Dof dof = {record_.joint->node, record_.joint->name + "_r" + static_cast<char>('x' + axis), ""};
    dof.axis = axis;
    return dof;
  }

  void AddBall() {
    Joint& ball = AddJoint(context_, record_, entries_.node(), record_.joint->name, mjJNT_BALL);
    StoreVec3(anchor_, ball.pos);
    context_.start[&ball] = {1, 0, 0, 0};
  }

  // Limits are those of the rotation about the axis, of which the coordinate may be the negative.
  void AddHinge(const Dof& dof) {
    Joint& hinge = AddCoordinate(context_, record_, dof, UnitAxis(dof.axis));
    StoreVec3(anchor_, hinge.pos);
    const auto& range = limits_[static_cast<std::size_t>(dof.axis)];
    if (!range) return;
    const double low = (*range)[0] * kDegree, high = (*range)[1] * kDegree;
    limit_.range[0] = dof.sign > 0 ? low : -high;
    limit_.range[1] = dof.sign > 0 ? high : -low;
    if (!dof.range) std::copy_n(limit_.range, 2, hinge.range);
    if (limit_.stiffness[0] > 0) hinge.limit_forces.push_back(limit_);
  }

  Context& context_;
  BodyRecord& record_;
  Entries entries_;
  Vec3<double> anchor_ = {0, 0, 0};
  std::array<std::optional<Range>, 3> limits_;
  LimitForce limit_;
};

}  // namespace

void AddJoints(Context& context, BodyRecord& record) {
  if (record.joint) {
    JointReader(context, record).Read();
  } else {
    AddRoot(context, record);
  }
}

}  // namespace sinew::hfd
