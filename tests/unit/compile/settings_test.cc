// Every setting of <compiler> that changes the model, on the models of models/compiler.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>

#include "tests/testing/models_folder.h"
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

constexpr double kDigits = 1e-8;                                // of numbers written below
constexpr double kSphere = 1000 * 4 * M_PI * .1 * .1 * .1 / 3;  // mass of a sphere of radius .1
constexpr double kBox[3] = {2.08, 1.6, .8};                     // moments of the box .1 .2 .3, of mass 48

ModelPtr Load(const char* name) {
  return Compile(*ReadXml(ModelsFile("compiler/" + std::string(name) + ".xml"), nullptr), nullptr);
}

// The number of the element with a name.
int Id(const ModelPtr& m, mjtObj type, const char* name) { return mj_name2id(m.get(), type, name); }

TEST(CompilerSettings, BalanceInertiaTakesTheMeanOfImpossibleMoments) {
  const ModelPtr m = Load("balanceinertia");
  ExpectNear(m->body_inertia + 3, {7. / 3, 7. / 3, 7. / 3}, kDigits);
  ExpectNear(m->body_inertia + 6, {1, 2, 3}, 0);
  EXPECT_NE(ErrorOf("<worldbody><body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 5'/></body></worldbody>")
                .find("balanceinertia"),
            std::string::npos);
}

TEST(CompilerSettings, BoundsHoldForEmptyBodiesToo) {
  const ModelPtr m = Load("bounds");
  ExpectNear(m->body_mass, {0, .5, kSphere / 8, 48}, kDigits);
  ExpectNear(m->body_inertia + 3, {.01, .01, .01, .01, .01, .01, kBox[0], kBox[1], kBox[2]}, kDigits);
}

TEST(CompilerSettings, SetTotalMassScalesMomentsWithMasses) {
  const ModelPtr m = Load("settotalmass");
  const double scale = 10 / (48 + kSphere);
  EXPECT_NEAR(m->body_subtreemass[0], 10, kDigits);
  ExpectNear(m->body_mass, {0, 48 * scale, kSphere * scale}, kDigits);
  ExpectNear(m->body_inertia + 3, {kBox[0] * scale, kBox[1] * scale, kBox[2] * scale}, kDigits);
  ExpectNear(m->dof_M0, {.510445385, .00321049037}, kDigits);  // derived behind it
}

TEST(CompilerSettings, FuseStaticKeepsWhatIsReferredTo) {
  const ModelPtr m = Load("fusestatic");
  const int arm = Id(m, mjOBJ_BODY, "arm");
  EXPECT_EQ(m->nbody, 4);
  EXPECT_EQ(Id(m, mjOBJ_BODY, "shelf"), -1);
  EXPECT_EQ(Id(m, mjOBJ_BODY, "tool"), -1);
  EXPECT_GT(Id(m, mjOBJ_BODY, "watched"), arm);
  // Parts move to the parent with their poses.
  EXPECT_EQ(m->site_bodyid[Id(m, mjOBJ_SITE, "on_shelf")], 0);
  EXPECT_EQ(m->site_bodyid[Id(m, mjOBJ_SITE, "tip")], arm);
  ExpectNear(m->site_pos + 3 * Id(m, mjOBJ_SITE, "tip"), {.3, 0, .2}, kDigits);
  ExpectNear(m->body_pos + 3 * Id(m, mjOBJ_BODY, "drawer"), {1, 1, 0}, kDigits);
  // So does the mass: 48 at the origin and 3 at (.3, 0, .1).
  EXPECT_NEAR(m->body_mass[arm], 51, kDigits);
  ExpectNear(m->body_ipos + 3 * arm, {.3 * 3 / 51, 0, .1 * 3 / 51}, kDigits);
}

TEST(CompilerSettings, DiscardVisualKeepsMassAndWhatIsReferredTo) {
  const ModelPtr m = Load("discardvisual");
  EXPECT_EQ(Id(m, mjOBJ_GEOM, "cover"), -1);
  EXPECT_EQ(m->ngeom, 3);  // of those without contacts, one carries a tendon
  EXPECT_EQ(m->nmesh, 1);
  EXPECT_EQ(m->geom_dataid[2], Id(m, mjOBJ_MESH, "foot"));
  EXPECT_EQ(m->nmat + m->ntex, 0);
  EXPECT_NEAR(m->body_mass[1], kSphere + 48 + 1000 * M_PI * .05 * .05 * .2, kDigits);
}

TEST(CompilerSettings, AlignFreeMovesFramesToTheCentreOfMass) {
  const ModelPtr m = Load("alignfree");
  // A yaw of 90 degrees with the box at x = 1, turned by another 45.
  ExpectNear(m->qpos0, {0, 1, 1, std::cos(3 * M_PI / 8), 0, 0, std::sin(3 * M_PI / 8)}, kDigits);
  ExpectNear(m->geom_pos, {0, 0, 0}, kDigits);
  ExpectNear(m->site_pos, {0, 0, 0}, kDigits);
  EXPECT_EQ(m->body_simple[Id(m, mjOBJ_BODY, "aligned")], 1);
  // A joint that declines, and a body with children, stay.
  ExpectNear(m->body_ipos + 3 * Id(m, mjOBJ_BODY, "kept"), {1, 0, 0}, kDigits);
  ExpectNear(m->body_ipos + 3 * Id(m, mjOBJ_BODY, "parent"), {1, 0, 0}, kDigits);
}

TEST(CompilerSettings, WithoutAutolimitsRangesNeedTheirFlags) {
  const ModelPtr m = Load("autolimits");
  EXPECT_EQ(Take(m->jnt_limited, 2), (std::vector<mjtByte>{1, 0}));
  EXPECT_EQ(Take(m->actuator_ctrllimited, 2), (std::vector<mjtByte>{1, 0}));
  ExpectNear(m->jnt_range, {-M_PI / 2, M_PI / 2, -90, 90}, kDigits);  // what does not count is not converted
  EXPECT_NE(ErrorOf("<compiler autolimits='false'/><worldbody><body><joint range='0 1'/><geom size='.1'/></body>"
                    "</worldbody>")
                .find("autolimits"),
            std::string::npos);
}

TEST(CompilerSettings, InertiaGroupRangeSelectsGeoms) {
  const ModelPtr m = Load("inertiagrouprange");
  EXPECT_NEAR(m->body_mass[1], 2 * kSphere, kDigits);
  ExpectNear(m->body_ipos + 3, {.25, 0, 0}, kDigits);
}

TEST(CompilerSettings, InertiaFromGeomDecidesWhichInertiaCounts) {
  ExpectNear(Load("inertiafromgeom")->body_mass, {0, kSphere, 48}, kDigits);
  ExpectNear(Load("inertianotfromgeom")->body_mass, {0, 7, 0}, kDigits);
}

TEST(CompilerSettings, GivenInertiaStandsForGeomsWithoutMass) {
  const ModelPtr m = CompileXml(
      "<compiler inertiafromgeom='true'/><worldbody><body><freejoint/><geom size='.1' mass='0'/>"
      "<inertial pos='0 0 0' mass='7' diaginertia='1 1 1'/></body></worldbody>");
  EXPECT_EQ(m->body_mass[1], 7);
}

TEST(CompilerSettings, EulerSequenceMixesFixedAndMovingAxes) {
  const ModelPtr m = Load("eulerseq");
  ExpectNear(m->body_quat + 4, {.983347443, .064071348, .091157549, .143572175}, kDigits);
  ExpectNear(m->site_quat, {.850300645, .118611776, .464521360, .217117400}, kDigits);
}

// To the last bit: multiplying by the inverse of the norm gives another last digit.
TEST(CompilerSettings, QuaternionsAreDividedByTheirNorm) {
  const ModelPtr m = CompileWorld("<body quat='0.131 -0.536 0.362 1.304'/>");
  const double q[4] = {0.131, -0.536, 0.362, 1.304};
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(m->body_quat[4 + i], q[i] / norm);
}

TEST(CompilerSettings, OrientationsOfAllKindsComposeThroughFrames) {
  const ModelPtr m = Load("coordinates");
  // The body's z axis along (1, 1, 0) of a frame with a yaw of 90 degrees: along (-1, 1, 0).
  mjtNum axis[3] = {0, 0, 1};
  mju_rotVecQuat(axis, axis, m->body_quat + 4);
  ExpectNear(axis, {-std::sqrt(.5), std::sqrt(.5), 0}, kDigits);
  // In the inner frame, which is rolled by 45 degrees and raised by 1.
  const double half = std::sqrt(.5);
  ExpectNear(m->jnt_pos, {.1, 0, 1}, kDigits);
  ExpectNear(m->jnt_axis, {0, -half, half}, kDigits);
  ExpectNear(m->site_pos, {0, half, 1 + half}, kDigits);
  ExpectNear(m->light_dir, {0, half, half}, kDigits);
}

}  // namespace
}  // namespace sinew
