// A small consistent model for tests that need no compiler: world, a hinged body with a geom, a mocap body.
#ifndef SINEW_TESTS_UNIT_MODEL_SMALL_MODEL_H_
#define SINEW_TESTS_UNIT_MODEL_SMALL_MODEL_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "model/files/validate.h"
#include "model/kinds/names.h"
#include "model/storage/defaults.h"
#include "model/storage/model.h"

namespace sinew {

inline mjModel SmallSizes() {
  mjModel sizes = {};
  sizes.nq = sizes.nv = sizes.njnt = sizes.ntree = 1;
  sizes.nM = sizes.nC = sizes.nD = 1;
  sizes.nB = 2;
  sizes.nbody = 3;
  sizes.ngeom = sizes.nu = sizes.na = sizes.nJmom = sizes.nkey = sizes.nmocap = sizes.nsensor = sizes.nsensordata = 1;
  sizes.neq = 2;
  sizes.nuserdata = 3;
  sizes.nuser_body = 2;
  sizes.nhistory = 2 + 3 + 3;
  sizes.njmax = sizes.nconmax = -1;
  sizes.narena = 100000;
  sizes.nnames = 32;
  sizes.nnames_map = NamesMapSize(sizes);
  return sizes;
}

// Writes names one behind the other and their addresses; objects that are not listed have the empty name at 0.
inline void SetSmallNames(mjModel* m) {
  char* next = m->names + 1;
  const auto add = [&](int* address, const char* name) {
    *address = static_cast<int>(next - m->names);
    next = std::strcpy(next, name) + std::strlen(name) + 1;
  };
  add(&m->name_bodyadr[0], "world");
  add(&m->name_bodyadr[1], "a");
  add(&m->name_bodyadr[2], "b");
  add(&m->name_jntadr[0], "hinge");
  BuildNamesMap(m);
}

inline ModelPtr MakeSmallModel() {
  ModelPtr m(MakeModel(SmallSizes()));
  DefaultOption(&m->opt);
  DefaultVisual(&m->vis);
  m->qpos0[0] = m->qpos_spring[0] = 0.25;
  const auto set = [](int* values, std::initializer_list<int> list) { std::copy(list.begin(), list.end(), values); };
  set(m->body_rootid, {0, 1, 2});
  set(m->body_weldid, {0, 1, 0});
  set(m->body_mocapid, {-1, -1, 0});
  set(m->body_treeid, {-1, 0, -1});
  set(m->body_jntadr, {-1, 0, -1});
  set(m->body_jntnum, {0, 1, 0});
  set(m->body_dofadr, {-1, 0, -1});
  set(m->body_dofnum, {0, 1, 0});
  set(m->body_geomadr, {-1, 0, -1});
  set(m->body_geomnum, {0, 1, 0});
  set(m->body_plugin, {-1, -1, -1});
  set(m->body_bvhadr, {-1, -1, -1});
  const double pose[] = {1, 2, 3, 0, 1, 0, 0};
  std::copy_n(pose, 3, m->body_pos + 6);
  std::copy_n(pose + 3, 4, m->body_quat + 8);
  m->body_mass[1] = 2;
  m->body_inertia[3] = 0.5;
  m->jnt_type[0] = mjJNT_HINGE;
  m->jnt_bodyid[0] = m->dof_bodyid[0] = m->geom_bodyid[0] = m->tree_bodyadr[0] = 1;
  m->jnt_actuatorid[0] = m->dof_parentid[0] = m->geom_dataid[0] = m->geom_matid[0] = m->geom_plugin[0] = -1;
  m->tree_bodynum[0] = m->tree_dofnum[0] = 1;
  m->geom_type[0] = mjGEOM_SPHERE;
  m->geom_condim[0] = 3;
  m->eq_type[0] = m->eq_type[1] = mjEQ_JOINT;
  m->eq_obj2id[0] = m->eq_obj2id[1] = -1;
  m->eq_active0[1] = 1;
  m->actuator_dyntype[0] = mjDYN_INTEGRATOR;
  m->actuator_actnum[0] = 1;
  m->actuator_trnid[1] = m->actuator_plugin[0] = -1;
  m->actuator_history[0] = 3;
  m->sensor_type[0] = mjSENS_JOINTPOS;
  m->sensor_objtype[0] = mjOBJ_JOINT;
  m->sensor_refid[0] = m->sensor_historyadr[0] = m->sensor_plugin[0] = -1;
  m->sensor_dim[0] = 1;
  m->M_rownnz[0] = m->D_rownnz[0] = 1;
  set(m->B_rownnz, {1, 1, 0});
  set(m->B_rowadr, {0, 1, 2});
  m->key_time[0] = 7;
  m->key_qpos[0] = 1;
  m->key_qvel[0] = 2;
  m->key_act[0] = 3;
  m->key_ctrl[0] = 4;
  std::copy_n(pose, 3, m->key_mpos);
  m->key_mquat[0] = 1;
  SetSmallNames(m.get());
  return m;
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_MODEL_SMALL_MODEL_H_
