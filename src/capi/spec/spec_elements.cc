// Elements of specifications: making them, the kinds of actuators, initial values, and casts from an element to the
// struct of its type. A function for each type is what the interface has; all of a kind go through one template.
#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/spec/spec_handles.h"
#include "spec/actuator_kinds.h"
#include "spec/spec.h"

using sinew::As;
using sinew::Default;
using sinew::capi::Guard;
using sinew::capi::Of;
using sinew::capi::Text;

namespace {

// No class: null.
const Default* Class(const mjsDefault* def) { return def ? &Of<Default>(def) : nullptr; }

// A class that is given replaces the one of the body, from which an element starts otherwise.
template <class T>
typename T::PublicStruct* AddToBody(const char* function, mjsBody* body, const mjsDefault* def) {
  return Guard(function, [=]() -> typename T::PublicStruct* { return &Of<sinew::Body>(body).Add<T>(Class(def)); });
}

// Elements that no body owns start from a class too, where their kind has defaults.
template <class T>
typename T::PublicStruct* AddToSpec(const char* function, mjSpec* s, const mjsDefault* def = nullptr) {
  return Guard(function, [=]() -> typename T::PublicStruct* { return &Of(s).Add<T>(Class(def)); });
}

// Appends an object to a tendon's path.
mjsWrap* AddWrap(const char* function, mjsTendon* tendon, mjtWrap type, const char* target, const char* sidesite,
                 double value) {
  return Guard(function, [=]() -> mjsWrap* {
    sinew::Wrap& wrap = Of<sinew::Tendon>(tendon).AddWrap(type);
    wrap.target = Text(target);
    wrap.sidesite = sidesite ? sidesite : "";
    wrap.value = value;
    return &wrap;
  });
}

}  // namespace

// ---- into bodies

// Elements belong to the body that they are added to, and stay at their address until the specification is released.
mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def) {
  SINEW_CHECK(mjs_addBody);
  return AddToBody<sinew::Body>("mjs_addBody", body, def);
}
mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def) {
  SINEW_CHECK(mjs_addJoint);
  return AddToBody<sinew::Joint>("mjs_addJoint", body, def);
}
mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def) {
  SINEW_CHECK(mjs_addGeom);
  return AddToBody<sinew::Geom>("mjs_addGeom", body, def);
}
mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def) {
  SINEW_CHECK(mjs_addSite);
  return AddToBody<sinew::Site>("mjs_addSite", body, def);
}
mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def) {
  SINEW_CHECK(mjs_addCamera);
  return AddToBody<sinew::Camera>("mjs_addCamera", body, def);
}
mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def) {
  SINEW_CHECK(mjs_addLight);
  return AddToBody<sinew::Light>("mjs_addLight", body, def);
}
// A free joint stands alone in its body, which is a child of the world; the compiler checks that.
mjsJoint* mjs_addFreeJoint(mjsBody* body) {
  SINEW_CHECK(mjs_addFreeJoint);
  return Guard("mjs_addFreeJoint", [=]() -> mjsJoint* {
    sinew::Joint& joint = Of<sinew::Body>(body).Add<sinew::Joint>();
    joint.CopyValues(sinew::Joint());  // classes do not apply to free joints
    joint.type = mjJNT_FREE;
    return &joint;
  });
}
// Frames may stand in frames of the same body.
mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe) {
  SINEW_CHECK(mjs_addFrame);
  return Guard("mjs_addFrame", [=]() -> mjsFrame* {
    sinew::Frame* outer = parentframe ? &Of<sinew::Frame>(parentframe) : nullptr;
    return &Of<sinew::Body>(body).Add<sinew::Frame>(nullptr, outer);
  });
}

// ---- into the specification

// Elements that refer to others hold their names as text, which the compiler resolves.
mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def) {
  SINEW_CHECK(mjs_addActuator);
  return AddToSpec<sinew::Actuator>("mjs_addActuator", s, def);
}
mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def) {
  SINEW_CHECK(mjs_addPair);
  return AddToSpec<sinew::Pair>("mjs_addPair", s, def);
}
mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def) {
  SINEW_CHECK(mjs_addEquality);
  return AddToSpec<sinew::Equality>("mjs_addEquality", s, def);
}
mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def) {
  SINEW_CHECK(mjs_addTendon);
  return AddToSpec<sinew::Tendon>("mjs_addTendon", s, def);
}
mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def) {
  SINEW_CHECK(mjs_addMesh);
  return AddToSpec<sinew::Mesh>("mjs_addMesh", s, def);
}
mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def) {
  SINEW_CHECK(mjs_addMaterial);
  return AddToSpec<sinew::Material>("mjs_addMaterial", s, def);
}
mjsSensor* mjs_addSensor(mjSpec* s) {
  SINEW_CHECK(mjs_addSensor);
  return AddToSpec<sinew::Sensor>("mjs_addSensor", s);
}
mjsFlex* mjs_addFlex(mjSpec* s) {
  SINEW_CHECK(mjs_addFlex);
  return AddToSpec<sinew::Flex>("mjs_addFlex", s);
}
mjsExclude* mjs_addExclude(mjSpec* s) {
  SINEW_CHECK(mjs_addExclude);
  return AddToSpec<sinew::Exclude>("mjs_addExclude", s);
}
mjsNumeric* mjs_addNumeric(mjSpec* s) {
  SINEW_CHECK(mjs_addNumeric);
  return AddToSpec<sinew::Numeric>("mjs_addNumeric", s);
}
mjsText* mjs_addText(mjSpec* s) {
  SINEW_CHECK(mjs_addText);
  return AddToSpec<sinew::Text>("mjs_addText", s);
}
mjsTuple* mjs_addTuple(mjSpec* s) {
  SINEW_CHECK(mjs_addTuple);
  return AddToSpec<sinew::Tuple>("mjs_addTuple", s);
}
mjsKey* mjs_addKey(mjSpec* s) {
  SINEW_CHECK(mjs_addKey);
  return AddToSpec<sinew::Key>("mjs_addKey", s);
}
mjsPlugin* mjs_addPlugin(mjSpec* s) {
  SINEW_CHECK(mjs_addPlugin);
  return AddToSpec<sinew::Plugin>("mjs_addPlugin", s);
}
mjsHField* mjs_addHField(mjSpec* s) {
  SINEW_CHECK(mjs_addHField);
  return AddToSpec<sinew::HField>("mjs_addHField", s);
}
mjsSkin* mjs_addSkin(mjSpec* s) {
  SINEW_CHECK(mjs_addSkin);
  return AddToSpec<sinew::Skin>("mjs_addSkin", s);
}
mjsTexture* mjs_addTexture(mjSpec* s) {
  SINEW_CHECK(mjs_addTexture);
  return AddToSpec<sinew::Texture>("mjs_addTexture", s);
}
// Returns null for a name that is taken. A class without a parent stands in the main one.
mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent) {
  SINEW_CHECK(mjs_addDefault);
  return Guard("mjs_addDefault", [=]() -> mjsDefault* {
    Default& main = Of(s).main_class();
    if (main.Find(Text(classname))) return nullptr;
    Default* above = parent ? &Of<Default>(parent) : &main;
    return above->AddChild(classname);
  });
}

// ---- paths of tendons

// A path is either sites, geoms and pulleys, or joints; the compiler checks which.

mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name) {
  SINEW_CHECK(mjs_wrapSite);
  return AddWrap("mjs_wrapSite", tendon, mjWRAP_SITE, name, "", 0);
}
// Whether the geom is a sphere or a cylinder is seen at compilation.
mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite) {
  SINEW_CHECK(mjs_wrapGeom);
  return AddWrap("mjs_wrapGeom", tendon, mjWRAP_SPHERE, name, sidesite, 0);
}
mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef) {
  SINEW_CHECK(mjs_wrapJoint);
  return AddWrap("mjs_wrapJoint", tendon, mjWRAP_JOINT, name, "", coef);
}
mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor) {
  SINEW_CHECK(mjs_wrapPulley);
  return AddWrap("mjs_wrapPulley", tendon, mjWRAP_PULLEY, "", "", divisor);
}

// ---- kinds of actuators

// These set gain, bias and dynamics of a general actuator; they return a text when parameters contradict each other.
// Null pointers and -1 leave numbers as they are.

const char* mjs_setToMotor(mjsActuator* actuator) {
  SINEW_CHECK(mjs_setToMotor);
  return sinew::SetToMotor(actuator);
}
const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1], double timeconst[1],
                              double inheritrange) {
  SINEW_CHECK(mjs_setToPosition);
  return sinew::SetToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
}
const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                 double timeconst[1], double inheritrange) {
  SINEW_CHECK(mjs_setToIntVelocity);
  return sinew::SetToIntVelocity(actuator, kp, kv, dampratio, timeconst, inheritrange);
}
const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  SINEW_CHECK(mjs_setToVelocity);
  return sinew::SetToVelocity(actuator, kv);
}
const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  SINEW_CHECK(mjs_setToDamper);
  return sinew::SetToDamper(actuator, kv);
}
const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area, double diameter) {
  SINEW_CHECK(mjs_setToCylinder);
  return sinew::SetToCylinder(actuator, timeconst, bias, area, diameter);
}
const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth, double range[2], double force,
                            double scale, double lmin, double lmax, double vmax, double fpmax, double fvmax) {
  SINEW_CHECK(mjs_setToMuscle);
  return sinew::SetToMuscle(actuator, timeconst, tausmooth, range, force, scale, lmin, lmax, vmax, fpmax, fvmax);
}
const char* mjs_setToAdhesion(mjsActuator* actuator, double gain) {
  SINEW_CHECK(mjs_setToAdhesion);
  return sinew::SetToAdhesion(actuator, gain);
}
const char* mjs_setToDCMotor(mjsActuator* actuator, double motorconst[2], double resistance, double nominal[3],
                             double saturation[3], double inductance[2], double cogging[3], double controller[6],
                             double thermal[6], double lugre[5], int input_mode) {
  SINEW_CHECK(mjs_setToDCMotor);
  return sinew::SetToDCMotor(actuator, motorconst, resistance, nominal, saturation, inductance, cogging, controller,
                             thermal, lugre, input_mode);
}

// ---- initial values

// Initial values are those that documents promise for what is not given.

void mjs_defaultSpec(mjSpec* spec) {
  SINEW_CHECK(mjs_defaultSpec);
  sinew::SetDefaults(spec);
}
void mjs_defaultOrientation(mjsOrientation* orient) {
  SINEW_CHECK(mjs_defaultOrientation);
  sinew::SetDefaults(orient);
}
void mjs_defaultBody(mjsBody* body) {
  SINEW_CHECK(mjs_defaultBody);
  sinew::SetDefaults(body);
}
void mjs_defaultFrame(mjsFrame* frame) {
  SINEW_CHECK(mjs_defaultFrame);
  sinew::SetDefaults(frame);
}
void mjs_defaultJoint(mjsJoint* joint) {
  SINEW_CHECK(mjs_defaultJoint);
  sinew::SetDefaults(joint);
}
void mjs_defaultGeom(mjsGeom* geom) {
  SINEW_CHECK(mjs_defaultGeom);
  sinew::SetDefaults(geom);
}
void mjs_defaultSite(mjsSite* site) {
  SINEW_CHECK(mjs_defaultSite);
  sinew::SetDefaults(site);
}
void mjs_defaultCamera(mjsCamera* camera) {
  SINEW_CHECK(mjs_defaultCamera);
  sinew::SetDefaults(camera);
}
void mjs_defaultLight(mjsLight* light) {
  SINEW_CHECK(mjs_defaultLight);
  sinew::SetDefaults(light);
}
void mjs_defaultFlex(mjsFlex* flex) {
  SINEW_CHECK(mjs_defaultFlex);
  sinew::SetDefaults(flex);
}
void mjs_defaultMesh(mjsMesh* mesh) {
  SINEW_CHECK(mjs_defaultMesh);
  sinew::SetDefaults(mesh);
}
void mjs_defaultHField(mjsHField* hfield) {
  SINEW_CHECK(mjs_defaultHField);
  sinew::SetDefaults(hfield);
}
void mjs_defaultSkin(mjsSkin* skin) {
  SINEW_CHECK(mjs_defaultSkin);
  sinew::SetDefaults(skin);
}
void mjs_defaultTexture(mjsTexture* texture) {
  SINEW_CHECK(mjs_defaultTexture);
  sinew::SetDefaults(texture);
}
void mjs_defaultMaterial(mjsMaterial* material) {
  SINEW_CHECK(mjs_defaultMaterial);
  sinew::SetDefaults(material);
}
void mjs_defaultPair(mjsPair* pair) {
  SINEW_CHECK(mjs_defaultPair);
  sinew::SetDefaults(pair);
}
void mjs_defaultEquality(mjsEquality* equality) {
  SINEW_CHECK(mjs_defaultEquality);
  sinew::SetDefaults(equality);
}
void mjs_defaultTendon(mjsTendon* tendon) {
  SINEW_CHECK(mjs_defaultTendon);
  sinew::SetDefaults(tendon);
}
void mjs_defaultActuator(mjsActuator* actuator) {
  SINEW_CHECK(mjs_defaultActuator);
  sinew::SetDefaults(actuator);
}
void mjs_defaultSensor(mjsSensor* sensor) {
  SINEW_CHECK(mjs_defaultSensor);
  sinew::SetDefaults(sensor);
}
void mjs_defaultNumeric(mjsNumeric* numeric) {
  SINEW_CHECK(mjs_defaultNumeric);
  sinew::SetDefaults(numeric);
}
void mjs_defaultText(mjsText* text) {
  SINEW_CHECK(mjs_defaultText);
  sinew::SetDefaults(text);
}
void mjs_defaultTuple(mjsTuple* tuple) {
  SINEW_CHECK(mjs_defaultTuple);
  sinew::SetDefaults(tuple);
}
void mjs_defaultKey(mjsKey* key) {
  SINEW_CHECK(mjs_defaultKey);
  sinew::SetDefaults(key);
}
void mjs_defaultPlugin(mjsPlugin* plugin) {
  SINEW_CHECK(mjs_defaultPlugin);
  sinew::SetDefaults(plugin);
}

// ---- types

// The result is null for an element of another type, so that programs can test the type.

mjsBody* mjs_asBody(mjsElement* element) { return As<sinew::Body>(element); }
mjsGeom* mjs_asGeom(mjsElement* element) { return As<sinew::Geom>(element); }
mjsJoint* mjs_asJoint(mjsElement* element) { return As<sinew::Joint>(element); }
mjsSite* mjs_asSite(mjsElement* element) { return As<sinew::Site>(element); }
mjsCamera* mjs_asCamera(mjsElement* element) { return As<sinew::Camera>(element); }
mjsLight* mjs_asLight(mjsElement* element) { return As<sinew::Light>(element); }
mjsFrame* mjs_asFrame(mjsElement* element) { return As<sinew::Frame>(element); }
mjsActuator* mjs_asActuator(mjsElement* element) { return As<sinew::Actuator>(element); }
mjsSensor* mjs_asSensor(mjsElement* element) { return As<sinew::Sensor>(element); }
mjsFlex* mjs_asFlex(mjsElement* element) { return As<sinew::Flex>(element); }
mjsPair* mjs_asPair(mjsElement* element) { return As<sinew::Pair>(element); }
mjsEquality* mjs_asEquality(mjsElement* element) { return As<sinew::Equality>(element); }
mjsExclude* mjs_asExclude(mjsElement* element) { return As<sinew::Exclude>(element); }
mjsTendon* mjs_asTendon(mjsElement* element) { return As<sinew::Tendon>(element); }
mjsNumeric* mjs_asNumeric(mjsElement* element) { return As<sinew::Numeric>(element); }
mjsText* mjs_asText(mjsElement* element) { return As<sinew::Text>(element); }
mjsTuple* mjs_asTuple(mjsElement* element) { return As<sinew::Tuple>(element); }
mjsKey* mjs_asKey(mjsElement* element) { return As<sinew::Key>(element); }
mjsMesh* mjs_asMesh(mjsElement* element) { return As<sinew::Mesh>(element); }
mjsHField* mjs_asHField(mjsElement* element) { return As<sinew::HField>(element); }
mjsSkin* mjs_asSkin(mjsElement* element) { return As<sinew::Skin>(element); }
mjsTexture* mjs_asTexture(mjsElement* element) { return As<sinew::Texture>(element); }
mjsMaterial* mjs_asMaterial(mjsElement* element) { return As<sinew::Material>(element); }
mjsPlugin* mjs_asPlugin(mjsElement* element) { return As<sinew::Plugin>(element); }
