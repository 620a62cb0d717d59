#include "tests/support/two_links.h"

#include "inertia/inertia.h"
#include "inertia/rne.h"
#include "kinematics/kinematics.h"
#include "kinematics/velocity.h"

namespace sinew::testing {
namespace {

constexpr double kDegree = kPi / 180;

Rotation Euler(double x, double y, double z) {
  return AxisAngle<double>({1, 0, 0}, x * kDegree) * AxisAngle<double>({0, 1, 0}, y * kDegree) *
         AxisAngle<double>({0, 0, 1}, z * kDegree);
}

// Principal moments of a solid capsule along x: a cylinder and two half spheres of uniform density.
Vector CapsuleInertia(double mass, double radius, double length) {
  const double cylinder = kPi * radius * radius * length, sphere = 4.0 / 3 * kPi * radius * radius * radius;
  const double mc = mass * cylinder / (cylinder + sphere), ms = mass - mc;
  const double along = mc * radius * radius / 2 + ms * 2 * radius * radius / 5;
  const double across = mc * (3 * radius * radius + length * length) / 12 +
                        ms * (2 * radius * radius / 5 + length * length / 4 + 3 * length * radius / 8);
  return {along, across, across};
}

Vector BoxInertia(double mass, const Vector& half) {
  const double third = mass / 3, x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
  return {third * (y + z), third * (x + z), third * (x + y)};
}

TreeSpec Spec() {
  BodySpec rod;
  rod.pos = {0.1, 0, 1};
  rod.quat = Euler(10, 0, 0);
  rod.mass = 1;
  rod.inertia = CapsuleInertia(1, 0.05, 0.5);
  rod.ipos = {0.25, 0, 0};
  rod.joints = {{.type = mjJNT_HINGE, .axis = {0, 1, 0}}};

  BodySpec box;
  box.parent = 1;
  box.pos = {0.5, 0, 0};
  box.mass = 2;
  box.inertia = BoxInertia(2, {0.1, 0.05, 0.2});
  box.ipos = {0.1, 0, 0};
  box.joints = {{.type = mjJNT_BALL}};

  TreeSpec spec;
  spec.bodies = {rod, box};
  spec.sites = {{1, {0.2, 0.1, 0}, Euler(0, 0, 30)}, {2, {0.1, 0.1, 0.1}, Euler(20, 30, 40)}};
  return spec;
}

}  // namespace

TwoLinks::TwoLinks() : m(MakeTree(Spec())), d(MakeData(*m)) {
  d->qpos[0] = 0.4;
  StoreQuat(AxisAngle<double>({0.6, 0, 0.8}, 0.7), d->qpos + 1);
  const double velocity[] = {0.5, 1, -2, 0.3};
  for (int i = 0; i < 4; ++i) d->qvel[i] = velocity[i];

  Kinematics(m.get(), d.get());
  ComPos(m.get(), d.get());
  MakeM(m.get(), d.get());
  FactorM(m.get(), d.get());
  ComVel(m.get(), d.get());
  Rne(m.get(), d.get(), false, d->qfrc_bias);
}

}  // namespace sinew::testing
