// Limit forces of coordinates, ligaments and bushings of a document, against values of OpenSim 4.6.
#include <cmath>
#include <string>
#include <vector>

#include "model/kinds/bushing.h"
#include "osim/linear_expression.h"
#include "tests/unit/osim/read_document.h"

namespace sinew::osim {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

std::string LimitOf(const std::string& coordinate, const std::string& more = "") {
  return "<CoordinateLimitForce name='l'><coordinate>" + coordinate +
         "</coordinate><upper_limit>30</upper_limit><upper_stiffness>10</upper_stiffness><lower_limit>-20</lower_limit>"
         "<lower_stiffness>5</lower_stiffness><damping>0.5</damping><transition>8</transition>" +
         more + "</CoordinateLimitForce>";
}

TEST(OsimPassiveForces, LimitForcesOfAnglesAreGivenInDegrees) {
  const ModelPtr m = CompileDocument(
      Limb(LimitOf("elbow_coord_0"), "<coordinates>" + CoordinateOf("elbow_coord_0") + "</coordinates>"));
  const DataPtr d = WorldOf(m);
  const double expected[][3] = {
      {25, 1, 0}, {34, 2, -48.64788975654133}, {45, 2, -207.29577951308235}, {-25, 1, -2.6439630651200083}};
  for (const auto& [angle, velocity, force] : expected) {
    d->qpos[0] = angle * kDegree;
    d->qvel[0] = velocity;
    mj_forward(m.get(), d.get());
    EXPECT_NEAR(d->qfrc_passive[0], force, 1e-11 * (1 + std::abs(force))) << angle;
  }
}

TEST(OsimPassiveForces, LimitForcesOfLockedCoordinatesAreTold) {
  const std::string document =
      Limb(LimitOf("q"), "<coordinates>" + CoordinateOf("q", "<locked>true</locked>") + "</coordinates>");
  EXPECT_TRUE(Contains(WarningsOf(document), "'CoordinateLimitForce' is not used")) << WarningsOf(document);
  EXPECT_TRUE(Contains(ErrorOf(Limb(LimitOf("nothing"))), "there is no coordinate 'nothing'"));
  const std::string slack = LimitOf("elbow_coord_0");
  const std::string wrong =
      slack.substr(0, slack.find("<transition>")) + "<transition>-1</transition></CoordinateLimitForce>";
  const std::string error = ErrorOf(Limb(wrong, "<coordinates>" + CoordinateOf("elbow_coord_0") + "</coordinates>"));
  EXPECT_TRUE(Contains(error, "m.osim:") && Contains(error, "transition of the limit force is -")) << error;
}

// The path is 0.2 m longer than slack, on a coordinate that moves nothing of it.
TEST(OsimPassiveForces, LigamentsPullByTheirLaws) {
  const std::string points = Point("a", "/ground", "0 0 0") + Point("b", "/bodyset/arm", "0 0 0");
  const std::string document =
      Limb("<Blankevoort1991Ligament name='acl'>" + PathOf(points) +
           "<linear_stiffness>1000</linear_stiffness><slack_length>0.3</slack_length>"
           "</Blankevoort1991Ligament><Ligament name='mcl'>" +
           PathOf(points) + "<resting_length>0.2</resting_length><pcsa_force>500</pcsa_force></Ligament>");
  const auto spec = ReadDocument(document);
  ASSERT_EQ(spec->List<Tendon>().size(), 2u);
  const Ligament& first = spec->List<Tendon>()[0]->ligaments.at(0);
  EXPECT_EQ(first.stiffness, 1000);
  EXPECT_EQ(first.slack_length, 0.3);
  EXPECT_EQ(first.transition, 0.06);
  EXPECT_EQ(first.damping, 0.003);
  const Ligament& second = spec->List<Tendon>()[1]->ligaments.at(0);
  ASSERT_TRUE(second.curve);
  EXPECT_EQ(second.force, 500);
  // OpenSim 4.6: a path of 1.2 resting lengths, with the curve of its class
  const ModelPtr m = Compile(*spec, nullptr);
  EXPECT_EQ(m->ntendon, 2);
  EXPECT_EQ(WarningsOf(document), "");
}

std::string BushingOf(const std::string& type, const std::string& content, bool old = false) {
  const std::string frames =
      old ? "<body_1>ground</body_1><body_2>arm</body_2><location_body_1>0.1 0.2 0.3</location_body_1>"
            "<orientation_body_1>0.1 0.2 0.3</orientation_body_1><location_body_2>0.1 0 0.1</location_body_2>"
            "<orientation_body_2>0.2 -0.1 0.3</orientation_body_2>"
          : "<socket_frame1>f1</socket_frame1><socket_frame2>f2</socket_frame2><frames>" +
                Frame("f1", "/ground", "0.1 0.2 0.3", "0.1 0.2 0.3") +
                Frame("f2", "/bodyset/arm", "0.1 0 0.1", "0.2 -0.1 0.3") + "</frames>";
  return "<" + type + " name='b'>" + frames + content +
         "<rotational_damping>1 2 3</rotational_damping><translational_damping>4 5 6</translational_damping></" + type +
         ">";
}

constexpr char kExpressions[] =
    "<Mx_expression>10*theta_x+2*theta_y</Mx_expression><My_expression>2*theta_x+3*theta_y</My_expression>"
    "<Fx_expression>100*delta_x</Fx_expression><Fy_expression>50*delta_y</Fy_expression>";

// A free body, turned by the angles (.2, -.3, .4) and at (.05, .1, -.1), with angular velocity (.3, .1, -.2) and
// velocity
// (.1, .2, .3) in ground: what OpenSim's bushing does to it, as a force and a torque about its frame, in ground.
void ExpectWrench(const std::string& bushing) {
  const ModelPtr m = CompileDocument(DocumentOf(Set("BodySet", BodyOf("arm")) + Set("ForceSet", bushing)));
  const DataPtr d = WorldOf(m);
  ASSERT_EQ(m->nv, 6);
  const double up[] = {std::sqrt(0.5), std::sqrt(0.5), 0, 0};  // y of ground is z of the world
  const double place[] = {0.05, 0.1, -0.1}, angles[] = {0.2, -0.3, 0.4}, w[] = {0.3, 0.1, -0.2}, v[] = {0.1, 0.2, 0.3};
  double quat[4], euler[4], turned[3], back[4];
  mju_euler2Quat(euler, angles, "xyz");
  mju_mulQuat(quat, up, euler);
  mju_rotVecQuat(d->qpos, place, up);
  mju_copy4(d->qpos + 3, quat);
  mju_rotVecQuat(d->qvel, v, up);
  mju_rotVecQuat(turned, w, up);
  mju_negQuat(back, quat);
  mju_rotVecQuat(d->qvel + 3, turned, back);
  mj_forward(m.get(), d.get());
  double force[3], torque[3], down[4], arm[3], moment[3];
  mju_negQuat(down, up);
  mju_rotVecQuat(force, d->qfrc_passive, down);
  mju_rotVecQuat(turned, d->qfrc_passive + 3, quat);
  mju_rotVecQuat(torque, turned, down);
  // from the origin of the body to the second frame
  const double offset[] = {0.1, 0, 0.1};
  mju_rotVecQuat(arm, offset, euler);
  mju_cross(moment, arm, force);
  const double forces[] = {-4.627769902724174, 4.492965315883086, -0.4471472899739559};
  const double torques[] = {-1.3057806102196483, 1.027557894565281, 0.5920355309469701};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(force[k], forces[k], 1e-12) << k;
    EXPECT_NEAR(torque[k] - moment[k], torques[k], 1e-12) << k;
  }
}

TEST(OsimPassiveForces, BushingsActAsOpenSims) {
  ExpectWrench(BushingOf("ExpressionBasedBushingForce", kExpressions));
  ExpectWrench(BushingOf("ExpressionBasedBushingForce", kExpressions, /*old=*/true));
}

TEST(OsimPassiveForces, BushingsHaveStiffnessesAndFunctions) {
  const auto spec = ReadDocument(DocumentOf(
      Set("BodySet", BodyOf("arm")) +
      Set("ForceSet",
          BushingOf("BushingForce",
                    "<rotational_stiffness>1 2 3</rotational_stiffness><translational_stiffness>4 5 6"
                    "</translational_stiffness>") +
              BushingOf("FunctionBasedBushingForce",
                        "<m_x_theta_x_function><LinearFunction><coefficients>7 0</coefficients></LinearFunction>"
                        "</m_x_theta_x_function>"))));
  std::vector<Bushing> bushings;
  for (const auto& site : spec->world().sites) {
    bushings.insert(bushings.end(), site->bushings.begin(), site->bushings.end());
  }
  ASSERT_EQ(bushings.size(), 2u);
  EXPECT_EQ(bushings[0].stiffness, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(bushings[0].damping, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(bushings[1].stiffness, (std::vector<double>{7, 0, 0, 0, 0, 0}));
}

TEST(OsimPassiveForces, BushingsThatAreNotLinearAreTold) {
  const auto warnings = [](const std::string& type, const std::string& content) {
    return WarningsOf(DocumentOf(Set("BodySet", BodyOf("arm")) + Set("ForceSet", BushingOf(type, content))));
  };
  EXPECT_TRUE(Contains(warnings("ExpressionBasedBushingForce", "<Mx_expression>theta_x^3</Mx_expression>"), "linear"));
  EXPECT_TRUE(
      Contains(warnings("ExpressionBasedBushingForce", "<Mx_expression>5*theta_y</Mx_expression>"), "symmetric"));
  EXPECT_TRUE(Contains(warnings("FunctionBasedBushingForce",
                                "<f_x_delta_x_function><SimmSpline><x>0 1 2</x><y>0 1 4</y></SimmSpline>"
                                "</f_x_delta_x_function>"),
                       "linear"));
}

TEST(OsimPassiveForces, LinearExpressions) {
  const std::vector<std::string> xy = {"x", "y"};
  using Numbers = std::vector<double>;
  EXPECT_EQ(LinearCoefficients("x", xy), (Numbers{1, 0}));
  EXPECT_EQ(LinearCoefficients(" -2.5e1*x + 3*(y - 2*x)/4 ", xy), (Numbers{-26.5, 0.75}));
  EXPECT_EQ(LinearCoefficients("0.0", xy), (Numbers{0, 0}));
  EXPECT_EQ(LinearCoefficients("-(x-y)*2", xy), (Numbers{-2, 2}));
  for (const char* other : {"x*y", "x*x", "1+x", "x^2", "z", "", "(x", "x)", "x/y", "x/0", "2x", "sin(x)", "+", "x+"}) {
    EXPECT_EQ(LinearCoefficients(other, xy), std::nullopt) << other;
  }
  EXPECT_EQ(LinearCoefficients(std::string(100000, '('), xy), std::nullopt);
}

}  // namespace
}  // namespace sinew::osim
