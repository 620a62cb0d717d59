#include "constraint/equality_pose.h"

#include "model/data_view.h"

namespace sinew {
namespace {

using Data = DataView<double>;

Vec3<double> BodyPoint(const Data& d, int body, const double* local) {
  return d.xpos(body) + d.xmat(body) * LoadVec3(local);
}

bool BetweenSites(const mjModel* m, int id) { return m->eq_objtype[id] == mjOBJ_SITE; }

// Bodies and points of an equality between sites.
EqualityPose SitePoints(const mjModel* m, const mjData* d, int id) {
  EqualityPose pose = {};
  const int site[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
  for (int i = 0; i < 2; ++i) {
    pose.body[i] = m->site_bodyid[site[i]];
    pose.point[i] = LoadVec3(d->site_xpos + 3 * site[i]);
    pose.quat[i] = IdentityQuat<double>();
  }
  return pose;
}

}  // namespace

std::array<int, 2> EqualityBodies(const mjModel* m, int id) {
  const int object[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
  if (!BetweenSites(m, id)) return {object[0], object[1]};
  return {m->site_bodyid[object[0]], m->site_bodyid[object[1]]};
}

EqualityPose ConnectPose(const mjModel* m, const mjData* d, int id) {
  if (BetweenSites(m, id)) return SitePoints(m, d, id);
  const Data data(const_cast<mjData*>(d));
  const double* parameters = m->eq_data + mjNEQDATA * id;
  EqualityPose pose = {};
  pose.body[0] = m->eq_obj1id[id];
  pose.body[1] = m->eq_obj2id[id];
  for (int i = 0; i < 2; ++i) {
    pose.point[i] = BodyPoint(data, pose.body[i], parameters + 3 * i);
    pose.quat[i] = IdentityQuat<double>();
  }
  return pose;
}

// Parameters: anchor in body 2, anchor in body 1, relative orientation, torque scale. Sites carry their own poses.
EqualityPose WeldPose(const mjModel* m, const mjData* d, int id) {
  const Data data(const_cast<mjData*>(d));
  const double* parameters = m->eq_data + mjNEQDATA * id;
  EqualityPose pose;
  if (BetweenSites(m, id)) {
    pose = SitePoints(m, d, id);
    const int site[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
    for (int i = 0; i < 2; ++i) pose.quat[i] = data.xquat(pose.body[i]) * LoadQuat(m->site_quat + 4 * site[i]);
  } else {
    const int body1 = m->eq_obj1id[id], body2 = m->eq_obj2id[id];
    pose.body[0] = body1;
    pose.body[1] = body2;
    pose.point[0] = BodyPoint(data, body1, parameters + 3);
    pose.point[1] = BodyPoint(data, body2, parameters);
    pose.quat[0] = data.xquat(body1) * LoadQuat(parameters + 6);
    pose.quat[1] = data.xquat(body2);
  }
  pose.torquescale = parameters[10];
  return pose;
}

}  // namespace sinew
