// Joints: the pose of the child against the product of matrices that the format defines,
// X_PB = X_PF X_FM(q) X_BM^-1, for every kind of joint, in both generations of the format.
#include <array>
#include <vector>

#include "compile/tree/pose.h"
#include "kinematics/kinematics.h"
#include "math/orientation.h"
#include "tests/unit/osim/read_document.h"

namespace sinew::osim {
namespace {

using Coordinates = std::vector<std::pair<std::string, double>>;

constexpr Vec3<double> kX = {1, 0, 0}, kY = {0, 1, 0}, kZ = {0, 0, 1};

Pose Angles(double x, double y, double z, const Vec3<double>& position) {
  const double angles[3] = {x, y, z};
  return {position, FromEuler(angles, "xyz")};
}
const Pose kF = Angles(0.2, 0.4, -0.3, {0.1, -0.2, 0.3}), kM = Angles(-0.1, 0.3, 0.5, {-0.05, 0.02, 0.07});

Pose Turn(const Vec3<double>& axis, double angle) { return {{0, 0, 0}, AxisAngle(axis, angle)}; }
Pose Shift(const Vec3<double>& by) { return {by, {1, 0, 0, 0}}; }

// In a document y is up; the world of a model has z there.
Pose InWorld(const Pose& in_ground) { return Turn(kX, mjPI / 2) * in_ground; }

// The pose of body 1 at values of the coordinates.
Pose PoseOfModel(const std::string& document, const Coordinates& coordinates) {
  const ModelPtr m = CompileDocument(document);
  const DataPtr d = WorldOf(m);
  for (const auto& [name, value] : coordinates) {
    const int joint = mj_name2id(m.get(), mjOBJ_JOINT, name.c_str());
    EXPECT_GE(joint, 0) << name;
    d->qpos[m->jnt_qposadr[joint]] = value;
  }
  mj_kinematics(m.get(), d.get());
  return {LoadVec3(d->xpos + 3), LoadQuat(d->xquat + 4)};
}

void ExpectPose(const Pose& found, const Pose& wanted) {
  const Quat<double> difference = Conjugate(found.quat) * wanted.quat;
  EXPECT_LT(Norm(found.pos - wanted.pos), 1e-12);
  EXPECT_LT(Norm(difference.Im()), 1e-12);
}

std::string OneJoint(const std::string& joint) {
  return DocumentOf(Set("BodySet", BodyOf("arm")) + Set("JointSet", joint));
}

struct Case {
  std::string type;
  std::vector<std::string> coordinates;
  Pose motion;  // at 0.3, -0.5, 0.7
};

TEST(OsimJoints, AreTheProductOfTheirFrames) {
  const Case cases[] = {
      {"WeldJoint", {}, {}},
      {"PinJoint", {"q"}, Turn(kZ, 0.3)},
      {"SliderJoint", {"q"}, Shift({0.3, 0, 0})},
      {"UniversalJoint", {"p", "q"}, Turn(kX, 0.3) * Turn(kY, -0.5)},
      {"GimbalJoint", {"p", "q", "r"}, Turn(kX, 0.3) * Turn(kY, -0.5) * Turn(kZ, 0.7)},
      {"PlanarJoint", {"p", "q", "r"}, Shift({-0.5, 0.7, 0}) * Turn(kZ, 0.3)},
  };
  constexpr double kValues[] = {0.3, -0.5, 0.7};
  for (const Case& c : cases) {
    std::string names;
    Coordinates values;
    for (std::size_t i = 0; i < c.coordinates.size(); ++i) {
      names += CoordinateOf(c.coordinates[i]);
      values.emplace_back(c.coordinates[i], kValues[i]);
    }
    const std::string joint = JointOf(c.type, "j", "ground", "arm", "<coordinates>" + names + "</coordinates>");
    SCOPED_TRACE(c.type);
    ExpectPose(PoseOfModel(OneJoint(joint), values), InWorld(kF * c.motion * Inverse(kM)));
  }
}

std::string Axis(const std::string& name, const std::string& coordinate, const std::string& axis,
                 const std::string& function) {
  return "<TransformAxis name='" + name + "'><coordinates>" + coordinate + "</coordinates><axis>" + axis + "</axis>" +
         function + "</TransformAxis>\n";
}
std::string Line(double slope, double offset) {
  return "<LinearFunction><coefficients>" + std::to_string(slope) + " " + std::to_string(offset) +
         "</coefficients></LinearFunction>";
}
std::string Constant(double value) { return "<Constant><value>" + std::to_string(value) + "</value></Constant>"; }

// Signs, offsets and constants between them are taken into the pose and the axes.
TEST(OsimJoints, CustomOnesHaveConstantsAnywhere) {
  const std::string transform =
      "<SpatialTransform>" + Axis("rotation1", "p", "0 0 1", Line(-1, 0.2)) +
      Axis("rotation2", "", "1 0 0", Constant(0.4)) + Axis("rotation3", "q", "0 1 0", Line(1, 0)) +
      Axis("translation1", "", "1 0 0", Constant(0.11)) + Axis("translation2", "r", "0 0.6 0.8", Line(1, 0.05)) +
      Axis("translation3", "", "0 0 1", Constant(-0.12)) + "</SpatialTransform>";
  const std::string joint = JointOf(
      "CustomJoint", "j", "ground", "arm",
      "<coordinates>" + CoordinateOf("p") + CoordinateOf("q") + CoordinateOf("r") + "</coordinates>" + transform);
  const Pose motion = Shift({0.11, 0, -0.12}) * Shift(Vec3<double>{0, 0.6, 0.8} * (0.7 + 0.05)) * Turn(kZ, -0.3 + 0.2) *
                      Turn(kX, 0.4) * Turn(kY, -0.5);
  ExpectPose(PoseOfModel(OneJoint(joint), {{"p", 0.3}, {"q", -0.5}, {"r", 0.7}}), InWorld(kF * motion * Inverse(kM)));
}

// A knee: one coordinate turns the tibia and moves its axis.
TEST(OsimJoints, FunctionsOfOneCoordinateAreOneJoint) {
  const std::string transform = "<SpatialTransform>" + Axis("rotation1", "q", "0 0 1", Line(1, 0)) +
                                Axis("rotation2", "q", "0 1 0", Line(0.1, 0.02)) +
                                Axis("translation1", "q", "1 0 0",
                                     "<MultiplierFunction><function><PolynomialFunction><coefficients>0.3 0.2 "
                                     "0.1</coefficients></PolynomialFunction>"
                                     "</function><scale>0.5</scale></MultiplierFunction>") +
                                Axis("translation2", "", "0 1 0", Constant(-0.4)) + "</SpatialTransform>";
  const std::string joint =
      JointOf("CustomJoint", "j", "ground", "arm", "<coordinates>" + CoordinateOf("q") + "</coordinates>" + transform);
  const ModelPtr m = CompileDocument(OneJoint(joint));
  EXPECT_EQ(m->nv, 1);
  const double q = 0.3, x = 0.5 * (0.3 * q * q + 0.2 * q + 0.1);
  const Pose motion = Shift({x, -0.4, 0}) * Turn(kZ, q) * Turn(kY, 0.1 * q + 0.02);
  ExpectPose(PoseOfModel(OneJoint(joint), {{"q", q}}), InWorld(kF * motion * Inverse(kM)));
}

TEST(OsimJoints, ALockedCoordinateIsAConstant) {
  const std::string joint =
      JointOf("PinJoint", "j", "ground", "arm",
              "<coordinates>" + CoordinateOf("q", "<default_value>0.6</default_value><locked>true</locked>") +
                  "</coordinates>");
  EXPECT_EQ(CompileDocument(OneJoint(joint))->nv, 0);
  ExpectPose(PoseOfModel(OneJoint(joint), {}), InWorld(kF * Turn(kZ, 0.6) * Inverse(kM)));
}

// Before version 4 a joint stands in its child.
TEST(OsimJoints, MayStandInTheirChild) {
  const std::string joint = "<Joint><PinJoint name='j'><parent_body>ground</parent_body><location_in_parent>" +
                            kParentPosition + "</location_in_parent><orientation_in_parent>" + kParentAngles +
                            "</orientation_in_parent><location>" + kChildPosition + "</location><orientation>" +
                            kChildAngles + "</orientation><CoordinateSet><objects>" + CoordinateOf("q") +
                            "</objects></CoordinateSet></PinJoint></Joint>";
  const std::string inertia =
      "<mass>2</mass><mass_center>0 0 0</mass_center><inertia_xx>1</inertia_xx><inertia_yy>1.1</inertia_yy>"
      "<inertia_zz>1.2</inertia_zz><inertia_xy>0</inertia_xy><inertia_xz>0</inertia_xz><inertia_yz>0</inertia_yz>";
  const std::string document =
      DocumentOf(Set("BodySet", BodyOf("ground", "<mass>0</mass><Joint/>") + BodyOf("arm", inertia + joint)), "30000");
  ExpectPose(PoseOfModel(document, {{"q", 0.3}}), InWorld(kF * Turn(kZ, 0.3) * Inverse(kM)));
}

// The keyframe holds the default values: of coordinates, and of balls and free bodies as quaternions.
TEST(OsimJoints, TheKeyframeIsTheDefaultPose) {
  const auto defaults = [](int count) {
    std::string coordinates;
    const char* const values[] = {"0.3", "-0.5", "0.7", "0.1", "0.2", "0.4"};
    for (int i = 0; i < count; ++i) {
      const std::string value = std::string("<default_value>") + values[i] + "</default_value>";
      std::string name = "c";  // built by appending: GCC 12 takes the sum for overlapping texts
      name += std::to_string(i);
      coordinates += CoordinateOf(name, value);
    }
    return "<coordinates>" + coordinates + "</coordinates>";
  };
  const Pose ball = Turn(kX, 0.3) * Turn(kY, -0.5) * Turn(kZ, 0.7);
  const std::pair<std::string, Pose> cases[] = {
      {JointOf("BallJoint", "j", "ground", "arm", defaults(3)), ball},
      {JointOf("FreeJoint", "j", "ground", "arm", defaults(6)), Shift({0.1, 0.2, 0.4}) * ball},
      {JointOf("GimbalJoint", "j", "ground", "arm", defaults(3)), ball}};
  for (const auto& [joint, motion] : cases) {
    const ModelPtr m = CompileDocument(OneJoint(joint));
    const DataPtr d = WorldOf(m);
    ASSERT_EQ(m->nkey, 1);
    mj_resetDataKeyframe(m.get(), d.get(), 0);
    mj_kinematics(m.get(), d.get());
    ExpectPose({LoadVec3(d->xpos + 3), LoadQuat(d->xquat + 4)}, InWorld(kF * motion * Inverse(kM)));
  }
}

TEST(OsimJoints, ErrorsNameTheLine) {
  const auto joint = [](const std::string& content) {
    return ErrorOf(OneJoint(JointOf("CustomJoint", "j", "ground", "arm",
                                    "<coordinates>" + CoordinateOf("q") + "</coordinates>" + content)));
  };
  EXPECT_TRUE(Contains(joint(""), "m.osim:9")) << joint("");
  EXPECT_TRUE(Contains(joint(""), "no SpatialTransform"));
  const auto axis = [&](const std::string& text) { return joint("<SpatialTransform>" + text + "</SpatialTransform>"); };
  EXPECT_TRUE(Contains(axis(Axis("rotation1", "p", "0 0 1", Line(1, 0))), "no coordinate 'p'"));
  EXPECT_TRUE(Contains(axis(Axis("rotation1", "q", "0 0 0", Line(1, 0))), "no direction"));
  EXPECT_TRUE(Contains(axis(Axis("rotation1", "q p", "0 0 1", Line(1, 0))), "several coordinates"));
  EXPECT_TRUE(
      Contains(axis(Axis("rotation1", "q", "0 0 1", "<SimmSpline><x>0 1</x><y>1</y></SimmSpline>")), "2 x and 1 y"));
  EXPECT_TRUE(Contains(axis(Axis("rotation1", "q", "0 0 1", "<Sine/>")), "'Sine' is no function"));
  EXPECT_TRUE(
      Contains(ErrorOf(OneJoint(JointOf("EllipsoidJoint", "j", "ground", "arm"))), "no joint that a model has"));
  const std::string twice = JointOf("PinJoint", "j", "ground", "arm") + JointOf("PinJoint", "k", "ground", "arm");
  EXPECT_TRUE(Contains(ErrorOf(OneJoint(twice)), "has another joint to its parent already"));
  const std::string loop =
      DocumentOf(Set("BodySet", BodyOf("a") + BodyOf("b")) +
                 Set("JointSet", JointOf("PinJoint", "j", "a", "b") + JointOf("PinJoint", "k", "b", "a")));
  EXPECT_TRUE(Contains(ErrorOf(loop), "by a loop of joints"));
}

}  // namespace
}  // namespace sinew::osim
