// What acts on bodies, in cfrc_ext and in the forces inside joints: statics, and bodies in whose joints nothing acts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "constraint/body_forces.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// The part of the force inside a joint that is along its dofs, which is zero where nothing acts inside the joint: then
// all that acts on the bodies behind it is in cfrc_ext.
void ExpectNothingInsideJoints(const mjModel* m, mjData* d, const std::string& what) {
  mj_forward(m, d);
  RnePostConstraint(m, d);
  double most = 0;
  for (int i = 0; i < m->nv; ++i) {
    double along = 0, size = 0;
    for (int k = 0; k < 6; ++k) {
      const double force = d->cfrc_int[6 * m->dof_bodyid[i] + k];
      along += d->cdof[6 * i + k] * force;
      size += std::fabs(force);
    }
    EXPECT_NEAR(along, 0, 1e-9 * (1 + size)) << what << ", dof " << i;  // rounding of sums of forces
    most = std::max(most, size);
  }
  EXPECT_GT(most, 1e-3) << what << " does nothing";
}

// A free body that carries two more on a ball and on a hinge, beside one on a slide, with joints that nothing acts in.
std::string BodiesWith(const std::string& elements, const std::string& option = "", const std::string& body = "",
                       const std::string& geom = "") {
  return "<mujoco><option timestep='.002' " + option +
         "/><worldbody><site name='w' pos='.1 .2 2'/>"
         "<body name='a' pos='0 0 1' " +
         body + "><freejoint/><geom type='box' size='.1 .2 .15' " + geom +
         "/>"
         "<site name='a' pos='.1 .1 0' euler='10 20 30'/>"
         "<body name='b' pos='.3 0 .1'><joint type='ball'/><geom name='ball' size='.08' pos='.05 0 0' mass='2'/>"
         "<site name='b' pos='.1 0 .05' euler='-30 0 40'/>"
         "<body name='c' pos='.2 .1 0' " +
         body + "><joint axis='1 2 0'/><geom type='capsule' size='.05 .1' pos='0 .1 0' " + geom +
         "/><site name='c' pos='0 .2 .05'/></body></body></body>"
         "<body name='e' pos='-.6 0 1'><joint type='slide' axis='0 1 .3'/><geom size='.1'/><site name='e' pos='.1 0 "
         "0'/>"
         "</body></worldbody>" +
         elements + "</mujoco>";
}

void ExpectAllOnBodies(const std::string& what, const std::string& xml, double control = 0.7) {
  const World w(ModelFromText(xml));
  for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = control;
  for (int i = 0; i < w.m->nv; ++i) w.d->qvel[i] = 0.4 * std::sin(i + 1.0);
  for (int i = 0; i < 6; ++i) w.d->xfrc_applied[12 + i] = 0.3 * i;
  for (int step = 0; step < 30; ++step) mj_step(w.m.get(), w.d.get());
  ExpectNothingInsideJoints(w.m.get(), w.d.get(), what);
}

TEST(RnePostConstraint, AllThatActsOnBodiesIsOutsideOfJoints) {
  const std::string path = "<site site='w'/><site site='b'/><pulley divisor='2'/><site site='c'/><site site='e'/>";
  const auto tendon = [&](const std::string& attributes, const std::string& more = "") {
    return BodiesWith("<tendon><spatial name='t' " + attributes + ">" + path +
                      "</spatial><spatial name='u'><site site='a'/>"
                      "<site site='c'/></spatial></tendon>" +
                      more);
  };
  ExpectAllOnBodies("nothing but weights", BodiesWith(""));
  ExpectAllOnBodies("a tendon's spring and damper", tendon("stiffness='300' damping='20' springlength='.4'"));
  ExpectAllOnBodies("a tendon's limit", tendon("limited='true' range='0 .8'"));
  ExpectAllOnBodies("a tendon's lower limit", tendon("limited='true' range='2 3'"));
  ExpectAllOnBodies("a tendon's friction", tendon("frictionloss='3'"));
  ExpectAllOnBodies("a tendon's armature",
                    BodiesWith("<tendon><spatial armature='.5'><site site='a'/><site site='b'/><site "
                               "site='c'/></spatial></tendon>"));
  ExpectAllOnBodies("an actuator on a tendon", tendon("", "<actuator><motor tendon='t' gear='-30'/></actuator>"));
  ExpectAllOnBodies("an equality of tendons",
                    tendon("", "<equality><tendon tendon1='t' tendon2='u' polycoef='.1 .5 .2 0 0'/></equality>"));
  ExpectAllOnBodies(
      "a tendon around a geom",
      BodiesWith("<tendon><spatial stiffness='400' springlength='.2'><site site='w'/><geom geom='ball'/><site "
                 "site='c'/></spatial></tendon>"));
  ExpectAllOnBodies("a weld", BodiesWith("<equality><weld body1='c' body2='e' relpose='.1 .2 .3 .9 .1 .3 .2' "
                                         "torquescale='.7'/></equality>"));
  ExpectAllOnBodies("a weld to the world",
                    BodiesWith("<equality><weld body1='a' torquescale='2' relpose='.05 0 -1 .98 .1 .1 "
                               "0'/></equality>"));
  ExpectAllOnBodies("a connect", BodiesWith("<equality><connect body1='b' body2='e' anchor='.1 0 0'/></equality>"));
  ExpectAllOnBodies("a medium", BodiesWith("", "density='900' viscosity='.3' wind='1 2 0'"));
  ExpectAllOnBodies("a medium around ellipsoids",
                    BodiesWith("", "density='900' viscosity='.3'", "", "fluidshape='ellipsoid'"));
  ExpectAllOnBodies("gravity compensation", BodiesWith("", "", "gravcomp='.8'"));
  ExpectAllOnBodies("a thruster", BodiesWith("<actuator><general site='c' gear='5 -3 2 .3 .2 .1'/></actuator>"));
  ExpectAllOnBodies("a servo between sites",
                    BodiesWith("<actuator><position site='c' refsite='a' gear='1 2 -1 .2 .1 .3' kp='60'/></actuator>"));
  ExpectAllOnBodies("a slider-crank",
                    BodiesWith("<actuator><motor cranksite='c' slidersite='e' cranklength='2' gear='4'/></actuator>"));
}

// The wrench of a weld on what it holds: a bracket of 2 kg that is welded to the world at its end, 0.3 m off its
// centre, takes its weight and the moment of its weight, and leaves nothing to the joints between.
TEST(RnePostConstraint, WeldCarriesWeightAndMoment) {
  for (const char* scale : {".3", "1", "4"}) {
    const World w(ModelFromText(R"(<mujoco><option gravity="0 0 -10"/><worldbody>
      <body name="b"><freejoint/><inertial pos=".3 0 0" mass="2" diaginertia=".01 .01 .01"/></body></worldbody>
      <equality><weld body1="b" torquescale=")" +
                                std::string(scale) + R"(" solref=".01 1"/></equality></mujoco>)"));
    for (int i = 0; i < 4000; ++i) mj_step(w.m.get(), w.d.get());
    RnePostConstraint(w.m.get(), w.d.get());
    const double* wrench = w.d->cfrc_ext + 6;  // about the centre of mass
    EXPECT_NEAR(wrench[5], 20, 1e-6) << scale;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(wrench[k], 0, 1e-6) << "the force has its moment taken up, scale " << scale;
  }
}

// A force sensor at the hook of a weight that hangs by a tendon reads the weight.
TEST(RnePostConstraint, HookOfAHangingWeight) {
  const World w(ModelFromText(R"(<mujoco><option gravity="0 0 -10"/><worldbody>
      <body pos="0 0 1"><joint type="slide" axis="0 0 1" damping="50" stiffness="2000"/>
        <inertial pos="0 0 0" mass=".2" diaginertia=".1 .1 .1"/><body><site name="hook"/></body></body>
      <body pos="0 0 .7"><freejoint/><geom size=".03" mass="1.5"/><site name="eye" pos="0 0 .03"/></body></worldbody>
    <tendon><spatial stiffness="800" damping="20" springlength=".2"><site site="hook"/><site site="eye"/></spatial></tendon>
    <sensor><force site="hook"/></sensor></mujoco>)"));
  for (int i = 0; i < 20000; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(std::fabs(w.d->sensordata[2]), 15, 1e-3);  // what is left of the swinging
}

}  // namespace
}  // namespace sinew
