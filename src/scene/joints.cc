// Decoration of joints, and the skeleton that connects them.
#include <algorithm>

#include "scene/color.h"
#include "scene/joint_shape.h"
#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

// Size of the boxes and spheres of free and ball joints, relative to the arrows of the others.
constexpr double kBlockShare = 0.3;

// Tells how much the limit of a joint acts, 0..1, from its distance to the nearer end of its range: metres, or
// radians.
double JointLimitNearness(const SceneBuilder& s, int id) {
  const mjModel* m = s.m;
  if (!m->jnt_limited[id]) return 0;
  const double *range = m->jnt_range + 2 * id, *qpos = s.d->qpos + m->jnt_qposadr[id];
  double distance;
  switch (m->jnt_type[id]) {
    case mjJNT_SLIDE:
    case mjJNT_HINGE:
      distance = std::min(qpos[0] - range[0], range[1] - qpos[0]);
      break;
    case mjJNT_BALL:
      distance = std::max(range[0], range[1]) - Norm(RotationVector(Normalized(LoadQuat(qpos))));
      break;
    default:
      return 0;
  }
  return LimitNearness(distance, m->jnt_margin[id], m->jnt_solimp + mjNIMP * id);
}

}  // namespace

mjvGeom JointShape(const SceneBuilder& s, const SceneTag& tag, int joint, double width, double length, double block,
                   const float* rgba) {
  const int body = s.m->jnt_bodyid[joint];
  const Vec anchor = s.data.xanchor(joint), cube = {block, block, block};
  switch (s.m->jnt_type[joint]) {
    case mjJNT_FREE:
      return s.Shape(tag, mjGEOM_BOX, cube, anchor, s.data.xmat(body), rgba);
    case mjJNT_BALL:
      return s.Shape(tag, mjGEOM_SPHERE, cube, anchor, s.data.xmat(body), rgba);
    default: {
      const int type = s.m->jnt_type[joint] == mjJNT_SLIDE ? mjGEOM_ARROW : mjGEOM_ARROW1;
      return s.Connector(tag, type, width, anchor, anchor + s.data.xaxis(joint) * length, rgba);
    }
  }
}

void AddJoints(SceneBuilder& s) {
  if (!s.Shows(mjVIS_JOINT)) return;
  const mjModel* m = s.m;
  const double length = s.Scaled(m->vis.scale.jointlength), width = s.Scaled(m->vis.scale.jointwidth);
  for (int id = 0; id < m->njnt; ++id) {
    if (!ShowsGroup(s.option.jointgroup, m->jnt_group[id])) continue;
    float rgba[4];
    MixColors(m->vis.rgba.joint, m->vis.rgba.constraint, JointLimitNearness(s, id), rgba);
    rgba[3] = 1;
    mjvGeom geom = JointShape(s, Decor(id, mjOBJ_JOINT), id, width, length, kBlockShare * length, rgba);
    if (s.Labels(mjLABEL_JOINT)) s.Name(&geom, mjOBJ_JOINT, id);
    s.Push(geom);
  }
}

// A line leads from the centre of mass of a body over its joints to that of its parent.
void AddConnections(SceneBuilder& s) {
  if (!s.Shows(mjVIS_AUTOCONNECT)) return;
  const mjModel* m = s.m;
  const double width = s.Scaled(m->vis.scale.connect);
  for (int body = 1; body < m->nbody; ++body) {
    const int parent = m->body_parentid[body];
    if (parent == 0) continue;
    Vec from = s.data.xipos(body);
    for (int i = m->body_jntnum[body] - 1; i >= 0; --i) {
      const Vec anchor = s.data.xanchor(m->body_jntadr[body] + i);
      s.PushConnector(Decor(body), mjGEOM_CAPSULE, width, from, anchor, m->vis.rgba.connect);
      from = anchor;
    }
    s.PushConnector(Decor(body), mjGEOM_CAPSULE, width, from, s.data.xipos(parent), m->vis.rgba.connect);
  }
}

}  // namespace sinew::inline scene
