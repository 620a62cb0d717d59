// Numbers that were changed in a model arrive in its specification.
#include "compile/copy_back/copy_back.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "compile/compile.h"
#include "core/error.h"
#include "read/read_xml.h"

namespace sinew {
namespace {

struct Pairing {
  std::unique_ptr<Spec> spec;
  ModelPtr m;

  explicit Pairing(const std::string& xml) : spec(ReadXmlText(xml, "test.xml", nullptr)), m(Compile(*spec, nullptr)) {}

  // The model that the specification compiles to after what the model says has been copied back.
  ModelPtr Again() {
    CopyBack(*m, *spec);
    return Compile(*spec, nullptr);
  }
};

constexpr char kArm[] = R"(
  <mujoco><compiler angle="degree"/><worldbody>
    <frame pos="1 0 0" euler="0 0 90"><body name="b" pos="0 0 1" euler="10 20 30">
      <frame euler="0 90 0"><joint name="j" axis="1 0 0" range="-90 90" ref="10" springdamper="1 1"/>
      <geom name="g" type="capsule" size=".1" fromto="0 0 0 1 0 0"/><site name="s" pos="0 1 0"/></frame>
    </body></frame></worldbody>
    <actuator><position name="p" joint="j" kp="5" dampratio="1"/></actuator>
    <keyframe><key name="k"/></keyframe></mujoco>)";

TEST(CopyBack, WithoutChangesTheModelStays) {
  Pairing pairing(kArm);
  const ModelPtr again = pairing.Again();
  const mjModel &a = *pairing.m, &b = *again;
  // Frames are divided out and multiplied in again.
  constexpr double kRounding = 1e-14;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.body_pos[3 + i], b.body_pos[3 + i], kRounding);
    EXPECT_NEAR(a.geom_pos[i], b.geom_pos[i], kRounding);
    EXPECT_NEAR(a.geom_size[i], b.geom_size[i], kRounding);
    EXPECT_NEAR(a.jnt_axis[i], b.jnt_axis[i], kRounding);
    EXPECT_NEAR(a.site_pos[i], b.site_pos[i], kRounding);
  }
  EXPECT_NEAR(a.jnt_range[1], b.jnt_range[1], kRounding);
  EXPECT_NEAR(a.qpos0[0], b.qpos0[0], kRounding);
  EXPECT_NEAR(a.jnt_stiffness[0], b.jnt_stiffness[0], kRounding);
  EXPECT_NEAR(a.actuator_biasprm[2], b.actuator_biasprm[2], kRounding);
  EXPECT_TRUE(std::isnan(pairing.spec->stat.extent));
}

TEST(CopyBack, ChangesArrive) {
  Pairing pairing(kArm);
  mjModel& m = *pairing.m;
  m.opt.timestep = 0.25;
  m.stat.extent = 7;
  m.body_pos[3] = 5;
  m.geom_size[0] = 0.3;
  m.geom_rgba[1] = 0.125f;
  m.jnt_range[1] = 1;
  m.qpos0[0] = 0.5;
  m.dof_damping[0] = 3;
  m.actuator_gear[0] = 4;
  m.key_qpos[0] = 0.75;
  const ModelPtr again = pairing.Again();
  constexpr double kRounding = 1e-14;
  EXPECT_EQ(again->opt.timestep, 0.25);
  EXPECT_EQ(again->stat.extent, 7);
  EXPECT_NEAR(again->body_pos[3], 5, kRounding);
  EXPECT_EQ(again->geom_size[0], 0.3);
  EXPECT_EQ(again->geom_rgba[1], 0.125f);
  EXPECT_NEAR(again->jnt_range[1], 1, kRounding);
  EXPECT_NEAR(again->qpos0[0], 0.5, kRounding);
  EXPECT_EQ(again->dof_damping[0], 3);
  EXPECT_EQ(again->actuator_gear[0], 4);
  EXPECT_EQ(again->key_qpos[0], 0.75);
}

double Mass(const mjModel& m) { return std::accumulate(m.body_mass, m.body_mass + m.nbody, 0.0); }

// A body that has taken in others keeps what it had itself, or their mass would count twice.
constexpr char kFused[] = R"(
  <mujoco><compiler fusestatic="true"/><worldbody><body name="leg"><joint/>
    <inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/>
    <body name="foot" pos="0 0 -.2"><geom size=".02" mass=".5"/><body name="toe" pos=".1 0 0">
    <inertial pos="0 0 0" mass=".25" diaginertia=".001 .001 .001"/></body></body></body></worldbody></mujoco>)";

TEST(CopyBack, FusedBodiesKeepTheirMasses) {
  Pairing pairing(kFused);
  ASSERT_EQ(pairing.m->nbody, 2);
  const ModelPtr again = pairing.Again();
  EXPECT_EQ(Mass(*again), 1.75);
  EXPECT_EQ(again->dof_M0[0], pairing.m->dof_M0[0]);
  EXPECT_EQ(pairing.spec->Find<Body>("leg")->mass, 1);
}

// What a program makes of the sum is that of the body; the parts have nothing then.
TEST(CopyBack, ChangedSumsOfFusedBodiesArrive) {
  Pairing pairing(kFused);
  pairing.m->body_mass[1] = 7;
  pairing.m->body_ipos[5] = -0.3;
  const ModelPtr again = pairing.Again();
  EXPECT_EQ(Mass(*again), 7);
  EXPECT_EQ(again->body_ipos[5], -0.3);
  pairing.m = Compile(*pairing.spec, nullptr);
  EXPECT_EQ(Mass(*pairing.Again()), 7) << "again";
}

// Masses are scaled once, whether a body or a geom gives them.
TEST(CopyBack, TotalMassesAreNotScaledTwice) {
  Pairing pairing(R"(<mujoco><compiler settotalmass="4"/><worldbody>
      <body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
      <body><joint/><geom size=".1" mass="1"/></body></worldbody></mujoco>)");
  const ModelPtr again = pairing.Again();
  EXPECT_NEAR(again->body_mass[1], 2, 1e-14);
  EXPECT_NEAR(again->body_mass[2], 2, 1e-14);
}

// The frame of an aligned body moves to its inertia, and with it a geom that only weighs.
TEST(CopyBack, DiscardedGeomsMoveWithAnAlignedBody) {
  Pairing pairing(R"(<mujoco><compiler discardvisual="true"/><worldbody><body pos="0 0 1"><freejoint align="true"/>
      <geom size=".1" pos=".1 0 0" mass="1"/><geom type="box" size=".1 .2 .3" pos="0 .3 0" euler="0 20 0" mass="2"
      contype="0" conaffinity="0"/></body></worldbody></mujoco>)");
  ASSERT_EQ(pairing.m->ngeom, 1);
  const ModelPtr again = pairing.Again();
  constexpr double kRounding = 1e-12;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(again->body_inertia[3 + i], pairing.m->body_inertia[3 + i], kRounding);
    EXPECT_NEAR(again->qpos0[i], pairing.m->qpos0[i], kRounding);
    EXPECT_NEAR(std::abs(again->geom_pos[i]), std::abs(pairing.m->geom_pos[i]), kRounding);
  }
}

// Elements that came after the compilation have no numbers in the model.
TEST(CopyBack, SpecificationsWithOtherElementsAreRefused) {
  Pairing pairing("<mujoco><custom><numeric name='n' data='1'/></custom></mujoco>");
  pairing.spec->Add<Numeric>().data->resize(3);
  EXPECT_THROW(CopyBack(*pairing.m, *pairing.spec), Error);
}

// The user's own way to say what nobody has changed is kept.
TEST(CopyBack, FreshKeyframesStayEmpty) {
  Pairing pairing(kArm);
  CopyBack(*pairing.m, *pairing.spec);
  EXPECT_TRUE(pairing.spec->List<Key>().front()->qpos->empty());
}

TEST(CopyBack, ModelsOfOtherSpecificationsAreRefused) {
  Pairing pairing(kArm);
  const Pairing other("<mujoco/>");
  EXPECT_THROW(CopyBack(*other.m, *pairing.spec), Error);
}

}  // namespace
}  // namespace sinew
