// Small mechanisms for tests: bodies, joints, sites, fixed and spatial tendons, actuators; compiled to mjModel by hand,
// so that the stages can be tested without readers and compiler. What a stage does not read is left at zero.
#ifndef SINEW_TESTS_SUPPORT_TREE_MODEL_H_
#define SINEW_TESTS_SUPPORT_TREE_MODEL_H_

#include <mujoco/mujoco.h>

#include <random>
#include <vector>

#include "math/quat.h"
#include "math/vec3.h"
#include "model/storage/data.h"
#include "model/storage/model.h"

namespace sinew::testing {

using Vector = Vec3<double>;
using Rotation = Quat<double>;

inline constexpr Rotation kNoRotation = {1, 0, 0, 0};

struct JointSpec {
  int type = mjJNT_HINGE;
  Vector pos = {0, 0, 0}, axis = {0, 0, 1};
  double qpos0 = 0, armature = 0, damping = 0, stiffness = 0;
};

struct BodySpec {
  int parent = 0;
  Vector pos = {0, 0, 0};
  Rotation quat = kNoRotation;
  double mass = 1;
  Vector inertia = {1, 1, 1}, ipos = {0, 0, 0};
  Rotation iquat = kNoRotation;
  std::vector<JointSpec> joints;
};

struct SiteSpec {
  int body = 0;
  Vector pos = {0, 0, 0};
  Rotation quat = kNoRotation;
};

// A step of a tendon's path: mjWRAP_JOINT with a coefficient, mjWRAP_SITE, or mjWRAP_PULLEY with a divisor.
struct PathStep {
  int type, id;
  double parameter;
};

struct TendonSpec {
  std::vector<PathStep> path;
  double armature = 0, stiffness = 0, damping = 0;
};

struct ActuatorSpec {
  int trntype = mjTRN_JOINT, id = 0, second_id = -1;
  std::vector<double> gear = {1, 0, 0, 0, 0, 0};
  double cranklength = 0, armature = 0, gain = 1;
};

// Bodies must be added in depth-first order; ids count from 1, since the world is body 0.
struct TreeSpec {
  std::vector<BodySpec> bodies;
  std::vector<SiteSpec> sites;
  std::vector<TendonSpec> tendons;
  std::vector<ActuatorSpec> actuators;
  Vector gravity = {0, 0, -9.81};
};

ModelPtr MakeTree(const TreeSpec& spec);

// A random mechanism with all joint types, fixed tendons with springs, dampers and armature, and actuators on both.
TreeSpec RandomTree(std::mt19937& random, int bodies);

// Random positions (unit quaternions), velocities, controls and applied forces.
void RandomState(const mjModel& m, mjData* d, std::mt19937& random);

double Uniform(std::mt19937& random, double low = -1, double high = 1);
Vector RandomVector(std::mt19937& random);
Rotation RandomRotation(std::mt19937& random);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_TREE_MODEL_H_
