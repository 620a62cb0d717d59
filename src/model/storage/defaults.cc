// Initial values of mjOption, mjVisual and mjLROpt, as MuJoCo 3.8.0 documents them. Units are SI; angles of cameras are
// in degrees; sizes under `scale` and distances under `map` are relative to the model's mean size and extent.
#include "model/storage/defaults.h"

#include <algorithm>
#include <initializer_list>

namespace sinew::inline model {
namespace {

template <class T, int n>
void Set(T (&array)[n], std::initializer_list<double> values) {
  std::transform(values.begin(), values.end(), array, [](double value) { return static_cast<T>(value); });
}

// A camera that looks from above at an angle of 45 degrees, in a window of 640 by 480 pixels.
void DefaultCameraAndQuality(mjVisual* visual) {
  auto& global = visual->global;
  global.cameraid = -1;
  global.fovy = 45;
  global.ipd = 0.068f;
  global.azimuth = 90;
  global.elevation = -45;
  global.linewidth = 1;
  global.glow = 0.3f;
  global.realtime = 1;
  global.offwidth = 640;
  global.offheight = 480;
  global.bvactive = 1;

  auto& quality = visual->quality;
  quality.shadowsize = 4096;
  quality.offsamples = 4;
  quality.numslices = 28;
  quality.numstacks = 16;
  quality.numquads = 4;

  auto& headlight = visual->headlight;
  Set(headlight.ambient, {0.1, 0.1, 0.1});
  Set(headlight.diffuse, {0.4, 0.4, 0.4});
  Set(headlight.specular, {0.5, 0.5, 0.5});
  headlight.active = 1;
}

// The planes of the view and the fog are at distances in units of stat.extent, so that they suit models of any size.
void DefaultMapAndScale(mjVisual* visual) {
  auto& map = visual->map;
  map.stiffness = 100;
  map.stiffnessrot = 500;
  map.force = 0.005f;
  map.torque = 0.1f;
  map.alpha = 0.3f;
  map.fogstart = 3;
  map.fogend = 10;
  map.znear = 0.01f;
  map.zfar = 50;
  map.haze = 0.3f;
  map.shadowclip = 1;
  map.shadowscale = 0.6f;
  map.actuatortendon = 2;

  auto& scale = visual->scale;
  scale.forcewidth = scale.jointwidth = scale.framewidth = scale.contactheight = scale.constraint = 0.1f;
  scale.contactwidth = scale.camera = scale.light = 0.3f;
  scale.connect = scale.selectpoint = scale.actuatorwidth = scale.slidercrank = 0.2f;
  scale.com = 0.4f;
  scale.jointlength = scale.framelength = 1;
  scale.actuatorlength = 0.7f;
  scale.frustum = 10;
}

// All colours are red, green, blue, opacity in [0, 1].
void DefaultColours(mjVisual* visual) {
  auto& rgba = visual->rgba;
  Set(rgba.fog, {0, 0, 0, 1});
  Set(rgba.haze, {1, 1, 1, 1});
  Set(rgba.force, {1, 0.5, 0.5, 1});
  Set(rgba.inertia, {0.8, 0.2, 0.2, 0.6});
  Set(rgba.joint, {0.2, 0.6, 0.8, 1});
  Set(rgba.actuator, {0.2, 0.25, 0.2, 1});
  Set(rgba.actuatornegative, {0.2, 0.6, 0.9, 1});
  Set(rgba.actuatorpositive, {0.9, 0.4, 0.2, 1});
  Set(rgba.com, {0.9, 0.9, 0.9, 1});
  Set(rgba.camera, {0.6, 0.9, 0.6, 1});
  Set(rgba.light, {0.6, 0.6, 0.9, 1});
  Set(rgba.selectpoint, {0.9, 0.9, 0.1, 1});
  Set(rgba.connect, {0.2, 0.2, 0.8, 1});
  Set(rgba.contactpoint, {0.9, 0.6, 0.2, 1});
  Set(rgba.contactforce, {0.7, 0.9, 0.9, 1});
  Set(rgba.contactfriction, {0.9, 0.8, 0.4, 1});
  Set(rgba.contacttorque, {0.9, 0.7, 0.9, 1});
  Set(rgba.contactgap, {0.5, 0.8, 0.9, 1});
  Set(rgba.rangefinder, {1, 1, 0.1, 1});
  Set(rgba.constraint, {0.9, 0, 0, 1});
  Set(rgba.slidercrank, {0.5, 0.3, 0.8, 1});
  Set(rgba.crankbroken, {0.9, 0, 0, 1});
  Set(rgba.frustum, {1, 1, 0, 0.2});
  Set(rgba.bv, {0, 1, 0, 0.5});
  Set(rgba.bvactive, {1, 0, 0, 0.5});
}

}  // namespace

// Gravity is in m/s^2 along -z. The time step, in seconds, suits stiff contacts of robots of human size.
void DefaultOption(mjOption* option) {
  *option = {};
  option->timestep = 0.002;
  option->impratio = 1;
  option->tolerance = 1e-8;
  option->ls_tolerance = 0.01;
  option->noslip_tolerance = option->ccd_tolerance = 1e-6;
  option->sleep_tolerance = 1e-4;
  option->gravity[2] = -9.81;
  option->magnetic[1] = -0.5;
  DefaultSolRefImp(option->o_solref, option->o_solimp);
  Set(option->o_friction, {1, 1, 0.005, 0.0001, 0.0001});
  option->jacobian = mjJAC_AUTO;
  option->solver = mjSOL_NEWTON;
  option->iterations = 100;
  option->ls_iterations = 50;
  option->ccd_iterations = 35;
  option->sdf_initpoints = 40;
  option->sdf_iterations = 10;
}

void DefaultVisual(mjVisual* visual) {
  *visual = {};
  DefaultCameraAndQuality(visual);
  DefaultMapAndScale(visual);
  DefaultColours(visual);
}

// Length ranges of muscles are found by pulling at each actuator in both directions
// (compile/constants/length_range.cc). `accel` is the norm of the acceleration of all dofs that the pull causes; times
// are in seconds.
void DefaultLROpt(mjLROpt* option) {
  *option = {};
  option->mode = mjLRMODE_MUSCLE;
  option->useexisting = 1;
  option->accel = 20;
  option->timeconst = 1;
  option->timestep = 0.01;
  option->inttotal = 10;
  option->interval = 2;
  option->tolrange = 0.05;
}

// Critically damped contacts with a time constant of 20 ms, which is ten default steps; the impedance goes from 0.9 to
// 0.95 within a millimetre of penetration (docs/how/constraint.md).
void DefaultSolRefImp(mjtNum* solref, mjtNum* solimp) {
  constexpr mjtNum kSolRef[mjNREF] = {0.02, 1};
  constexpr mjtNum kSolImp[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2};
  if (solref) std::copy_n(kSolRef, mjNREF, solref);
  if (solimp) std::copy_n(kSolImp, mjNIMP, solimp);
}

}  // namespace sinew::inline model
