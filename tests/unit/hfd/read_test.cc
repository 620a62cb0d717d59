// What becomes of the parts of a document. Kinematics of whole models are in tests/python/hfd_test.py, computed there
// from the text of the file.
#include <cmath>

#include "force/muscle_curves.h"
#include "model/kinds/contact_law.h"
#include "model/storage/extension.h"
#include "tests/unit/hfd/hfd_text.h"

namespace sinew::hfd {
namespace {

constexpr double kDegrees = 3.14159265358979323846 / 180;

int Id(const mjModel* m, mjtObj type, const char* name) { return mj_name2id(m, type, name); }

TEST(Hfd, TheWholeDocumentHasAllItsParts) {
  const ModelPtr m = CompileText(WholeText());
  EXPECT_EQ(m->nv, 3 + 3 + 1 + 2 + 6);  // trunk in its plane, hip, knee, ankle, the ball that is free
  EXPECT_EQ(m->nu, 2 + 2);
  EXPECT_EQ(m->ntendon, 2);
  EXPECT_EQ(m->ngeom, 6);
  EXPECT_EQ(m->nkey, 1);
  EXPECT_EQ(m->opt.gravity[2], -9.81);
  EXPECT_EQ(WarningsOf(WholeText()),
            "m.hfd:7: model_options / joint_stiffness: element 'joint_stiffness' is not used; joints hold their bodies "
            "without play\n"
            "m.hfd:31: body 'trunk' / mesh: a mesh is not shown; put its file beside the model, or into the folder "
            "Geometry there\n");
}

// Solids of a density: a box of 0.2, 0.05 and 0.08 m, and a ball.
TEST(Hfd, MassesFollowFromDensities) {
  const ModelPtr m = CompileText(WholeText());
  const int foot = Id(m.get(), mjOBJ_BODY, "foot"), ball = Id(m.get(), mjOBJ_BODY, "ball");
  const double mass = 1100 * 0.2 * 0.05 * 0.08;
  EXPECT_NEAR(m->body_mass[foot], mass, 1e-15);
  EXPECT_NEAR(m->body_mass[ball], 100 * 4 / 3.0 * 180 * kDegrees * 0.001, 1e-15);
  const ModelPtr capsule =
      CompileText(ModelOf("body { name = c density = 10 shape { type = capsule radius = 0.1 height = 0.5 } }\n"
                          "body { name = d density = 10 shape { type = cylinder radius = 0.1 height = 0.5 } }"));
  // MuJoCo's own formulas for the same solids, about z
  const ModelPtr expected = Compile(
      *ReadXmlText("<mujoco><worldbody><body><freejoint/><geom type='capsule' size='.1 .25' density='10'/></body><body>"
                   "<freejoint/><geom type='cylinder' size='.1 .25' density='10'/></body></worldbody></mujoco>",
                   "m.xml", nullptr),
      nullptr);
  for (int body : {1, 2}) {
    EXPECT_NEAR(capsule->body_mass[body], expected->body_mass[body], 1e-15);
    EXPECT_NEAR(capsule->body_inertia[3 * body], expected->body_inertia[3 * body], 1e-16);
    EXPECT_NEAR(capsule->body_inertia[3 * body + 1], expected->body_inertia[3 * body + 2], 1e-16);
  }
}

TEST(Hfd, DofsNameAndTurnCoordinates) {
  const ModelPtr m = CompileText(WholeText());
  const int abduction = Id(m.get(), mjOBJ_JOINT, "hip_abduction");
  ASSERT_GE(abduction, 0);
  EXPECT_EQ(m->jnt_axis[3 * abduction], -1);
  EXPECT_NEAR(m->jnt_range[2 * abduction], -45 * kDegrees, 1e-15);
  EXPECT_NEAR(m->jnt_range[2 * abduction + 1], 20 * kDegrees, 1e-15);
  EXPECT_FALSE(m->jnt_limited[abduction]);
  EXPECT_GE(Id(m.get(), mjOBJ_JOINT, "knee"), 0);
  EXPECT_GE(Id(m.get(), mjOBJ_JOINT, "ankle_r_rz"), 0);  // no dof names it, and its limits leave room
  EXPECT_GE(Id(m.get(), mjOBJ_JOINT, "ankle_r_rx"), 0);
  EXPECT_LT(Id(m.get(), mjOBJ_JOINT, "ankle_r_ry"), 0);
  EXPECT_EQ(m->key_qpos[0], 0);  // trunk_tx: translations come first
  EXPECT_NEAR(m->key_qpos[1], 0.25, 1e-15);
  EXPECT_NEAR(m->key_qpos[2], -4 * kDegrees, 1e-15);
}

// joint_force_pnld: torque = -k theta (1 + c w), w away from the range. A joint without limit_stiffness has that of the
// model, and one of 0 no force.
TEST(Hfd, LimitsAreSpringsWhoseDampingFollowsTheirTorque) {
  const ModelPtr m = CompileText(WholeText());
  const DataPtr d(MakeData(*m));
  const auto torque = [&](const char* name, double q, double v) {
    mj_resetDataKeyframe(m.get(), d.get(), 0);
    const int joint = Id(m.get(), mjOBJ_JOINT, name);
    d->qpos[m->jnt_qposadr[joint]] = q;
    d->qvel[m->jnt_dofadr[joint]] = v;
    mj_forward(m.get(), d.get());
    return d->qfrc_spring[m->jnt_dofadr[joint]] + d->qfrc_damper[m->jnt_dofadr[joint]];
  };
  EXPECT_NEAR(torque("hip_flexion", 2.2, 0), -20 * (2.2 - 120 * kDegrees), 1e-13);
  EXPECT_NEAR(torque("hip_flexion", 2.2, 0.3), -20 * (2.2 - 120 * kDegrees) * 1.6, 1e-13);
  EXPECT_NEAR(torque("hip_flexion", -0.6, 0.3), -20 * (-0.6 + 30 * kDegrees) * 0.4, 1e-13);
  EXPECT_NEAR(torque("hip_abduction", 0.5, 0), -20 * (0.5 - 20 * kDegrees), 1e-13);
  EXPECT_NEAR(torque("hip_rotation", 0.1, 0), -2, 1e-13);  // limits 0..0: a spring, as a dof moves it
  EXPECT_NEAR(torque("knee", 0.1, 0.5), -40, 1e-13);
  EXPECT_EQ(torque("ankle_r_rz", 1.5, 0), 0);
}

TEST(Hfd, MusclesHaveTheLawOfHyfydy) {
  const ModelPtr m = CompileText(WholeText());
  const int i = Id(m.get(), mjOBJ_ACTUATOR, "vasti r");
  ASSERT_GE(i, 0);
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *dyn = m->actuator_dynprm + mjNDYN * i;
  EXPECT_EQ(gain[kCurves], static_cast<int>(CurveSet::kHyfydy));
  EXPECT_EQ(gain[kPeakForce], 4530 * 1.5);
  EXPECT_EQ(gain[kFiberLength], 0.0993);
  EXPECT_EQ(gain[kSlackLength], 0.1231);
  EXPECT_EQ(gain[kLargestVelocity], 10);
  EXPECT_EQ(gain[kFiberDamping], 0.1);
  EXPECT_EQ(gain[kStiffnessScale], 0.9);
  EXPECT_EQ(dyn[kActivationTime], 1.0 / 80);
  EXPECT_EQ(dyn[kDeactivationTime], 1.0 / 20);
  const mjtNum* other = m->actuator_gainprm + mjNGAIN * Id(m.get(), mjOBJ_ACTUATOR, "hamstrings_r");
  EXPECT_NEAR(other[kPennation], std::sin(0.2025), 1e-15);
}

// [ t0 + kp (target - q) + kd (v_target - v) ] within -80..80
TEST(Hfd, MotorsOfJointsHoldATarget) {
  const ModelPtr m = CompileText(WholeText());
  const DataPtr d(MakeData(*m));
  const int motor = Id(m.get(), mjOBJ_ACTUATOR, "ankle_r_motor_ankle_r_rz"),
            joint = Id(m.get(), mjOBJ_JOINT, "ankle_r_rz");
  ASSERT_GE(motor, 0);
  const auto force = [&](double target, double q, double v) {
    d->ctrl[motor] = target;
    d->qpos[m->jnt_qposadr[joint]] = q;
    d->qvel[m->jnt_dofadr[joint]] = v;
    mj_forward(m.get(), d.get());
    return d->actuator_force[motor];
  };
  EXPECT_NEAR(force(0.2, -0.1, 0.7), -3 + 50 * 0.3 + 2 * (0.5 - 0.7), 1e-13);
  EXPECT_EQ(force(9, 0, 0), 80);
}

// f = k^1.5 d^1.5 (1 - 1.5 c v) with k = k1 k2 / (k1 + k2) and c = (c1 + c2) / 2; friction by Hollars with a transition
// velocity of 0.1 m/s and the geometric mean of coefficients.
TEST(Hfd, ContactsAreThoseOfHyfydy) {
  const ModelPtr m = CompileText(WholeText());
  const DataPtr d(MakeData(*m));
  mj_resetDataKeyframe(m.get(), d.get(), 0);
  const int free = Id(m.get(), mjOBJ_JOINT, "ball_free"), adr = m->jnt_qposadr[free], dof = m->jnt_dofadr[free];
  const double depth = 0.004;
  d->qpos[adr] = -3, d->qpos[adr + 1] = 0, d->qpos[adr + 2] = 0.1 - depth;
  d->qvel[dof] = 1;         // along x
  d->qvel[dof + 2] = -0.2;  // downwards
  mj_forward(m.get(), d.get());
  const double k = 12000.0 * 5000 / 17000, c = (0.8 + 1) / 2, normal = std::pow(k * depth, 1.5) * (1 + 1.5 * c * 0.2);
  const double s = 10, mu_static = std::sqrt(0.9 * 0.5), mu_dynamic = std::sqrt(0.6 * 0.5);
  const double mu = mu_dynamic + 2 * (mu_static - mu_dynamic) / (1 + s * s);
  EXPECT_NEAR(d->qfrc_passive[dof + 2], normal, 1e-10 * normal);
  EXPECT_NEAR(d->qfrc_passive[dof], -mu * normal, 1e-10 * normal);
}

TEST(Hfd, ErrorsNameLineElementAndRemedy) {
  const auto expect = [](const std::string& entries, const std::string& part) {
    const std::string error = ErrorOf(ModelOf(kGround + entries));
    EXPECT_TRUE(Contains(error, part)) << error;
  };
  expect("body { name = b inertia = [ 1 1 1 ] }", "m.hfd:3: body 'b': 'mass' is missing");
  expect("body { name = b mass = -1 inertia = [ 1 1 1 ] }", "m.hfd:3: body 'b' / mass: '-1' is not positive");
  expect("body { name = b mass = 1 inertia = [ 1 1 ] }", "inertia: there are 2 values; give three");
  expect("body { mass = 1 }", "the body has no name");
  expect(kArm + kArm, "m.hfd:4: body 'arm': another body has the name 'arm'");
  expect(kArm + "joint { name = k parent = ground child = arm }", "joint 'k': body 'arm' has another joint");
  expect(kArm + "joint { name = k parent = none child = arm }", "there is no body 'none'");
  expect(
      "body { name = a mass = 1 inertia = [ 1 1 1 ] joint { parent = b } }\n"
      "body { name = b mass = 1 inertia = [ 1 1 1 ] joint { parent = a } }",
      "hangs on itself, by a loop of joints");
  expect(kArm + "dof { name = x source = wrist_rz }", "m.hfd:4: dof 'x': there is no coordinate of 'wrist'");
  expect(kArm + "dof { name = x source = elbow }", "the source 'elbow' of the dof is none");
  expect(kArm + "point_path_muscle { name = x }", "m.hfd:4: point_path_muscle 'x'");
  expect(kArm + "point_path_muscle { name = x path [ { body = arm } ] }", "the path has 1 points");
  expect(kArm + "point_path_muscle { name = x path [ { body = arm } { body = leg } ] }", "there is no body 'leg'");
  expect(kArm + "geometry { type = cone body = arm }", "'cone' is no type of a shape");
  expect(kArm + "geometry { type = sphere radius = 0.1 body = arm material = ice }", "there is no material 'ice'");
  expect(kArm + "geometry { type = sphere radius = 0.1 body = leg }", "there is no body 'leg'");
  expect(kArm + "joint_motor { joint = wrist }", "there is no joint 'wrist'");
  expect(kArm + "model_options { mirror = 1 }", "model_options: 'mirror' is not read");
  expect("body { name = b mass = two }", "'two' is not a finite number");
  expect(kArm + "body { name = c mass = 1 inertia = [ 1 1 1 ] joint { parent = arm limits = [ 3..1 0..0 0 ] } }",
         "the range 3..1 is empty");
  EXPECT_TRUE(Contains(ErrorOf("body { }"), "m.hfd:1: body: the document is no model"));
}

TEST(Hfd, WhatIsNotKeptIsTold) {
  const std::string warnings =
      WarningsOf(ModelOf(kGround + kArm +
                         "rocket { }\njoint_6dof { parent = arm child = c translation_limits = [ 0..1 0..0 0..0 ] }\n"
                         "body { name = c mass = 1 inertia = [ 1 1 1 ] lin_vel = [ 1 0 0 ] }"));
  EXPECT_TRUE(Contains(warnings, "m.hfd:4: rocket: element 'rocket' is not used")) << warnings;
  EXPECT_TRUE(Contains(warnings, "'translation_limits' is not used; joints hold their bodies")) << warnings;
  EXPECT_TRUE(Contains(warnings, "'lin_vel' is not used; a model begins at rest")) << warnings;
}

// Without limits and coordinates a joint leaves all rotations free.
TEST(Hfd, AJointWithoutLimitsIsABall) {
  const ModelPtr m = CompileText(ModelOf(
      kGround +
      "body { name = a mass = 1 inertia = [ 1 1 1 ] joint { name = j parent = ground pos_in_child = [ 0 1 0 ] } }"));
  ASSERT_EQ(m->njnt, 1);
  EXPECT_EQ(m->jnt_type[0], mjJNT_BALL);
  EXPECT_EQ(m->jnt_pos[1], 1);
}

}  // namespace
}  // namespace sinew::hfd
