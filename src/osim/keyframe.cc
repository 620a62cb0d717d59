#include "osim/keyframe.h"

#include <algorithm>
#include <vector>

#include "model/storage/extension.h"
#include "osim/frames.h"

namespace sinew::osim {
namespace {

// The motion of a ball, or of a free body, whose coordinates are angles about axes that turn with the body.
void AppendBall(const Context& context, const JointRecord& record, const Joint& joint, std::vector<double>* qpos) {
  const BodyRecord& child = context.skeleton.bodies[static_cast<std::size_t>(record.child)];
  const Pose world = InModel({0, child.X_GB});
  if (joint.type == mjJNT_FREE) {
    qpos->insert(qpos->end(), {world.pos.x, world.pos.y, world.pos.z});
    for (int i = 0; i < 4; ++i) qpos->push_back(world.quat[i]);
    return;
  }
  // the rotation of M in F, in axes of the body
  Quat<double> turn = IdentityQuat<double>();
  for (const TransformAxis& axis : record.axes) {
    if (axis.is_rotation) turn = turn * AxisAngle(axis.axis, axis.coordinate->default_value);
  }
  const Quat<double> in_body = record.X_BM.quat * turn * Conjugate(record.X_BM.quat);
  for (int i = 0; i < 4; ++i) qpos->push_back(in_body[i]);
}

// Depth first, as the compiler numbers bodies and joints.
void AppendCoordinates(const Context& context, const Body& body, std::vector<double>* qpos) {
  const auto& records = context.skeleton.bodies;
  const auto record =
      std::find_if(records.begin(), records.end(), [&](const BodyRecord& other) { return other.body == &body; });
  for (const auto& joint : body.joints) {
    if (joint->type == mjJNT_FREE || joint->type == mjJNT_BALL) {
      AppendBall(context, *record->joint, *joint, qpos);
      continue;
    }
    const auto& coordinates = context.skeleton.coordinates;
    const auto own = std::find_if(coordinates.begin(), coordinates.end(),
                                  [&](const Coordinate& coordinate) { return coordinate.joint == joint.get(); });
    qpos->push_back(own == coordinates.end() ? 0 : own->default_value);
  }
  for (const auto& child : body.bodies) AppendCoordinates(context, *child, qpos);
}

}  // namespace

void AddDefaultKey(Context& context) {
  std::vector<double> qpos, act;
  AppendCoordinates(context, context.spec.world(), &qpos);
  for (const InitialActivation& initial : context.initial_activations) {
    if (!initial.is_rigid) act.push_back(0);  // a fibre that comes to rest at the length of its path
    act.push_back(initial.activation);
  }
  if (qpos.empty()) return;
  Key& key = context.spec.Add<Key>();
  context.spec.SetName(key, "default");
  key.qpos->assign(qpos.begin(), qpos.end());
  key.act->assign(act.begin(), act.end());
}

}  // namespace sinew::osim
