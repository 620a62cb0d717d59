#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

constexpr double kDigits = 1e-8;  // digits of the worked numbers

TEST(Inertial, OneGeomGivesItsOwnFrame) {
  const ModelPtr m = CompileWorld("<body><geom type='box' size='.3 .2 .1' pos='1 2 3' quat='0 1 0 0'/></body>");
  ExpectNear(m->body_ipos + 3, {1, 2, 3}, 0);
  ExpectNear(m->body_iquat + 4, {0, 1, 0, 0}, 0);
  ExpectNear(m->body_inertia + 3, {.8, 1.6, 2.08}, kDigits);  // not sorted
}

TEST(Inertial, TwoGeomsGiveMeanPositionAndShiftedInertia) {
  const ModelPtr m =
      CompileWorld("<body><geom size='.1' mass='1' pos='1 0 0'/><geom size='.1' mass='3' pos='-1 0 0'/></body>");
  const double own = .4 * .01 * 4, apart = 1 * 2.25 + 3 * .25;  // 2/5 m r^2, and m d^2 about x = -.5
  EXPECT_DOUBLE_EQ(m->body_mass[1], 4);
  ExpectNear(m->body_ipos + 3, {-.5, 0, 0}, 1e-15);
  ExpectNear(m->body_inertia + 3, {own + apart, own + apart, own}, 1e-12);
}

TEST(Inertial, FullInertia) {
  const ModelPtr m = CompileWorld("<body><inertial pos='0 0 0' mass='1' fullinertia='2 2.5 3 .1 .2 .3'/></body>");
  ExpectNear(m->body_inertia + 3, {3.18276017, 2.35956498, 1.95767486}, kDigits);
  ExpectNear(m->body_iquat + 4, {.17295088, .75029576, .13475503, .62368690}, kDigits);
}

TEST(Inertial, GroupsAndMode) {
  const std::string body =
      "<worldbody><body><inertial pos='0 0 0' mass='7' diaginertia='1 1 1'/>"
      "<geom size='.1' mass='1'/><geom size='.1' mass='2' group='3'/></body></worldbody>";
  EXPECT_EQ(CompileXml(body)->body_mass[1], 7);
  EXPECT_EQ(CompileXml("<compiler inertiafromgeom='true'/>" + body)->body_mass[1], 3);
  EXPECT_EQ(CompileXml("<compiler inertiafromgeom='true' inertiagrouprange='3 5'/>" + body)->body_mass[1], 2);
}

// What a program sets: the centre of mass, or the mark of values that are given, puts them before geoms; a mass alone
// stands where geoms have none.
TEST(Inertial, ValuesOfPrograms) {
  struct Case {
    bool marked, centred, geom;
    double mass;
  };
  constexpr double kBall = 1000 * 4. / 3 * 3.14159265358979 * .001;
  for (const Case& c : {Case{false, false, false, 3},
                        {false, false, true, kBall},
                        {false, true, true, 3},
                        {true, false, true, 3},
                        {true, true, false, 3}}) {
    mjSpec* spec = mj_makeSpec();
    mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), nullptr);
    if (c.geom) mjs_addGeom(body, nullptr)->size[0] = .1;
    body->mass = 3;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 1;
    body->explicitinertial = c.marked;
    if (c.centred) std::fill_n(body->ipos, 3, .5);
    const ModelPtr m(mj_compile(spec, nullptr));
    ASSERT_TRUE(m) << mjs_getError(spec);
    EXPECT_NEAR(m->body_mass[1], c.mass, 1e-12);
    EXPECT_EQ(m->body_ipos[3], c.centred ? .5 : 0);
    mj_deleteSpec(spec);
  }
}

// Without a centre of mass the inertial frame is the body's own pose in its parent, whatever orientation is given;
// frames around the body do not count. NaN is how files leave a number out.
TEST(Inertial, WithoutCentreTheFrameIsThePoseOfTheBody) {
  const ModelPtr m = CompileWorld(
      "<body pos='1 2 3'><freejoint/><inertial pos='nan 0 0' mass='1' quat='0 1 0 0' diaginertia='1 1 1'/></body>");
  EXPECT_EQ(m->body_mass[1], 1);
  ExpectNear(m->body_ipos + 3, {1, 2, 3}, 0);
  ExpectNear(m->body_iquat + 4, {1, 0, 0, 0}, 0);

  for (const bool full : {false, true}) {
    mjSpec* spec = mj_makeSpec();
    mjsBody* world = mjs_findBody(spec, "world");
    mjsFrame* frame = mjs_addFrame(world, nullptr);
    frame->pos[0] = 10;
    mjsBody* body = mjs_addBody(world, nullptr);
    mjs_setFrame(body->element, frame);
    const double pos[] = {1, 2, 3}, turn[] = {std::sqrt(.5), 0, 0, std::sqrt(.5)}, matrix[] = {3, 2, 4, 0, 0, 0};
    std::copy_n(pos, 3, body->pos);
    std::copy_n(turn, 4, body->quat);
    body->mass = 3;
    std::copy_n(matrix, 3, body->inertia);
    if (full) {
      std::copy_n(matrix, 6, body->fullinertia);
      std::fill_n(body->inertia, 3, 0);
    }
    const ModelPtr compiled(mj_compile(spec, nullptr));
    ASSERT_TRUE(compiled) << mjs_getError(spec);
    EXPECT_EQ(compiled->body_pos[3], 11);
    EXPECT_EQ(compiled->body_mass[1], 3);
    ExpectNear(compiled->body_ipos + 3, {1, 2, 3}, 0);
    ExpectNear(compiled->body_iquat + 4, {turn[0], 0, 0, turn[3]}, 1e-15);
    ExpectNear(compiled->body_inertia + 3, full ? std::vector<double>{4, 3, 2} : std::vector<double>{3, 2, 4}, 1e-12);
    mj_deleteSpec(spec);
  }
}

TEST(Inertial, BodyWithoutMassKeepsItsOwnPoseAsFrame) {
  const ModelPtr m = CompileWorld("<body pos='1 2 3' euler='0 0 90'/>");
  ExpectNear(m->body_ipos + 3, {1, 2, 3}, 0);
  ExpectNear(m->body_iquat + 4, {std::sqrt(.5), 0, 0, std::sqrt(.5)}, 1e-15);
}

TEST(Inertial, BoundsBalanceAndTotal) {
  const ModelPtr bounded = CompileXml("<compiler boundmass='.5' boundinertia='.1'/><worldbody><body/></worldbody>");
  EXPECT_EQ(bounded->body_mass[1], .5);
  EXPECT_EQ(bounded->body_inertia[3], .1);
  const std::string impossible =
      "<worldbody><body><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body></worldbody>";
  EXPECT_NE(ErrorOf(impossible).find("A + B >= C"), std::string::npos);
  // Rods and plates are on the border, where a sum rounds to either side of it.
  EXPECT_NO_THROW(CompileXml(
      "<worldbody><body><inertial pos='0 0 0' mass='1' diaginertia='.1 .2 .30000000000000005'/></body></worldbody>"));
  EXPECT_DOUBLE_EQ(CompileXml("<compiler balanceinertia='true'/>" + impossible)->body_inertia[4], 5. / 3);
  const ModelPtr total = CompileXml(
      "<compiler settotalmass='6'/><worldbody><body><geom size='.1' mass='1'/></body>"
      "<body><geom size='.1' mass='2'/></body></worldbody>");
  ExpectNear(total->body_mass, {0, 2, 4}, 1e-15);
  EXPECT_NEAR(total->body_inertia[3], .4 * 2 * .01, 1e-15);
}

TEST(Inertial, MovingBodyNeedsMass) {
  EXPECT_NE(ErrorOf("<worldbody><body name='b'><joint/></body></worldbody>").find("body 'b'"), std::string::npos);
  EXPECT_NO_THROW(CompileWorld("<body><joint/><body><geom size='.1'/></body></body>"));  // carried by a fixed child
}

TEST(Inertial, AlignedFreeBody) {
  const ModelPtr m = CompileXml(
      "<compiler alignfree='true'/><worldbody><body pos='0 0 1' euler='0 0 90'><freejoint/>"
      "<geom type='box' size='.1 .2 .3' pos='1 0 0' euler='0 0 45'/><site pos='1 0 0'/></body></worldbody>");
  ExpectNear(m->qpos0, {0, 1, 1, .38268343, 0, 0, .92387953}, kDigits);
  ExpectNear(m->geom_pos, {0, 0, 0}, 1e-15);
  ExpectNear(m->site_pos, {0, 0, 0}, 1e-15);
  EXPECT_EQ(m->body_simple[1], 1);
}

}  // namespace
}  // namespace sinew
