// Calls every function of specifications from C, with right and wrong arguments. spec_functions_test.py checks that
// none is missing.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

// ---- initial values

static void TestDefaults(void) {
  mjSpec spec;
  mjsOrientation orientation;
  mjsBody body;
  mjsFrame frame;
  mjsJoint joint;
  mjsGeom geom;
  mjsSite site;
  mjsCamera camera;
  mjsLight light;
  mjsFlex flex;
  mjsMesh mesh;
  mjsHField hfield;
  mjsSkin skin;
  mjsTexture texture;
  mjsMaterial material;
  mjsPair pair;
  mjsEquality equality;
  mjsTendon tendon;
  mjsActuator actuator;
  mjsSensor sensor;
  mjsNumeric numeric;
  mjsText text;
  mjsTuple tuple;
  mjsKey key;
  mjsPlugin plugin;
  mjs_defaultSpec(&spec);
  CHECK(spec.option.timestep == 0.002);
  mjs_defaultOrientation(&orientation);
  CHECK(orientation.type == mjORIENTATION_QUAT);
  mjs_defaultBody(&body);
  CHECK(body.quat[0] == 1);
  mjs_defaultFrame(&frame);
  CHECK(frame.quat[0] == 1);
  mjs_defaultJoint(&joint);
  CHECK(joint.type == mjJNT_HINGE && joint.axis[2] == 1);
  mjs_defaultGeom(&geom);
  CHECK(geom.density == 1000);
  mjs_defaultSite(&site);
  CHECK(site.size[0] == 0.005);
  mjs_defaultCamera(&camera);
  CHECK(camera.fovy == 45);
  mjs_defaultLight(&light);
  CHECK(light.dir[2] == -1);
  mjs_defaultFlex(&flex);
  CHECK(flex.dim == 2);
  mjs_defaultMesh(&mesh);
  CHECK(mesh.scale[0] == 1 && mesh.maxhullvert == -1);
  mjs_defaultHField(&hfield);
  CHECK(hfield.nrow == 0);
  mjs_defaultSkin(&skin);
  CHECK(skin.inflate == 0);
  mjs_defaultTexture(&texture);
  CHECK(texture.nchannel == 3);
  mjs_defaultMaterial(&material);
  CHECK(material.metallic == -1);
  mjs_defaultPair(&pair);
  CHECK(pair.condim == 3);
  mjs_defaultEquality(&equality);
  CHECK(equality.active == 1);
  mjs_defaultTendon(&tendon);
  CHECK(tendon.springlength[0] == -1);
  mjs_defaultActuator(&actuator);
  CHECK(actuator.gear[0] == 1);
  mjs_defaultSensor(&sensor);
  CHECK(sensor.type == mjSENS_TOUCH);
  mjs_defaultNumeric(&numeric);
  CHECK(numeric.size == 0);
  mjs_defaultText(&text);
  CHECK(text.data == NULL && text.info == NULL);
  mjs_defaultTuple(&tuple);
  CHECK(tuple.objtype == NULL && tuple.objname == NULL && tuple.objprm == NULL);
  mjs_defaultKey(&key);
  CHECK(key.time == 0);
  mjs_defaultPlugin(&plugin);
  CHECK(!plugin.active);
}

// ---- elements of every kind, and what they are taken for

static void TestTree(mjSpec* s) {
  mjsBody* world = mjs_findBody(s, "world");
  mjsBody* body = mjs_addBody(world, NULL);
  CHECK(mjs_setName(body->element, "body") == 0);
  mjsJoint* joint = mjs_addJoint(body, NULL);
  mjs_setName(joint->element, "joint");
  mjsGeom* geom = mjs_addGeom(body, NULL);
  mjs_setName(geom->element, "geom");
  geom->size[0] = 0.1;
  mjsSite* site = mjs_addSite(body, NULL);
  mjs_setName(site->element, "site");
  mjsCamera* camera = mjs_addCamera(body, NULL);
  mjsLight* light = mjs_addLight(body, NULL);
  mjsFrame* frame = mjs_addFrame(body, NULL);
  mjs_setName(frame->element, "frame");
  mjsBody* floating = mjs_addBody(world, NULL);
  CHECK(mjs_addFreeJoint(floating)->type == mjJNT_FREE);
  mjs_addGeom(floating, NULL)->size[0] = 0.1;

  CHECK(mjs_asBody(body->element) == body && mjs_asGeom(geom->element) == geom);
  CHECK(mjs_asJoint(joint->element) == joint && mjs_asSite(site->element) == site);
  CHECK(mjs_asCamera(camera->element) == camera && mjs_asLight(light->element) == light);
  CHECK(mjs_asFrame(frame->element) == frame);
  CHECK(mjs_asBody(geom->element) == NULL && mjs_asGeom(NULL) == NULL);

  CHECK(mjs_findElement(s, mjOBJ_GEOM, "geom") == geom->element);
  CHECK(mjs_findElement(s, mjOBJ_GEOM, "none") == NULL);
  CHECK(mjs_findChild(world, "body") == body && mjs_findFrame(s, "frame") == frame);
  CHECK(mjs_getParent(geom->element) == body && mjs_getFrame(geom->element) == NULL);
  CHECK(mjs_setFrame(geom->element, frame) == 0 && mjs_getFrame(geom->element) == frame);
  CHECK(mjs_setFrame(frame->element, frame) == -1);
  CHECK(mjs_setFrame(floating->element, frame) == -1);
  CHECK(mjs_getSpec(geom->element) == s && mjs_getCompiler(geom->element) == &s->compiler);
  CHECK(strcmp(mjs_getString(mjs_getName(geom->element)), "geom") == 0);
  CHECK(mjs_setName(floating->element, "body") == -1);
  CHECK(mjs_setName(floating->element, "floating") == 0);

  CHECK(mjs_firstChild(world, mjOBJ_BODY, 0) == body->element);
  CHECK(mjs_nextChild(world, body->element, 0) == floating->element);
  CHECK(mjs_nextChild(world, floating->element, 1) == NULL);
  CHECK(mjs_firstElement(s, mjOBJ_GEOM) == geom->element);
  CHECK(mjs_nextElement(s, geom->element) != NULL);
  CHECK(mjs_getId(geom->element) == -1 && mjs_getId(NULL) == -1);
}

static void TestLists(mjSpec* s) {
  CHECK(mjs_asFlex(mjs_addFlex(s)->element) != NULL);
  CHECK(mjs_delete(s, mjs_firstElement(s, mjOBJ_FLEX)) == 0);
  mjsPair* pair = mjs_addPair(s, NULL);
  CHECK(mjs_asPair(pair->element) == pair && mjs_delete(s, pair->element) == 0);
  mjsExclude* exclude = mjs_addExclude(s);
  mjs_setString(exclude->bodyname1, "body");
  mjs_setString(exclude->bodyname2, "floating");
  CHECK(mjs_asExclude(exclude->element) == exclude);
  mjsEquality* equality = mjs_addEquality(s, NULL);
  equality->type = mjEQ_JOINT;
  mjs_setString(equality->name1, "joint");
  CHECK(mjs_asEquality(equality->element) == equality);
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->type = mjSENS_GYRO;
  sensor->objtype = mjOBJ_SITE;
  mjs_setString(sensor->objname, "site");
  CHECK(mjs_asSensor(sensor->element) == sensor && mjs_sensorDim(sensor) == 3);
  sensor->type = mjSENS_RANGEFINDER;
  CHECK(mjs_sensorDim(sensor) == 0 && strlen(mjs_getError(s)) > 0 && !mjs_isWarning(s));
  sensor->type = mjSENS_GYRO;

  const double numbers[2] = {1, 2};
  int size = 0;
  mjsNumeric* numeric = mjs_addNumeric(s);
  mjs_setName(numeric->element, "numeric");
  mjs_setDouble(numeric->data, numbers, 2);
  CHECK(mjs_getDouble(numeric->data, &size)[1] == 2 && size == 2);
  CHECK(mjs_asNumeric(numeric->element) == numeric);
  mjsText* text = mjs_addText(s);
  mjs_setName(text->element, "text");
  mjs_setString(text->data, "something");
  CHECK(mjs_asText(text->element) == text);
  const int body_type = mjOBJ_BODY;
  mjsTuple* tuple = mjs_addTuple(s);
  mjs_setName(tuple->element, "tuple");
  mjs_setInt(tuple->objtype, &body_type, 1);
  mjs_appendString(tuple->objname, "no body");
  CHECK(mjs_setInStringVec(tuple->objname, 0, "body") == 1 && mjs_setInStringVec(tuple->objname, 1, "x") == 0);
  mjs_setDouble(tuple->objprm, numbers, 1);
  CHECK(mjs_asTuple(tuple->element) == tuple);
  mjsKey* key = mjs_addKey(s);
  CHECK(mjs_asKey(key->element) == key);
  mjsPlugin* plugin = mjs_addPlugin(s);
  CHECK(mjs_asPlugin(plugin->element) == plugin && mjs_getPluginAttributes(plugin) != NULL);
  RAISES(mjs_setPluginAttributes(plugin, NULL), "mjs_setPluginAttributes");
  CHECK(mjs_delete(s, plugin->element) == 0);
  CHECK(mjs_activatePlugin(s, "no such plugin") == -1);
}

static void TestAssets(mjSpec* s) {
  double subdivisions[1] = {1};
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  mjs_setName(mesh->element, "mesh");
  CHECK(mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, subdivisions, 1) == 0);
  CHECK(mjs_asMesh(mesh->element) == mesh);
  const float elevation[4] = {0, 1, 0, 1};
  mjsHField* hfield = mjs_addHField(s);
  mjs_setName(hfield->element, "hfield");
  hfield->nrow = hfield->ncol = 2;
  hfield->size[0] = hfield->size[1] = hfield->size[2] = hfield->size[3] = 1;
  mjs_setFloat(hfield->userdata, elevation, 4);
  CHECK(mjs_asHField(hfield->element) == hfield);
  mjsSkin* skin = mjs_addSkin(s);
  const int vertex = 0;
  const float weight = 1;
  mjs_appendIntVec(skin->vertid, &vertex, 1);
  mjs_appendFloatVec(skin->vertweight, &weight, 1);
  CHECK(mjs_asSkin(skin->element) == skin && mjs_delete(s, skin->element) == 0);
  mjsTexture* texture = mjs_addTexture(s);
  mjs_setName(texture->element, "texture");
  texture->type = mjTEXTURE_2D;
  texture->width = texture->height = 1;
  mjs_setBuffer(texture->data, "rgb", 3);
  CHECK(mjs_asTexture(texture->element) == texture);
  mjsMaterial* material = mjs_addMaterial(s, NULL);
  mjs_setName(material->element, "material");
  mjs_setStringVec(material->textures, "  texture ");
  mjs_appendString(material->textures, "");
  CHECK(mjs_asMaterial(material->element) == material);
  CHECK(mjs_delete(s, material->element) == 0 && mjs_delete(s, texture->element) == 0);
}

// ---- tendons, actuators

static void TestTendons(mjSpec* s) {
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_setName(tendon->element, "tendon");
  CHECK(mjs_asTendon(tendon->element) == tendon && mjs_getWrapNum(tendon) == 0);
  CHECK(mjs_getWrapCoef(mjs_wrapJoint(tendon, "joint", 3)) == 3);
  CHECK(mjs_getWrapNum(tendon) == 1 && mjs_getWrap(tendon, 0)->type == mjWRAP_JOINT);
  CHECK(mjs_getWrapTarget(mjs_getWrap(tendon, 0)) == mjs_findElement(s, mjOBJ_JOINT, "joint"));
  RAISES(mjs_getWrap(tendon, 1), "mjs_getWrap");
  RAISES(mjs_getWrap(tendon, -1), "mjs_getWrap");

  mjsTendon* path = mjs_addTendon(s, NULL);
  CHECK(mjs_wrapSite(path, "site")->type == mjWRAP_SITE);
  CHECK(mjs_getWrapDivisor(mjs_wrapPulley(path, 2)) == 2);
  mjsWrap* around = mjs_wrapGeom(path, "geom", "site");
  CHECK(mjs_getWrapSideSite(around) != NULL && mjs_getWrapTarget(around) != NULL);
  CHECK(mjs_getWrapSideSite(mjs_getWrap(path, 0)) == NULL);
  CHECK(mjs_delete(s, around->element) == -1);
  CHECK(mjs_delete(s, path->element) == 0);
}

static void TestActuators(mjSpec* s) {
  mjsActuator* actuator = mjs_addActuator(s, NULL);
  mjs_setString(actuator->target, "joint");
  actuator->trntype = mjTRN_JOINT;
  CHECK(mjs_asActuator(actuator->element) == actuator);
  double one = 1, minus = -1, two[2] = {1, 2}, muscle[2] = {0.01, 0.04};
  CHECK(strlen(mjs_setToPosition(actuator, 2, &one, NULL, NULL, 0)) == 0 && actuator->biasprm[2] == -1);
  CHECK(strlen(mjs_setToPosition(actuator, 2, &one, &one, NULL, 0)) > 0);
  CHECK(strlen(mjs_setToPosition(actuator, 2, &minus, NULL, NULL, 0)) > 0);
  CHECK(strlen(mjs_setToIntVelocity(actuator, 2, NULL, NULL, NULL, 0)) == 0);
  CHECK(actuator->dyntype == mjDYN_INTEGRATOR && actuator->gainprm[0] == 2 && actuator->biasprm[1] == -2);
  CHECK(strlen(mjs_setToVelocity(actuator, 3)) == 0);
  CHECK(actuator->biastype == mjBIAS_AFFINE && actuator->gainprm[0] == 3 && actuator->biasprm[2] == -3);
  CHECK(strlen(mjs_setToDamper(actuator, -2)) > 0);
  CHECK(strlen(mjs_setToDamper(actuator, 2)) == 0);
  CHECK(actuator->gaintype == mjGAIN_AFFINE && actuator->gainprm[2] == -2);
  CHECK(strlen(mjs_setToCylinder(actuator, 4, 0, 5, -1)) == 0);
  CHECK(actuator->dyntype == mjDYN_FILTER && actuator->dynprm[0] == 4 && actuator->gainprm[0] == 5);
  CHECK(strlen(mjs_setToMuscle(actuator, muscle, 0, two, 1, 1, .5, 1.6, 1, 1, 1)) == 0);
  CHECK(actuator->dyntype == mjDYN_MUSCLE && actuator->dynprm[1] == 0.04 && actuator->gainprm[1] == 2);
  CHECK(strlen(mjs_setToAdhesion(actuator, 6)) == 0);
  CHECK(actuator->gaintype == mjGAIN_FIXED && actuator->gainprm[0] == 6);
  CHECK(strlen(mjs_setToDCMotor(actuator, two, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0)) == 0);
  CHECK(actuator->dyntype == mjDYN_DCMOTOR);
  CHECK(mjs_delete(s, actuator->element) == 0);
  actuator = mjs_addActuator(s, NULL);
  mjs_setString(actuator->target, "joint");
  actuator->trntype = mjTRN_JOINT;
  CHECK(strlen(mjs_setToMotor(actuator)) == 0 && actuator->gainprm[0] == 1);
}

// ---- classes, values of programs, orientations

static int cleaned = 0;
static void Clean(const void* data) { cleaned += *(const int*)data; }

static void TestValues(mjSpec* s) {
  mjsDefault* heavy = mjs_addDefault(s, "heavy", NULL);
  CHECK(mjs_findDefault(s, "heavy") == heavy && mjs_addDefault(s, "heavy", heavy) == NULL);
  CHECK(mjs_findDefault(s, "none") == NULL && mjs_getSpecDefault(s) == mjs_findDefault(s, "main"));
  mjsElement* geom = mjs_findElement(s, mjOBJ_GEOM, "geom");
  mjs_setDefault(geom, heavy);
  CHECK(mjs_getDefault(geom) == heavy);
  CHECK(mjs_delete(s, heavy->element) == 0 && mjs_getDefault(geom) == mjs_getSpecDefault(s));
  CHECK(mjs_delete(s, mjs_getSpecDefault(s)->element) == -1);

  static const int five = 5;
  mjs_setUserValue(geom, "key", &five);
  CHECK(mjs_getUserValue(geom, "key") == &five && mjs_getUserValue(geom, "other") == NULL);
  mjs_setUserValueWithCleanup(geom, "key", &five, Clean);
  mjs_deleteUserValue(geom, "key");
  CHECK(cleaned == 5);

  mjsOrientation orientation;
  mjs_defaultOrientation(&orientation);
  double quat[4] = {1, 0, 0, 0};
  orientation.type = mjORIENTATION_EULER;
  orientation.euler[2] = 90;
  CHECK(mjs_resolveOrientation(quat, 1, "xyz", &orientation) == NULL && fabs(quat[3] - sqrt(.5)) < 1e-15);
  CHECK(mjs_resolveOrientation(quat, 1, "xyw", &orientation) != NULL);
  CHECK(mjs_resolveOrientation(quat, 1, "xy", &orientation) != NULL);
  orientation.type = mjORIENTATION_ZAXIS;
  CHECK(mjs_resolveOrientation(quat, 1, "xyz", &orientation) != NULL);
}

// ---- edits of whole parts

// What was set is in the model.
static void TestModel(const mjModel* m) {
  CHECK(m->nbody == 3 && m->njnt == 2 && m->nsite == 1 && m->ncam == 1 && m->nlight == 1);
  CHECK(m->nu == 1 && m->neq == 1 && m->ntendon == 1 && m->nexclude == 1 && m->nsensor == 1 && m->nkey == 1);
  CHECK(m->nmesh == 1 && m->mesh_vertnum[0] > 4);
  CHECK(m->nhfield == 1 && m->hfield_data[1] == 1);
  CHECK(m->numeric_size[0] == 2 && m->numeric_data[1] == 2);
  CHECK(strcmp(m->text_data, "something") == 0);
  CHECK(m->tuple_objtype[0] == mjOBJ_BODY && m->tuple_objid[0] == 1 && m->tuple_objprm[0] == 1);
  CHECK(m->wrap_type[0] == mjWRAP_JOINT && m->wrap_prm[0] == 3);
  CHECK(m->actuator_trntype[0] == mjTRN_JOINT && m->actuator_gainprm[0] == 1);
}

static void TestEdits(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  CHECK(m != NULL);
  if (!m) printf("%s\n", mjs_getError(s));
  if (m) TestModel(m);
  mjsElement* geom = mjs_findElement(s, mjOBJ_GEOM, "geom");
  CHECK(mjs_getId(geom) == 0);
  mjSpec* copy = mj_copySpec(s);
  mjModel* same = mj_compile(copy, NULL);
  CHECK(same && m && same->ngeom == m->ngeom && same->nsensor == m->nsensor);
  mj_deleteModel(same);

  mjSpec* parent = mj_makeSpec();
  mjs_setDeepCopy(parent, 1);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  mjsElement* attached = mjs_attach(frame->element, mjs_findBody(copy, "body")->element, "a_", NULL);
  CHECK(attached && mjs_asBody(attached) == mjs_findBody(parent, "a_body"));
  CHECK(mjs_attach(frame->element, copy->element, "b_", "") != NULL);
  CHECK(mjs_findSpec(parent, mjs_getString(copy->modelname)) != NULL && mjs_findSpec(parent, "none") == NULL);
  CHECK(mjs_attach(frame->element, frame->element, "c_", "") != NULL);
  CHECK(mjs_attach(attached, mjs_findBody(copy, "body")->element, "d_", "") == NULL);
  CHECK(strlen(mjs_getError(parent)) > 0);

  mjsBody* body = mjs_findBody(parent, "b_body");
  CHECK(mjs_bodyToFrame(&body) == NULL && body != NULL);
  mjsElement* joint = mjs_findElement(parent, mjOBJ_JOINT, "b_joint");
  CHECK(mjs_delete(parent, joint) == 0 && mjs_delete(parent, joint) == -1);
  CHECK(mjs_bodyToFrame(&body) != NULL && body == NULL);
  CHECK(mjs_delete(copy, attached) == -1);
  CHECK(mjs_delete(parent, attached) == 0);
  RAISES(mjs_setName(attached, "late"), "was deleted");
  RAISES(mjs_addGeom((mjsBody*)mjs_getParent(attached), NULL), "was deleted");
  mj_deleteSpec(parent);
  mj_deleteSpec(copy);

  mjData* d = mj_makeData(m);
  d->qpos[0] = .5;
  mjs_addGeom(mjs_findBody(s, "world"), NULL)->size[0] = 1;
  CHECK(mj_recompile(s, NULL, m, d) == 0 && d->qpos[0] == .5 && m->ngeom == 3);
  CHECK(mj_recompile(s, NULL, NULL, d) == -1);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void TestNullHandles(mjSpec* s) {
  RAISES(mjs_addBody(NULL, NULL), "null");
  RAISES(mjs_addSensor(NULL), "null");
  RAISES(mjs_getName(NULL), "null");
  RAISES(mjs_findBody(s, NULL), "null");
  RAISES(mjs_attach(NULL, NULL, "", ""), "null");
  RAISES(mjs_bodyToFrame(NULL), "null");
  RAISES(mjs_getError(NULL), "null");
  CHECK(mjs_delete(s, NULL) == -1);
}

int main(void) {
  TestDefaults();
  mjSpec* s = mj_makeSpec();
  TestTree(s);
  TestLists(s);
  TestAssets(s);
  TestTendons(s);
  TestActuators(s);
  TestValues(s);
  TestEdits(s);
  TestNullHandles(s);
  mj_deleteSpec(s);
  printf("all functions of specifications do what they say\n");
  return 0;
}
