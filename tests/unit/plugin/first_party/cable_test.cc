#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/quat.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr double kRadius = 0.01, kLength = 0.2, kShear = 1e6, kYoung = 4e6;

// Links behind each other, each with a ball joint and a capsule; `quat` is the second link's orientation.
World Cable(int links, const std::string& config = "", const std::string& quat = "1 0 0 0",
            const std::string& root = "<joint type='ball'/>") {
  std::string bodies, ends;
  for (int i = 0; i < links; ++i) {
    bodies += "<body pos='" + std::string(i ? ".2" : "0") + " 0 0' quat='" + (i == 1 ? quat : "1 0 0 0") + "'>" +
              (i ? "<joint type='ball'/>" : root) +
              "<geom type='capsule' size='.01' fromto='0 0 0 .2 0 0'/><plugin instance='c'/>";
    ends += "</body>";
  }
  return World(ModelFromText(R"(
    <mujoco><option gravity="0 0 0"/>
      <extension><plugin plugin="mujoco.elasticity.cable"><instance name="c">
        <config key="twist" value="1e6"/><config key="bend" value="4e6"/>)" +
                             config + "</instance></plugin></extension><worldbody>" + bodies + ends +
                             "</worldbody></mujoco>"));
}

void Turn(World& w, int joint, Vec3<double> rotation) {
  StoreQuat(ExpRotation(rotation, 1.0), w.d->qpos + w.m->jnt_qposadr[joint]);
}

// Torque by the angle: G J / L and E I / L of a round section.
TEST(CableTest, StiffnessOfARoundSection) {
  const double r4 = std::pow(kRadius, 4), twist = kShear * mjPI * r4 / 2 / kLength,
               bend = kYoung * mjPI * r4 / 4 / kLength;
  for (int axis = 0; axis < 3; ++axis) {
    World w = Cable(3);
    Vec3<double> rotation = {0, 0, 0};
    rotation[axis] = 0.1;
    Turn(w, 1, rotation);
    mj_forward(w.m.get(), w.d.get());
    for (int dof = 0; dof < 9; ++dof) {
      const double expected = dof == 3 + axis ? -0.1 * (axis == 0 ? twist : bend) : 0;
      EXPECT_NEAR(w.d->qfrc_passive[dof], expected, 1e-12);
    }
  }
}

TEST(CableTest, StiffnessOfARectangle) {
  World w = Cable(2);
  const int geom = w.m->body_geomadr[2];
  w.m->geom_type[geom] = mjGEOM_BOX;
  w.m->geom_size[3 * geom + 1] = 0.01;
  w.m->geom_size[3 * geom + 2] = 0.03;
  World box = World(ModelPtr(mj_copyModel(nullptr, w.m.get())));
  Turn(box, 1, {0, 0.1, 0});
  mj_forward(box.m.get(), box.d.get());
  EXPECT_NEAR(box.d->qfrc_passive[4], -0.1 * kYoung * (0.02 * std::pow(0.06, 3) / 12) / kLength, 1e-12);
  Turn(box, 1, {0, 0, 0.1});
  mj_forward(box.m.get(), box.d.get());
  EXPECT_NEAR(box.d->qfrc_passive[5], -0.1 * kYoung * (0.06 * std::pow(0.02, 3) / 12) / kLength, 1e-12);
  // torsion of a rectangle with sides 3 : 1 is 0.263 a b^3 in the tables, to three digits
  Turn(box, 1, {0.1, 0, 0});
  mj_forward(box.m.get(), box.d.get());
  const double torsion = 0.1 * kShear * 0.06 * std::pow(0.02, 3) / kLength;
  EXPECT_NEAR(-box.d->qfrc_passive[3] / torsion, 0.263, 1e-3);
}

TEST(CableTest, ReferenceShapeIsTheModelsOrStraight) {
  const std::string bent = ".9950041652780258 0 .09983341664682815 0";  // 0.2 rad
  World curved = Cable(2, "", bent), flat = Cable(2, "<config key='flat' value='true'/>", bent);
  mj_forward(curved.m.get(), curved.d.get());
  mj_forward(flat.m.get(), flat.d.get());
  for (int dof = 0; dof < 6; ++dof) EXPECT_NEAR(curved.d->qfrc_passive[dof], 0, 1e-15);
  EXPECT_NEAR(flat.d->qfrc_passive[4], -0.2 * kYoung * mjPI * std::pow(kRadius, 4) / 4 / kLength, 1e-12);
}

// Internal torques do not change the momenta of a free cable: M da/dt of its dofs adds up to nothing.
TEST(CableTest, InternalTorquesBalance) {
  World w = Cable(6, "", "1 0 0 0", "<freejoint/>");
  for (int i = 1; i < 6; ++i) Turn(w, i, {0.3, 0.2 * i, -0.1 * i});
  mj_forward(w.m.get(), w.d.get());
  const int nv = static_cast<int>(w.m->nv);
  std::vector<double> momentum(static_cast<size_t>(3 * nv)), com(static_cast<size_t>(3 * nv));
  mj_angmomMat(w.m.get(), w.d.get(), momentum.data(), 1);
  mj_jacSubtreeCom(w.m.get(), w.d.get(), com.data(), 1);
  double angular[3], linear[3];
  mju_mulMatVec(angular, momentum.data(), w.d->qacc, 3, nv);
  mju_mulMatVec(linear, com.data(), w.d->qacc, 3, nv);
  EXPECT_GT(mju_norm(w.d->qacc, nv), 100);
  EXPECT_LT(mju_norm3(angular), 1e-11);  // rounding of terms of order 1
  EXPECT_LT(mju_norm3(linear), 1e-11);
}

// A body without the plugin in between ends the cable; siblings are two branches of it.
TEST(CableTest, BranchesAndGaps) {
  const std::string link = "<joint type='ball'/><geom type='capsule' size='.01' fromto='0 0 0 .2 0 0'/>";
  const std::string cable = link + "<plugin instance='c'/>";
  World w(ModelFromText(R"(
    <mujoco><extension><plugin plugin="mujoco.elasticity.cable"><instance name="c">
        <config key="bend" value="1e6"/></instance></plugin></extension>
      <option gravity="0 0 0"/><worldbody><body>)" +
                        cable + "<body pos='.2 0 0'>" + cable + "</body><body pos='.2 0 0'>" + cable +
                        "</body><body pos='.2 0 0'>" + link + "<body pos='.2 0 0'>" + cable +
                        "</body></body></body></worldbody></mujoco>"));
  for (int joint = 1; joint < 5; ++joint) Turn(w, joint, {0, 0.1, 0});
  mj_forward(w.m.get(), w.d.get());
  const double torque = -0.1 * 1e6 * mjPI * std::pow(kRadius, 4) / 4 / kLength;
  EXPECT_NEAR(w.d->qfrc_passive[4], torque, 1e-12);
  EXPECT_NEAR(w.d->qfrc_passive[7], torque, 1e-12);
  EXPECT_EQ(w.d->qfrc_passive[10], 0);
  EXPECT_EQ(w.d->qfrc_passive[13], 0);
}

TEST(CableTest, ColoursByStress) {
  World w = Cable(3, "<config key='vmax' value='0.1'/>");
  const double bend = kYoung * mjPI * std::pow(kRadius, 4) / 4 / kLength;
  Turn(w, 1, {0, 0.05 / bend, 0});  // half of the largest stress
  mj_forward(w.m.get(), w.d.get());
  mjvScene scene;
  mjv_defaultScene(&scene);
  mjv_makeScene(w.m.get(), &scene, 10);
  mjvOption option;
  mjv_defaultOption(&option);
  mjvCamera camera;
  mjv_defaultCamera(&camera);
  mjv_updateScene(w.m.get(), w.d.get(), &option, nullptr, &camera, mjCAT_ALL, &scene);
  const float expected[3][3] = {{0, 1, 0}, {0, 1, 1}, {0, 0, 1}};  // 1/2, its mean with none, none
  for (int geom = 0; geom < 3; ++geom) {
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(w.m->geom_rgba[4 * geom + k], expected[geom][k], 1e-6);
  }
  mjv_freeScene(&scene);
}

TEST(CableTest, RefusesWhatIsNoNumber) {
  static std::string warning;
  mju_user_warning = [](const char* text) { warning = text; };
  mju_user_error = [](const char*) {};
  try {
    Cable(2, "<config key='vmax' value='red'/>");
  } catch (const std::runtime_error& failure) {
    warning += failure.what();
  }
  EXPECT_NE(warning.find("'vmax' is 'red'"), std::string::npos) << warning;
  mju_user_warning = mju_user_error = nullptr;
}

}  // namespace
}  // namespace sinew
