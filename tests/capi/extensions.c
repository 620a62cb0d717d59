/* Steps of bounded error and muscles with tendons, as a C program sees them. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <sinew/dense_output.h>
#include <sinew/elements_beyond.h>
#include <sinew/extensions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/capi/check.h"

static mjModel* Load(const char* text) {
  char error[500] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.xml", text, (int)strlen(text));
  mjModel* m = mj_loadXML("m.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) printf("%s\n", error);
  CHECK(m);
  return m;
}

static const sinewErrorControl* ControlOf(const mjModel* m, const mjData* d) {
  return (const sinewErrorControl*)(d->history + m->nhistory - sizeof(sinewErrorControl) / sizeof(mjtNum));
}

/* x'' = -x from x = 1: a mass of 1 kg on a spring of 1 N/m. */
static void DenseOutput(void) {
  mjModel* m = Load(
      "<mujoco><option timestep='1' integrator='merson' accuracy='1e-9' gravity='0 0 0'/><worldbody><body>"
      "<joint type='slide' stiffness='1'/><geom size='.1' mass='1'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  enum { kTimes = 5 };
  const double times[kTimes] = {0, 0.1, 0.5, 0.9, 1};
  double states[2 * kTimes];
  d->qpos[0] = 1;
  sinew_stepDense(m, d, times, kTimes, states);
  CHECK(fabs(d->time - 1) < 1e-15);
  for (int i = 0; i < kTimes; ++i) {
    /* the polynomials of order 4 between steps of about 50 ms */
    CHECK(fabs(states[2 * i] - cos(times[i])) < 1e-7);
    CHECK(fabs(states[2 * i + 1] + sin(times[i])) < 1e-7);
  }
  const sinewErrorControl* control = ControlOf(m, d);
  CHECK(control->accepted > 5 && control->forced == 0 && control->step > 0 && control->step <= 1);
  const double accepted = control->accepted;
  mjData* copy = mj_copyData(NULL, m, d);
  CHECK(ControlOf(m, copy)->accepted == accepted);
  mj_step(m, d);
  CHECK(control->accepted > accepted);
  mj_resetData(m, d);
  CHECK(control->accepted == 0);

  RAISES(sinew_stepDense(NULL, d, times, kTimes, states), "sinew_stepDense");
  RAISES(sinew_stepDense(m, NULL, times, kTimes, states), "sinew_stepDense");
  RAISES(sinew_stepDense(m, d, NULL, kTimes, states), "sinew_stepDense");
  RAISES(sinew_stepDense(m, d, times, -1, states), "sinew_stepDense");
  const double backwards[2] = {0.5, 0.1};
  RAISES(sinew_stepDense(m, d, backwards, 2, states), "time 1");
  CHECK(d->time == 0);
  sinew_stepDense(m, d, NULL, 0, NULL); /* a step without times */
  CHECK(fabs(d->time - 1) < 1e-15);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}

/* The state is fibre length and activation; a length of zero stands for rest. */
static void Muscle(void) {
  mjModel* m = Load(
      "<mujoco><option timestep='.002' integrator='implicitfast' gravity='0 0 0'/><worldbody><site name='a'/>"
      "<body pos='0 0 .3'><joint type='slide' axis='0 0 1' armature='1e12'/><geom size='.1' mass='1'/><site name='b'/>"
      "</body></worldbody><tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon><actuator>"
      "<musculotendon name='soleus' tendon='t' force='5137' fiberlength='0.050288844245806' "
      "slacklength='0.25144422122903' pennation='25'/></actuator><keyframe><key ctrl='1' act='.9 "
      ".5'/></keyframe></mujoco>");
  mjData* d = mj_makeData(m);
  CHECK(m->na == 2 && m->actuator_actnum[0] == 2 && m->actuator_gaintype[0] >= sinewFIRST_EXTENSION);
  mj_forward(m, d);
  CHECK(fabs(d->act[0] - 1.041582) < 6e-7); /* docs/how/musculotendon.md */
  d->ctrl[0] = 1;
  for (int i = 0; i < 500; ++i) mj_step(m, d);
  mj_forward(m, d);
  CHECK(fabs(d->act[0] - 0.864931) < 1e-5 && fabs(d->actuator_force[0] + 4153.486) < 0.1);
  mj_resetDataKeyframe(m, d, 0);
  CHECK(d->act[0] == 0.9 && d->act[1] == 0.5 && d->ctrl[0] == 1);
  d->act[0] = 0;
  mj_forward(m, d);
  CHECK(fabs(d->act[0] - 0.926869) < 6e-7);
  mj_deleteData(d);
  mj_deleteModel(m);
}

/* The soleus of above with sensors, and a compliant contact, without a line of XML. */
static void Elements(void) {
  mjSpec* s = mj_makeSpec();
  s->option.timestep = 0.002;
  s->option.gravity[2] = 0;
  mjsBody* world = mjs_findBody(s, "world");
  mjs_setName(mjs_addSite(world, NULL)->element, "a");
  mjsBody* body = mjs_addBody(world, NULL);
  body->pos[2] = 0.3;
  mjsJoint* slide = mjs_addJoint(body, NULL);
  slide->type = mjJNT_SLIDE;
  slide->armature = 1e12;
  mjsGeom* ball = mjs_addGeom(body, NULL);
  ball->size[0] = 0.1;
  double* law = sinew_geomContactLaw(ball);
  CHECK(law && isnan(law[1]));
  law[0] = 1; /* Hertz */
  law[1] = 1e6;
  mjs_setName(mjs_addSite(body, NULL)->element, "b");
  mjsTendon* path = mjs_addTendon(s, NULL);
  mjs_setName(path->element, "t");
  mjs_wrapSite(path, "a");
  mjs_wrapSite(path, "b");
  mjsActuator* soleus = mjs_addActuator(s, NULL);
  mjs_setName(soleus->element, "soleus");
  soleus->trntype = mjTRN_TENDON;
  mjs_setString(soleus->target, "t");
  CHECK(strlen(sinew_setMuscleCurve(soleus, sinewCURVE_TENDON, NULL, 0)) > 0); /* no muscle yet */
  CHECK(sinew_setToMusculotendon(soleus)[0] == 0);
  soleus->gainprm[sinewMUSCLE_FORCE] = 5137;
  soleus->gainprm[sinewMUSCLE_FIBERLENGTH] = 0.050288844245806;
  soleus->gainprm[sinewMUSCLE_SLACKLENGTH] = 0.25144422122903;
  soleus->gainprm[sinewMUSCLE_PENNATION] = 25;
  mjsSensor* strain = mjs_addSensor(s);
  CHECK(sinew_setToMuscleSensor(strain, sinewSENS_TENDONSTRAIN, "soleus")[0] == 0);
  CHECK(strlen(sinew_setToMuscleSensor(strain, mjSENS_TOUCH, "soleus")) > 0);

  mjModel* m = mj_compile(s, NULL);
  if (!m) printf("%s\n", mjs_getError(s));
  CHECK(m);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  CHECK(m->na == 2 && m->nnumeric == 1);
  CHECK(fabs(d->act[0] - 1.041582) < 6e-7 && fabs(d->sensordata[0] - 0.002709) < 6e-7);
  mj_deleteData(d);
  mj_deleteModel(m);

  /* a rigid tendon, and a curve of its own */
  soleus->gainprm[sinewMUSCLE_RIGIDTENDON] = 1;
  const double curve[4] = {0.04, 0, 0.66, 0.5};
  CHECK(sinew_setMuscleCurve(soleus, sinewCURVE_TENDON, curve, 4)[0] == 0);
  CHECK(strlen(sinew_setMuscleCurve(soleus, 4, curve, 4)) > 0);
  m = mj_compile(s, NULL);
  CHECK(m && m->na == 1 && m->nnumeric == 2);
  mj_deleteModel(m);
  mjs_setToMotor(soleus);
  mjs_delete(s, strain->element);
  m = mj_compile(s, NULL);
  CHECK(m && m->na == 0 && m->actuator_gaintype[0] == mjGAIN_FIXED);
  mj_deleteModel(m);

  mjsActuator loose;
  mjs_defaultActuator(&loose);
  RAISES(sinew_setToMusculotendon(&loose), "sinew_setToMusculotendon");
  RAISES(sinew_setToMusculotendon(NULL), "sinew_setToMusculotendon");
  CHECK(!sinew_geomContactLaw(NULL) && !sinew_pairContactLaw(NULL));
  mj_deleteSpec(s);
}

int main(void) {
  DenseOutput();
  Muscle();
  Elements();
  return 0;
}
