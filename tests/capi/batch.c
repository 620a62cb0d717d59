/* The functions of <mujoco/mjbatch.h> as a C program sees them, and those of <sinew/batch.h>. */
#include <math.h>
#include <mujoco/mjbatch.h>
#include <mujoco/mujoco.h>
#include <sinew/batch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/capi/check.h"

enum { kSims = 5, kSteps = 40 };

static void Centre(const mjModel* m, mjData* d, int sim, void* arg) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mju_copy((mjtNum*)arg + 3 * sim, d->subtree_com, 3);
}

static mjModel* Load(void) {
  static const char text[] =
      "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body name='pole' pos='0 0 .5'><joint name='hinge' axis='0 "
      "1 0'/>"
      "<geom type='capsule' fromto='0 0 0 0 0 .4' size='.05'/><body pos='0 0 .4'><freejoint name='no'/></body></body>"
      "</worldbody></mujoco>";
  static const char right[] =
      "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body name='pole' pos='0 0 .5'><joint name='hinge' axis='0 "
      "1 0'/>"
      "<geom type='capsule' fromto='0 0 0 0 0 .4' size='.05'/></body><body pos='1 0 .3'><freejoint/><geom "
      "name='ball' size='.1'/></body>"
      "</worldbody><actuator><motor joint='hinge'/></actuator><sensor><jointpos joint='hinge'/></sensor>"
      "<keyframe><key qpos='.2 1 0 .3 1 0 0 0'/></keyframe></mujoco>";
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "wrong.xml", text, sizeof(text) - 1);
  mj_addBufferVFS(&vfs, "m.xml", right, sizeof(right) - 1);
  CHECK(!mj_loadXML("wrong.xml", &vfs, error, sizeof(error)));
  mjModel* m = mj_loadXML("m.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  CHECK(m);
  return m;
}

static void CheckEstablished(const mjModel* m) {
  char error[500];
  mjBatchConfig config;
  mjb_defaultConfig(&config);
  CHECK(!mjb_makeBatch(m, 0, NULL, error, sizeof(error)) && strstr(error, "0 worlds"));
  for (config.persistent = 0; config.persistent < 2; ++config.persistent) {
    config.nthread = 2;
    mjBatch* b = mjb_makeBatch(m, kSims, &config, error, sizeof(error));
    CHECK(b && mjb_nsim(b) == kSims && mjb_nthread(b) == 2 && mjb_persistent(b) == config.persistent);
    const int nstate = mjb_nstate(b);
    CHECK(nstate == mj_stateSize(m, mjSTATE_INTEGRATION) && mjb_model(b)->nq == m->nq);
    int size = 0, bytes = 0;
    mjtNum* ctrl = mjb_stateComponent(b, mjSTATE_CTRL, &size);
    CHECK(size == m->nu && ctrl > mjb_state(b));
    mjtNum* sensors = mjb_output(b, "sensordata", &size, &bytes);
    CHECK(sensors && size == 1 && bytes == sizeof(mjtNum) && sensors == mjb_output(b, "sensordata", NULL, NULL));
    CHECK(!mjb_output(b, "qpos", NULL, NULL) && !mjb_output(b, "nothing", NULL, NULL));

    CHECK(mjb_reset(b, NULL, 0, NULL, mjSTAGE_ACC) == 0);
    mjData* d = mj_makeData(m);
    for (int step = 0; step < kSteps; ++step) {
      for (int i = 0; i < kSims; ++i) ctrl[i * nstate] = 0.1 * i;
      CHECK(mjb_step(b, NULL, 0, 1, mjSTAGE_VEL) == 0);
      d->ctrl[0] = 0.1 * 3;
      mj_step(m, d);
    }
    mj_step1(m, d);
    CHECK(sensors[3] == d->sensordata[0]);
    mjtNum state[200];
    mj_getState(m, d, state, mjSTATE_INTEGRATION);
    CHECK(memcmp(state, mjb_state(b) + 3 * nstate, (size_t)nstate * sizeof(mjtNum)) == 0);
    CHECK(mjb_warning(b)[0].number == 0 && mjb_status(b)[3] == 0 && mjb_error(b, 3)[0] == 0);

    const int ids[] = {1, 4}, key[] = {0, -1}, bad[] = {4, 1};
    CHECK(mjb_reset(b, ids, 2, key, mjSTAGE_POS) == 0 && sensors[1] == 0.2 && sensors[4] == 0);
    RAISES(mjb_step(b, bad, 2, 1, 0), "ids[1]");
    RAISES(mjb_forward(b, NULL, 0, 77), "stage is 77");
    RAISES(mjb_stateComponent(b, 3, NULL), "component");
    RAISES(mjb_error(b, kSims), "sim");

    mjtNum com[3 * kSims];
    CHECK(mjb_apply(b, NULL, 0, Centre, com, 0) == 0 && com[2] != 0);
    mjData* copy = mj_makeData(m);
    mjb_getData(b, 3, copy);
    CHECK(copy->time == d->time);

    mjtNum record[kSims * kSteps], controls[kSims * kSteps] = {0};
    const mjBatchRecord records[] = {{"sensordata", 0, record}};
    CHECK(mjb_rollout(b, NULL, 0, kSteps, controls, mjSTATE_CTRL, records, 1) == 0);
    RAISES(mjb_rollout(b, NULL, 0, kSteps, controls, mjSTATE_QPOS, records, 1), "control_spec");

    mjtNum* mass = mjb_expand(b, "body_mass", &size, &bytes);
    CHECK(mass && size == m->nbody && !mjb_expanded(b, "geom_friction", &size, NULL) && size == 3 * m->ngeom);
    CHECK(!mjb_expand(b, "mesh_vert", NULL, NULL) && mjb_expand(b, "opt.gravity", &size, NULL) && size == 3);
    mass[2 * m->nbody + 1] = 9;
    CHECK(mjb_setConst(b, NULL, 0) == 0 && mjb_expanded(b, "dof_M0", NULL, NULL));
    mjModel* own = mj_copyModel(NULL, m);
    mjb_getModel(b, 2, own);
    CHECK(own->body_mass[1] == 9 && own->dof_M0[0] != m->dof_M0[0]);
    const mjModel* models[kSims] = {m, m, own, m, m};
    RAISES(mjb_setModels(b, models), "body_mass");
    mjb_deleteBatch(b);

    b = mjb_makeBatch(m, kSims, &config, error, sizeof(error));
    mjb_setModels(b, models);
    RAISES(mjb_expand(b, "body_mass", NULL, NULL), "models");
    CHECK(mjb_step(b, NULL, 0, kSteps, 0) == 0);
    mjb_setModels(b, NULL);
    mjb_deleteBatch(b);
    mj_deleteModel(own);
    mj_deleteData(copy);
    mj_deleteData(d);
  }
  mjb_deleteBatch(NULL);
}

static void CheckOwn(const mjModel* m) {
  char error[500] = "";
  sinewBatchConfig config = {.threads = 1, .precision = sinewFLOAT};
  sinewBatchArray array;
  sinewBatch* b = sinew_batch_make(m, 3, NULL, error, sizeof(error));
  CHECK(b && sinew_batch_count(b) == 3 && sinew_batch_threads(b) >= 1 && sinew_batch_model(b)->nv == m->nv);
  CHECK(sinew_batch_make(NULL, 3, NULL, error, sizeof(error)) == NULL && strstr(error, "m is NULL"));
  {
    sinewBatch* single = sinew_batch_make(m, 3, &config, error, sizeof(error));
    CHECK(single && sinew_batch_step(single, NULL, 2, mjSTAGE_NONE, error, sizeof(error)) == 0);
    CHECK(sinew_batch_state(single, "time", &array, error, sizeof(error)) == 0);
    CHECK(((double*)array.data)[2] == m->opt.timestep + m->opt.timestep);
    sinew_batch_delete(single);
  }
  config.precision = 7;
  CHECK(!sinew_batch_make(m, 3, &config, error, sizeof(error)) && strstr(error, "precision"));
  CHECK(sinew_batch_state(b, "ctrl", &array, error, sizeof(error)) == 0 && array.size == m->nu && array.type == 'd');
  double* ctrl = array.data;
  CHECK(array.stride == m->nu * (int)sizeof(double));
  ctrl[1] = NAN;
  CHECK(sinew_batch_output(b, "qacc", &array, error, sizeof(error)) == 0 && array.size == m->nv);
  CHECK(sinew_batch_output(b, "qac", &array, error, sizeof(error)) == -1 && strstr(error, "did you mean 'qacc'"));
  CHECK(sinew_batch_step(b, NULL, 2, mjSTAGE_NONE, error, sizeof(error)) == 0);
  CHECK(sinew_batch_status(b)[0] == sinewRUNNING && sinew_batch_status(b)[1] == sinewBADCONTROL);
  CHECK(sinew_batch_cause(b, 1, error, sizeof(error)) == 0 && strstr(error, "actuator 0"));
  const unsigned char mask[] = {0, 1, 0};
  const int keys[] = {5, 0, 5};
  CHECK(sinew_batch_reset(b, mask, keys, mjSTAGE_NONE, error, sizeof(error)) == 0);
  CHECK(sinew_batch_reset(b, NULL, keys, mjSTAGE_NONE, error, sizeof(error)) == -1 && strstr(error, "key[0] is 5"));
  const mjModel* own = NULL;
  const mjData* d = sinew_batch_world(b, 1, &own, error, sizeof(error));
  CHECK(d && own && d->qpos[0] == 0.2 && d->time == 0);
  CHECK(!sinew_batch_world(b, 9, NULL, error, sizeof(error)) && strstr(error, "no world 9"));

  double A[3 * 14 * 14], expected[14 * 14];
  CHECK(m->nv == 7 && sinew_batch_transitionFD(b, NULL, 1e-6, 1, A, NULL, NULL, NULL, error, sizeof(error)) == 0);
  mjData* single = mj_makeData(m);
  mj_resetDataKeyframe(m, single, 0);
  mjd_transitionFD(m, single, 1e-6, 1, expected, NULL, NULL, NULL);
  CHECK(memcmp(A + 14 * 14, expected, sizeof(expected)) == 0);
  mj_deleteData(single);

  const double low = -0.1, high = 0.1;
  CHECK(sinew_batch_seed(b, 3, error, sizeof(error)) == 0);
  CHECK(sinew_batch_randomize(b, "qpos", &low, &high, 1, sinewUNIFORM, sinewADD, error, sizeof(error)) == 0);
  CHECK(sinew_batch_randomize(b, "qpos", &high, &low, 1, sinewUNIFORM, sinewADD, error, sizeof(error)) == -1);
  CHECK(strstr(error, "low[0]"));
  CHECK(sinew_batch_reset(b, NULL, NULL, mjSTAGE_POS, error, sizeof(error)) == 0);
  CHECK(sinew_batch_stepAsync(b, NULL, 3, mjSTAGE_NONE, error, sizeof(error)) == 0);
  CHECK(sinew_batch_wait(b, error, sizeof(error)) == 0 && sinew_batch_wait(b, error, sizeof(error)) == -1);

  sinewRenderer* renderer = sinew_makeRenderer(m, 16, 8, 1, error, sizeof(error));
  mjvOption option;
  mjvCamera camera;
  mjv_defaultOption(&option);
  mjv_defaultFreeCamera(m, &camera);
  unsigned char rgb[3 * 3 * 16 * 8] = {0};
  CHECK(sinew_batch_render(b, renderer, NULL, &option, &camera, rgb, NULL, NULL, error, sizeof(error)) == 0);
  CHECK(memcmp(rgb, rgb + 3 * 16 * 8, 3 * 16 * 8) != 0);
  sinew_freeRenderer(renderer);
  sinew_batch_delete(b);
}

/* Contacts of all worlds, rays and Jacobians: what they refuse, and what a ball on a plane has. */
static void CheckSeen(const mjModel* m) {
  char error[500];
  sinewBatch* b = sinew_batch_make(m, kSims, NULL, error, sizeof(error));
  CHECK(b && sinew_batch_contacts(b, NULL, 0, NULL, error, sizeof(error)) == -1 && strstr(error, "not kept"));
  CHECK(sinew_batch_keepContacts(b, 1, error, sizeof(error)) == 0);
  CHECK(sinew_batch_step(b, NULL, 2000, mjSTAGE_NONE, error, sizeof(error)) == 0);
  const int most = sinew_batch_contacts(b, NULL, 0, NULL, error, sizeof(error));
  CHECK(most >= 1 && most <= 8);
  int count[kSims], geom[kSims][8][2];
  double force[kSims][8][6];
  sinewBatchContacts contacts = {0};
  contacts.count = count;
  contacts.geom = &geom[0][0][0];
  contacts.force = &force[0][0][0];
  CHECK(sinew_batch_contacts(b, NULL, -1, &contacts, error, sizeof(error)) == -1 && strstr(error, "capacity"));
  CHECK(sinew_batch_contacts(b, NULL, 8, NULL, error, sizeof(error)) == -1 && strstr(error, "contacts"));
  CHECK(sinew_batch_contacts(b, NULL, 8, &contacts, error, sizeof(error)) == most);
  const int ball = mj_name2id(m, mjOBJ_GEOM, "ball");
  double weight = 0;
  for (int i = 0; i < count[4]; ++i) weight += geom[4][i][1] == ball ? force[4][i][0] : 0;
  CHECK(fabs(weight - 9.81 * m->body_mass[m->geom_bodyid[ball]]) < 1e-3); /* it rolls a little yet */

  const double point[3 * kSims] = {0}, down[3 * kSims] = {0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1};
  double dist[kSims];
  sinewBatchRays rays = {1, point, down, mjOBJ_GEOM, ball, 1, NULL, 0, m->geom_bodyid[ball], dist, NULL};
  CHECK(sinew_batch_rays(b, NULL, &rays, error, sizeof(error)) == 0 && fabs(dist[2] - 0.1) < 1e-3);
  rays.id = 1000;
  CHECK(sinew_batch_rays(b, NULL, &rays, error, sizeof(error)) == -1 && strstr(error, "1000"));
  rays.objtype = mjOBJ_UNKNOWN;
  rays.direction = point;
  CHECK(sinew_batch_rays(b, NULL, &rays, error, sizeof(error)) == -1 && strstr(error, "no length"));
  CHECK(sinew_batch_jacobian(b, NULL, mjOBJ_TENDON, 0, dist, NULL, error, sizeof(error)) == -1 &&
        strstr(error, "objtype"));
  sinew_batch_delete(b);
}

int main(void) {
  mjModel* m = Load();
  CheckEstablished(m);
  CheckOwn(m);
  CheckSeen(m);
  mj_deleteModel(m);
  printf("passed\n");
  return 0;
}
