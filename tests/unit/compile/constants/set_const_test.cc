#include "compile/constants/set_const.h"

#include <array>
#include <cmath>
#include <string>

#include "model/storage/data.h"
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

constexpr double kDigits = 1e-8;  // digits of the worked numbers

// Two hinges about y, armature .2 at the first; a capsule of length 1 and one of .5; a tendon over both joints, and an
// actuator with armature .4 and gear 2 on the second.
ModelPtr TwoHinges() {
  return CompileXml(
      "<worldbody><body><joint name='1' axis='0 1 0' armature='.2'/>"
      "<geom type='capsule' size='.05' fromto='0 0 0 1 0 0'/>"
      "<body pos='1 0 0'><joint name='2' axis='0 1 0'/><geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/></body>"
      "</body></worldbody>"
      "<tendon><fixed><joint joint='1' coef='2'/><joint joint='2' coef='-1'/></fixed></tendon>"
      "<actuator><motor joint='2' gear='2' armature='.4'/></actuator>");
}

TEST(SetConst, InertiaAndWeights) {
  const ModelPtr m = TwoHinges();
  ExpectNear(m->dof_M0, {10.17151326, 2.00058579}, kDigits);
  EXPECT_NEAR(m->stat.meaninertia, 6.08604952, kDigits);
  ExpectNear(m->dof_invweight0, {.11077986, .56323446}, kDigits);
  ExpectNear(m->body_invweight0 + 4, {.05197495, .16880922}, kDigits);
  EXPECT_NEAR(m->tendon_invweight0[0], 1.34152729, kDigits);
  ExpectNear(m->dof_length, {.55, .3}, 1e-12);
  EXPECT_NEAR(m->stat.extent, 1.6, 1e-12);
}

TEST(SetConst, FreeBodyHasItsInverseMassAndMeanInverseInertia) {
  const ModelPtr m = CompileWorld("<body><freejoint/><geom type='box' size='.1 .2 .3' mass='2'/></body>");
  ExpectNear(m->dof_invweight0, {.5, .5, .5, 18.84615385, 18.84615385, 18.84615385}, kDigits);
}

TEST(SetConst, DampingRatio) {
  const auto damping = [](const std::string& gear) {
    const ModelPtr m = CompileXml(
        "<worldbody><body><joint name='j'/><geom type='box' size='.1 .2 .3' mass='2'/></body></worldbody>"
        "<actuator><position joint='j' kp='10' dampratio='1' gear='" +
        gear + "'/></actuator>");
    return m->actuator_biasprm[2];
  };
  EXPECT_NEAR(damping("1"), -1.15470054, kDigits);
  EXPECT_NEAR(damping("2"), -.57735027, kDigits);
}

TEST(SetConst, SecondRunChangesNothing) {
  const ModelPtr m = TwoHinges();
  const DataPtr d(MakeData(*m));
  const std::vector<mjtNum> weights = Take(m->body_invweight0, 2 * m->nbody);
  const mjtNum extent = m->stat.extent;
  SetConst(m.get(), d.get());
  EXPECT_EQ(Take(m->body_invweight0, 2 * m->nbody), weights);
  EXPECT_EQ(m->stat.extent, extent);
}

TEST(SetConst, EqualityDataAreThoseOfTheReferenceConfiguration) {
  const ModelPtr m = CompileXml(
      "<worldbody><body name='a' pos='1 0 0'><geom size='.1'/></body>"
      "<body name='b' pos='0 2 0' euler='0 0 90'><geom size='.1'/></body></worldbody>"
      "<equality><connect body1='a' body2='b' anchor='.1 .2 .3'/><weld body1='a' body2='b'/></equality>");
  ExpectNear(m->eq_data, {.1, .2, .3, -1.8, -1.1, .3}, 1e-15);
  ExpectNear(m->eq_data + mjNEQDATA + 3, {-1, 2, 0, std::sqrt(.5), 0, 0, std::sqrt(.5)}, 1e-15);
}

TEST(SetConst, SpringDamper) {
  const ModelPtr m = CompileWorld("<body><joint springdamper='.5 .2'/><geom size='.1'/></body>");
  EXPECT_NEAR(m->jnt_stiffness[0], 1.67551608, kDigits);
  EXPECT_NEAR(m->dof_damping[0], .06702064, kDigits);
}

TEST(SetConst, SpringLengthOfATendonIsItsLengthWhereSpringsAreRelaxed) {
  const ModelPtr m = CompileXml(
      "<worldbody><body><joint name='j' type='slide' springref='.25'/><geom size='.1'/></body></worldbody>"
      "<tendon><fixed><joint joint='j' coef='2'/></fixed></tendon>");
  ExpectNear(m->tendon_lengthspring, {.5, .5}, 0);
  EXPECT_EQ(m->tendon_length0[0], 0);
}

TEST(Statistics, EmptyModel) {
  const ModelPtr m = CompileWorld("");
  EXPECT_EQ(m->stat.extent, 2);
  EXPECT_EQ(m->stat.meansize, .2);
  EXPECT_EQ(m->stat.meanmass, 1);
  EXPECT_EQ(m->stat.meaninertia, 1);
}

TEST(Statistics, PlaneAndBall) {
  const ModelPtr m =
      CompileWorld("<geom type='plane' size='1 2 1'/><body pos='0 0 1'><joint pos='0 0 .3'/><geom size='.1'/></body>");
  EXPECT_NEAR(m->stat.extent, 1.5, 1e-15);
  ExpectNear(m->stat.center, {0, 0, .55}, 1e-15);
  EXPECT_NEAR(m->stat.meansize, .3, 1e-15);
  EXPECT_NEAR(m->stat.meaninertia, .01675516, kDigits);
}

TEST(Statistics, ValuesOfTheUserWin) {
  EXPECT_EQ(CompileXml("<statistic extent='3'/><worldbody><geom size='.1'/></worldbody>")->stat.extent, 3);
}

TEST(SetConst, JointThatATendonNamesTwiceCountsWithTheSum) {
  const ModelPtr m = CompileXml(
      "<worldbody><body><joint name='j'/><geom size='.1' mass='1'/></body></worldbody>"
      "<tendon><fixed><joint joint='j' coef='1'/><joint joint='j' coef='-.5'/></fixed>"
      "<fixed><joint joint='j' coef='.5'/></fixed></tendon>");
  EXPECT_NEAR(m->tendon_invweight0[0], m->tendon_invweight0[1], 1e-12);
}

TEST(SetConst, NaNOfTheFileReachesTheModelAndHarmsNothingElse) {
  const ModelPtr m = CompileWorld(
      "<body pos='nan 0 0'><joint/><geom size='.1'/></body>"
      "<body><joint damping='nan'/><geom type='box' size='.1 .1 .1' pos='0 nan 0'/></body>"
      "<body><joint/><geom size='.1' mass='nan'/></body>");
  EXPECT_TRUE(std::isnan(m->body_pos[3]));
  EXPECT_TRUE(std::isnan(m->dof_damping[1]));
  EXPECT_NEAR(m->body_mass[3], 1000 * 4 * M_PI / 3 * 1e-3, 1e-9);  // undefined: from the density
}

// Frames that the compiler found to be those of their bodies follow what is written to the model.
TEST(SetConst, FramesThatMoveAreNoLongerThoseOfTheirBodies) {
  const ModelPtr model = CompileWorld(R"(<body pos="0 0 1" euler="10 20 30"><joint/>
      <geom name="g" size=".1"/><site name="s"/><body pos=".2 0 0"><joint/><inertial pos="0 0 0" mass="1"
      diaginertia=".1 .2 .3"/><geom name="h" size=".1"/></body></body>)");
  mjModel* m = model.get();
  const DataPtr d(MakeData(*m));
  const double move[] = {.3, -.2, .1};
  for (int k = 0; k < 3; ++k) m->site_pos[k] = m->geom_pos[k] = m->body_ipos[6 + k] = move[k];
  mju_axisAngle2Quat(m->geom_quat + 4, std::array<double, 3>{0, 0, 1}.data(), 1);
  mj_setConst(m, d.get());
  mj_forward(m, d.get());
  const auto expect = [&](const double* at, int body, const char* what) {
    double place[3];
    mju_mulMatVec3(place, d->xmat + 9 * body, move);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(at[k], d->xpos[3 * body + k] + place[k], 1e-15) << what;
  };
  expect(d->site_xpos, 1, "site");
  expect(d->geom_xpos, 1, "geom");
  expect(d->xipos + 6, 2, "centre of mass");
  EXPECT_NEAR(d->geom_xmat[9] - d->xmat[18] * std::cos(1) - d->xmat[19] * std::sin(1), 0, 1e-15) << "rotation";
}

// A body whose inertia matrix is compiled as a diagonal has no room for another centre of mass: that is told.
TEST(SetConst, CentreOfASimpleBodyStays) {
  static std::string told;
  const auto old = mju_user_warning;
  mju_user_warning = [](const char* text) { told = text; };
  const ModelPtr m = CompileWorld("<body name='ball'><freejoint/><geom size='.1'/></body>");
  const DataPtr d(MakeData(*m));
  m->body_ipos[3] = .1;
  mj_setConst(m.get(), d.get());
  mju_user_warning = old;
  EXPECT_NE(told.find("ball"), std::string::npos) << told;
  mj_forward(m.get(), d.get());
  EXPECT_EQ(d->xipos[3], 0);
}

}  // namespace
}  // namespace sinew
