// Which rows there are, and what they say.
#include <algorithm>
#include <cmath>

#include "tests/unit/constraint/models.h"
#include "tests/unit/constraint/world.h"

namespace sinew {
namespace {

TEST(Rows, AreOrderedByClassThenObject) {
  StagedWorld world(kAllClasses);
  double* qpos = world.d()->qpos;
  qpos[0] = .4;
  qpos[1] = -.1;
  qpos[9] = std::cos(.4);
  qpos[12] = std::sin(.4);
  world.Position();
  const mjData* d = world.d();
  EXPECT_EQ(Values(&d->ne, 3), (std::vector<int>{5, 2, 3}));
  EXPECT_EQ(Values(d->efc_type, d->nefc), (std::vector<int>{0, 0, 0, 0, 0, 1, 2, 3, 3, 4, 6, 6, 6, 6}));
  EXPECT_EQ(Values(d->efc_id, d->nefc), (std::vector<int>{0, 1, 1, 1, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0}));
  EXPECT_EQ(d->tendon_efcadr[0], 4);
  EXPECT_EQ(d->contact[0].efc_address, 10);

  // joint equality: y1 - P(x), with h2 as a function of h1
  EXPECT_NEAR(d->efc_pos[0], -.46144, 1e-14);
  const std::vector<double> J = world.J(0);
  EXPECT_NEAR(J[0], -.9064, 1e-14);
  EXPECT_EQ(J[1], 1);

  // ball limit: range minus angle, about the rotation axis
  EXPECT_NEAR(d->efc_pos[8], -.276401224402, 1e-12);
  ExpectNear(Values(world.J(8).data() + 8, 3), {0, 0, -1}, 1e-14);
}

TEST(Rows, OfABallLimitDoNotDependOnTheQuaternionsSign) {
  StagedWorld world(kAllClasses);
  double* quat = world.d()->qpos + 9;
  quat[0] = -2 * std::cos(.4);
  quat[3] = -2 * std::sin(.4);
  world.Position();
  const int row = world.d()->ne + world.d()->nf;
  EXPECT_EQ(world.d()->efc_type[row], mjCNSTR_LIMIT_JOINT);
  EXPECT_NEAR(world.d()->efc_pos[row], -.276401224402, 1e-12);
}

constexpr char kSlide[] = R"(
  <worldbody><body><joint type="slide" axis="1 0 0" range="-1 1" limited="true" margin="MARGIN"/>
    <geom size=".1" mass="2"/></body></worldbody>)";

std::string SlideWithMargin(const std::string& margin) {
  std::string xml = kSlide;
  return xml.replace(xml.find("MARGIN"), 6, margin);
}

TEST(Rows, OfLimitsExistStrictlyInsideTheMargin) {
  StagedWorld none(SlideWithMargin("0"));
  none.d()->qpos[0] = 1;
  none.Position();
  EXPECT_EQ(none.d()->nefc, 0);

  StagedWorld wide(SlideWithMargin("2"));
  wide.Position();
  ASSERT_EQ(wide.d()->nefc, 2);  // both sides
  EXPECT_EQ(wide.J(0)[0], 1);
  EXPECT_EQ(wide.J(1)[0], -1);
  EXPECT_EQ(wide.d()->efc_margin[1], 2);
}

TEST(Rows, OfADisabledClassAreAbsent) {
  for (const auto& [flag, nefc] : {std::pair{mjDSBL_EQUALITY, 8}, std::pair{mjDSBL_FRICTIONLOSS, 11},
                                   std::pair{mjDSBL_LIMIT, 11}, std::pair{mjDSBL_CONSTRAINT, 0}}) {
    StagedWorld world(kAllClasses);
    world.d()->qpos[0] = .4;
    world.m()->opt.disableflags = flag;
    world.Position();
    EXPECT_EQ(world.d()->nefc, nefc) << "flag " << flag;
  }
}

// As in MuJoCo 3.8.0, a contact between things that cannot move is excluded, unless nothing in the model can.
TEST(Rows, OfStaticContactsAreExcludedBesideDofs) {
  const std::string pair = R"(
    <worldbody><geom name="floor" type="plane" size="1 1 1"/><body><geom name="ball" size=".1"/></body>%s</worldbody>
    <contact><pair geom1="floor" geom2="ball"/></contact>)";
  const std::string moving = "<body pos='0 0 9'><freejoint/><geom size='.1'/></body>";
  for (const std::string& more : {std::string(), moving}) {
    StagedWorld world(std::string(pair).replace(pair.find("%s"), 2, more));
    world.Position();
    ASSERT_EQ(world.d()->ncon, 1);
    EXPECT_EQ(world.d()->nefc, 0);
    EXPECT_EQ(world.d()->contact[0].exclude, more.empty() ? 0 : 3);
    EXPECT_EQ(world.d()->contact[0].efc_address, -1);
  }
}

// A tendon straight up on a horizontal slide does not change length: no row in dense mode, a zero row in sparse mode.
TEST(Rows, ThatAreZeroAreDroppedWhenDense) {
  const std::string xml = R"(
    <worldbody><site name="top" pos="0 0 1"/>
      <body><joint type="slide" axis="1 0 0"/><geom size=".1" mass="1"/><site name="s"/></body></worldbody>
    <tendon><spatial range="0 .5" limited="true"><site site="top"/><site site="s"/></spatial></tendon>)";
  StagedWorld dense("<option jacobian='dense'/>" + xml), sparse("<option jacobian='sparse'/>" + xml);
  dense.Position();
  sparse.Position();
  EXPECT_EQ(dense.d()->nefc, 0);
  EXPECT_EQ(sparse.d()->nefc, 1);
}

TEST(Rows, HaveTheDocumentedSparsity) {
  StagedWorld world(R"(
    <option jacobian="sparse"/>
    <worldbody>
      <body><joint name="a" type="slide"/><geom size=".1" mass="1"/>
        <body name="B"><joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
        <body name="C" pos="1 0 0"><joint name="c" type="slide" axis="0 1 0"/><geom size=".1" mass="1"/></body>
      </body></worldbody>
    <equality><connect body1="B" body2="C" anchor="0 0 0"/><joint joint1="a" joint2="c"/></equality>)");
  world.m()->opt.disableflags = mjDSBL_CONTACT;
  world.Position();
  const mjData* d = world.d();
  EXPECT_EQ(d->nJ, 11);
  EXPECT_EQ(Values(d->efc_J_rownnz, 4), (std::vector<int>{3, 3, 3, 2}));
  EXPECT_EQ(Values(d->efc_J_rowadr, 4), (std::vector<int>{0, 3, 6, 9}));
  EXPECT_EQ(Values(d->efc_J_colind, 11), (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 2}));
  EXPECT_EQ(Values(d->efc_J_rowsuper, 4), (std::vector<int>{2, 1, 0, 0}));
}

// Sphere of mass 2, 1 cm deep in a plane.
std::string SphereOnPlane(const std::string& option, int condim) {
  return "<option " + option + "/><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .09'><freejoint/>" +
         "<geom size='.1' mass='2' friction='.7 .02 .003' condim='" + std::to_string(condim) + "'/></body></worldbody>";
}

struct ContactCase {
  const char* option;
  int condim;
  double mu;
  std::vector<double> weight, R;
};
class ContactTable : public testing::TestWithParam<ContactCase> {};

TEST_P(ContactTable, GivesRegularization) {
  const ContactCase& c = GetParam();
  StagedWorld world(SphereOnPlane(c.option, c.condim));
  world.Position();
  EXPECT_DOUBLE_EQ(world.d()->contact[0].mu, c.mu);
  // ten significant digits
  for (size_t r = 0; r < c.R.size(); ++r) {
    EXPECT_NEAR(world.d()->efc_diagApprox[r], c.weight[r], 1e-9 * c.weight[r]);
    EXPECT_NEAR(world.d()->efc_R[r], c.R[r], 1e-9 * c.R[r]);
    EXPECT_DOUBLE_EQ(world.d()->efc_D[r] * world.d()->efc_R[r], 1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sphere, ContactTable,
    testing::Values(
        ContactCase{"cone='pyramidal'", 3, 1, {2, 2, 2, 2}, {.10526315789, .10526315789, .10526315789, .10526315789}},
        ContactCase{"cone='pyramidal' impratio='4'",
                    3,
                    .5,
                    {.5, .5, .5, .5},
                    {.02631578947, .02631578947, .02631578947, .02631578947}},
        ContactCase{"cone='elliptic'", 3, 1, {.5, .5, .5}, {.02631578947, .02631578947, .02631578947}},
        ContactCase{
            "cone='elliptic' impratio='4'", 3, .5, {.5, .125, .125}, {.02631578947, .006578947368, .006578947368}},
        ContactCase{"cone='elliptic'",
                    6,
                    1,
                    {.5, .5, .5, 1250, 55555.5555556, 55555.5555556},
                    {.02631578947, .02631578947, .02631578947, 65.78947368, 2923.976608, 2923.976608}}));

// Compares a Jacobian row with central differences of the residual.
void CheckJacobian(StagedWorld& world, int row, const std::vector<double>& qpos) {
  const double h = 1e-6;
  const int nv = static_cast<int>(world.m()->nv);
  mjData* d = world.d();
  const auto residual = [&](const std::vector<double>& velocity) {
    std::copy(qpos.begin(), qpos.end(), d->qpos);
    mj_integratePos(world.m(), d->qpos, velocity.data(), h);
    world.Position();
    return d->efc_pos[row];
  };
  const std::vector<double> J = world.J(row);
  for (int dof = 0; dof < nv; ++dof) {
    std::vector<double> step(nv, 0.0);
    step[dof] = 1;
    const double plus = residual(step);
    step[dof] = -1;
    // truncation h^2, rounding 1e-16 / h
    EXPECT_NEAR(J[dof], (plus - residual(step)) / (2 * h), 1e-8) << "row " << row << " dof " << dof;
  }
  std::copy(qpos.begin(), qpos.end(), d->qpos);
  world.Position();
}

// Rows that measure no position, friction and contact tangents, are left out.
struct NamedModel {
  const char* name;
  const char* xml;
};
class RowJacobian : public testing::TestWithParam<NamedModel> {};

TEST_P(RowJacobian, IsTheDerivativeOfTheResidual) {
  StagedWorld world(std::string(GetParam().xml) + "<option cone='elliptic'/>");
  const int nv = static_cast<int>(world.m()->nv);
  std::vector<double> qvel(nv), qpos(world.m()->nq);
  for (int i = 0; i < nv; ++i) qvel[i] = std::sin(1.0 + 3 * i);
  mj_integratePos(world.m(), world.d()->qpos, qvel.data(), .02);
  std::copy(world.d()->qpos, world.d()->qpos + world.m()->nq, qpos.begin());
  world.Position();
  const int nefc = world.d()->nefc;
  ASSERT_GT(nefc, 10);
  for (int row = 0; row < nefc; ++row) {
    const int type = world.d()->efc_type[row];
    const bool normal = row == 0 || world.d()->efc_id[row] != world.d()->efc_id[row - 1];
    if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON) continue;
    if (type == mjCNSTR_CONTACT_ELLIPTIC && !normal) continue;
    CheckJacobian(world, row, qpos);
    ASSERT_EQ(world.d()->nefc, nefc);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RowJacobian,
                         testing::Values(NamedModel{"AllClasses", kAllClasses}, NamedModel{"Linked", kLinked}),
                         [](const auto& test) { return test.param.name; });

TEST(Rows, AreLostWhenAContactIsAdded) {
  StagedWorld world(SphereOnPlane("", 3));
  world.Position();
  mjData* d = world.d();
  ASSERT_EQ(d->nefc, 4);
  EXPECT_EQ(mj_addContact(world.m(), d, d->contact), 0);
  EXPECT_EQ(d->nefc, 0);
  ASSERT_EQ(d->ncon, 2);
  EXPECT_EQ(d->contact[1].dist, d->contact[0].dist);
  MakeConstraint(world.m(), d);
  ASSERT_EQ(d->nefc, 8);
  EXPECT_EQ(d->contact[1].efc_address, 4);
  EXPECT_EQ(world.J(0), world.J(4));
}

TEST(Rows, AreGivenUpWhenTheArenaIsFull) {
  std::string bodies;
  for (int i = 0; i < 9; ++i) {
    bodies +=
        "<body pos='" + std::to_string(i) + " 0 .095'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>";
  }
  StagedWorld world("<size memory='60000'/><worldbody><geom type='plane' size='20 20 .1'/>" + bodies + "</worldbody>");
  world.Position();
  const mjData* d = world.d();
  EXPECT_EQ(d->nefc, 0);
  EXPECT_EQ(Values(&d->ne, 3), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(d->warning[mjWARN_CNSTRFULL].number, 1);
  EXPECT_EQ(d->warning[mjWARN_CNSTRFULL].lastinfo, 60000);
  EXPECT_GT(d->ncon, 0);
  for (int i = 0; i < d->ncon; ++i) EXPECT_EQ(d->contact[i].efc_address, -1);
}

}  // namespace
}  // namespace sinew
