// Initial values of the public structs, as MuJoCo 3.8.0 documents them: those of <mujoco/mjspec.h>, in the units of
// MJCF. Lengths are metres, densities kg/m^3, angles degrees until a model says otherwise.
#include "spec/struct_defaults.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "model/storage/defaults.h"

namespace sinew::inline spec {
namespace {

constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

// Assigns the leading elements of an array and keeps the rest.
template <class T, int n>
void Set(T (&array)[n], std::initializer_list<double> values) {
  std::transform(values.begin(), values.end(), array, [](double value) { return static_cast<T>(value); });
}

template <class Struct>
void SetSolver(Struct* s) {
  DefaultSolRefImp(s->solref, s->solimp);
}

// Contact parameters that geoms and flexes have in common.
template <class Struct>
void SetContact(Struct* s) {
  s->contype = s->conaffinity = 1;
  s->condim = 3;
  Set(s->friction, {1, 0.005, 0.0001});
  s->solmix = 1;
  SetSolver(s);
}

template <class Struct>
void SetGrey(Struct* s) {
  Set(s->rgba, {0.5, 0.5, 0.5, 1});
}

// Joints and tendons: limits and dry friction.
template <class Struct>
void SetLimits(Struct* s) {
  s->limited = s->actfrclimited = mjLIMITED_AUTO;
  DefaultSolRefImp(s->solref_limit, s->solimp_limit);
  DefaultSolRefImp(s->solref_friction, s->solimp_friction);
}

}  // namespace

// ---- the model as a whole

static void SetDefaults(mjsCompiler* compiler) {
  compiler->autolimits = 1;
  compiler->settotalmass = -1;
  compiler->degree = 1;
  std::copy_n("xyz", 3, compiler->eulerseq);
  compiler->usethread = 1;
  compiler->inertiafromgeom = mjINERTIAFROMGEOM_AUTO;
  compiler->inertiagrouprange[1] = mjNGROUP - 1;
  DefaultLROpt(&compiler->LRopt);
}

// Sizes of -1 are found by the compiler.
void SetDefaults(mjSpec* spec) {
  *spec = {};
  SetDefaults(&spec->compiler);
  DefaultOption(&spec->option);
  DefaultVisual(&spec->visual);
  mjStatistic& stat = spec->stat;
  stat.meaninertia = stat.meanmass = stat.meansize = stat.extent = stat.center[0] = kNotGiven;
  spec->memory = spec->nstack = -1;
  spec->njmax = spec->nconmax = -1;
  spec->nuser_body = spec->nuser_jnt = spec->nuser_geom = spec->nuser_site = spec->nuser_cam = -1;
  spec->nuser_tendon = spec->nuser_actuator = spec->nuser_sensor = -1;
}

void SetDefaults(mjsOrientation* orientation) { *orientation = {}; }

void SetDefaults(mjsPlugin* plugin) { *plugin = {}; }

// ---- the tree

// Numbers that are not given are NaN: the inertia then follows from the geoms.
void SetDefaults(mjsBody* body) {
  *body = {};
  body->quat[0] = body->iquat[0] = 1;
  body->ipos[0] = body->fullinertia[0] = kNotGiven;
}

void SetDefaults(mjsFrame* frame) {
  *frame = {};
  frame->quat[0] = 1;
}

void SetDefaults(mjsJoint* joint) {
  *joint = {};
  joint->type = mjJNT_HINGE;
  joint->axis[2] = 1;
  joint->align = mjALIGNFREE_AUTO;
  SetLimits(joint);
}

// The density is that of water; friction is sliding, torsional and rolling.
void SetDefaults(mjsGeom* geom) {
  *geom = {};
  geom->type = mjGEOM_SPHERE;
  geom->quat[0] = 1;
  geom->fromto[0] = geom->mass = kNotGiven;
  SetContact(geom);
  geom->density = 1000;
  Set(geom->fluid_coefs, {0.5, 0.25, 1.5, 1, 1});
  SetGrey(geom);
  geom->fitscale = 1;
}

void SetDefaults(mjsSite* site) {
  *site = {};
  site->type = mjGEOM_SPHERE;
  site->quat[0] = 1;
  site->fromto[0] = kNotGiven;
  Set(site->size, {0.005, 0.005, 0.005});
  SetGrey(site);
}

// The field of view is vertical, in degrees; the distance of the eyes is in metres.
void SetDefaults(mjsCamera* camera) {
  *camera = {};
  camera->quat[0] = 1;
  Set(camera->resolution, {1, 1});
  camera->output = mjCAMOUT_RGB;
  camera->fovy = 45;
  camera->ipd = 0.068;
}

// A light points down, and its cutoff is half an angle in degrees.
void SetDefaults(mjsLight* light) {
  *light = {};
  light->dir[2] = -1;
  light->active = light->castshadow = 1;
  light->type = mjLIGHT_SPOT;
  light->bulbradius = 0.02f;
  light->range = 10;
  light->attenuation[0] = 1;
  light->cutoff = 45;
  light->exponent = 10;
  Set(light->diffuse, {0.7, 0.7, 0.7});
  Set(light->specular, {0.3, 0.3, 0.3});
}

// ---- deformables and assets

// The radius is half the thickness of what collides.
void SetDefaults(mjsFlex* flex) {
  *flex = {};
  SetContact(flex);
  flex->dim = 2;
  flex->radius = 0.005;
  flex->selfcollide = mjFLEXSELF_AUTO;
  flex->activelayers = 1;
  SetGrey(flex);
  flex->thickness = -1;
  Set(flex->cellcount, {1, 1, 1});
}

void SetDefaults(mjsMesh* mesh) {
  *mesh = {};
  mesh->refquat[0] = 1;
  Set(mesh->scale, {1, 1, 1});
  mesh->inertia = mjMESH_INERTIA_LEGACY;
  mesh->maxhullvert = -1;
}

void SetDefaults(mjsHField* hfield) { *hfield = {}; }

void SetDefaults(mjsSkin* skin) {
  *skin = {};
  SetGrey(skin);
}

void SetDefaults(mjsTexture* texture) {
  *texture = {};
  texture->type = mjTEXTURE_CUBE;
  Set(texture->rgb1, {0.8, 0.8, 0.8});
  Set(texture->rgb2, {0.5, 0.5, 0.5});
  texture->random = 0.01;
  texture->nchannel = 3;
  Set(texture->gridsize, {1, 1});
  std::fill(std::begin(texture->gridlayout), std::end(texture->gridlayout), '.');
}

void SetDefaults(mjsMaterial* material) {
  *material = {};
  Set(material->texrepeat, {1, 1});
  material->specular = material->shininess = 0.5f;
  material->metallic = material->roughness = -1;
  Set(material->rgba, {1, 1, 1, 1});
}

// ---- contact, constraints, tendons

void SetDefaults(mjsPair* pair) {
  *pair = {};
  pair->condim = 3;
  SetSolver(pair);
  Set(pair->friction, {1, 1, 0.005, 0.0001, 0.0001});
}

void SetDefaults(mjsExclude* exclude) { *exclude = {}; }

void SetDefaults(mjsEquality* equality) {
  *equality = {};
  equality->data[1] = equality->data[10] = 1;  // joint, tendon: linear coefficient; weld: torque scale
  equality->active = 1;
  SetSolver(equality);
}

void SetDefaults(mjsTendon* tendon) {
  *tendon = {};
  Set(tendon->springlength, {-1, -1});
  SetLimits(tendon);
  tendon->actfrclimited = mjLIMITED_FALSE;  // unlike joints, where a range suffices
  tendon->width = 0.003;
  SetGrey(tendon);
}

void SetDefaults(mjsWrap* wrap) { *wrap = {}; }

// ---- actuators, sensors, custom, keys

void SetDefaults(mjsActuator* actuator) {
  *actuator = {};
  actuator->gainprm[0] = actuator->dynprm[0] = actuator->gear[0] = 1;
  actuator->actdim = -1;
  actuator->trntype = mjTRN_UNDEFINED;
  actuator->ctrllimited = actuator->forcelimited = actuator->actlimited = mjLIMITED_AUTO;
}

void SetDefaults(mjsSensor* sensor) {
  *sensor = {};
  sensor->needstage = mjSTAGE_ACC;
}

void SetDefaults(mjsNumeric* numeric) { *numeric = {}; }

void SetDefaults(mjsText* text) { *text = {}; }

void SetDefaults(mjsTuple* tuple) { *tuple = {}; }

void SetDefaults(mjsKey* key) { *key = {}; }

}  // namespace sinew::inline spec
