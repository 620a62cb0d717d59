// What is written of a specification, and that it reads back as the same.
#include "mjcf/write/write.h"

#include <gtest/gtest.h>

#include <string>

#include "compile/compile.h"
#include "mjcf/numbers.h"
#include "read/read_xml.h"

namespace sinew::mjcf {
namespace {

std::unique_ptr<Spec> Compiled(const std::string& xml) {
  auto spec = ReadXmlText(xml, "test.xml", nullptr);
  Compile(*spec, nullptr);
  return spec;
}

std::string Written(const std::string& xml) { return mjcf::WriteXml(*Compiled(xml)); }

std::string InWorld(const std::string& body) { return "<mujoco><worldbody>" + body + "</worldbody></mujoco>"; }

void ExpectHas(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in\n" << text;
}

// Parts stand in the text one behind the other.
void ExpectOrder(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t from = 0;
  for (const std::string& part : parts) {
    from = text.find(part, from);
    ASSERT_NE(from, std::string::npos) << part << " is missing or too early in\n" << text;
  }
}

TEST(Write, LayoutOfTheFile) {
  EXPECT_EQ(Written(R"(<mujoco model="a &amp; b"><!-- by hand --><option timestep="0.01"/><worldbody>
                       <body name="x"><joint/><geom size="0.1"/></body></worldbody></mujoco>)"),
            "<mujoco model=\"a &amp; b\">\n"
            "  <!-- by hand -->\n"
            "  <compiler angle=\"radian\"/>\n"
            "\n"
            "  <option timestep=\"0.01\"/>\n"
            "\n"
            "  <worldbody>\n"
            "    <body name=\"x\">\n"
            "      <joint pos=\"0 0 0\" axis=\"0 0 1\"/>\n"
            "      <geom size=\"0.1\"/>\n"
            "    </body>\n"
            "  </worldbody>\n"
            "</mujoco>\n");
}

TEST(Write, NumbersAreShort) {
  EXPECT_EQ(RealText(0.123456789, 6), "0.123457");
  EXPECT_EQ(RealText(1e10, 6), "1e+10");
  EXPECT_EQ(RealText(3 + 1e-13, 6), "3");
  EXPECT_EQ(RealText(-0.0, 6), "0");
  EXPECT_EQ(RealText(0.1, 17), "0.10000000000000001");
  EXPECT_EQ(RealText(3 + 1e-13, 17), "3.0000000000000999");
  EXPECT_EQ(RealText(1e-13, 6), "1e-13") << "a size may be small";
  EXPECT_EQ(RealText(0.4999999, 6), "0.4999999") << "a bound must not be reached";
  EXPECT_EQ(RealText(0.1 + 0.2, 6), "0.3") << "rounding of arithmetic is none";
  const double range[2] = {1234567.25, 1234567.5}, same[2] = {0.1 + 0.2, 0.3};
  EXPECT_EQ(RealTexts(range, 6), (std::vector<std::string>{"1234567.25", "1234567.5"})) << "a range must not be empty";
  EXPECT_EQ(RealTexts(same, 6), (std::vector<std::string>{"0.3", "0.3"}));
  EXPECT_EQ(RealText(0.1, kAsNeeded), "0.1");
  EXPECT_EQ(RealText(0.1 + 0.2, kAsNeeded), "0.3");
  EXPECT_EQ(RealText(123456.5, kAsNeeded), "123456.5");
  EXPECT_EQ(RealText(1 / 3.0, kAsNeeded), "0.3333333333333333");
  EXPECT_EQ(RealText(1e-300, kAsNeeded), "1e-300");
  EXPECT_EQ(BytesText(20 << 20), "20M");
  EXPECT_EQ(BytesText(1000), "1000");
  EXPECT_EQ(BytesText(0), "0");
}

TEST(Write, OrientationsBecomeQuaternionsAndAnglesRadians) {
  const std::string text =
      Written(InWorld(R"(<body euler="0 0 90"><joint range="-90 90"/><joint type="slide" range="-90 90"/>
                 <geom size=".1" axisangle="1 0 0 180"/></body>)"));
  ExpectHas(text, R"(range="-1.5707963267948966 1.5707963267948966")");
  ExpectHas(text, R"(type="slide" range="-90 90")");
  ExpectHas(text, R"(quat="0 1 0 0")");
}

TEST(Write, EndPointsBecomePoseAndSize) {
  ExpectHas(Written(InWorld(R"(<geom type="capsule" size=".1" fromto="0 0 0 0 0 2"/>)")),
            R"(<geom size="0.1 1" pos="0 0 1" quat="0 1 0 0" type="capsule"/>)");
}

// What turning leaves instead of a zero is none of a place's numbers; a size is as it was given.
TEST(Write, PlacesHaveNoTraceOfTurning) {
  ExpectHas(Written(InWorld(R"(<frame euler="0 0 90"><geom size="1e-13" pos="1 0 0"/></frame>)")),
            R"(<geom size="1e-13" pos="0 1 0" quat=)");
}

TEST(Write, WholeNumbersHaveAllTheirDigits) {
  ExpectHas(Written(InWorld(R"(<geom size="1" contype="-2147483648" conaffinity="2147483647"/>)")),
            R"(contype="-2147483648" conaffinity="2147483647")");
}

// The smallest difference of floats that are written in full is one in the last place.
TEST(Write, FloatsAreDecimals) {
  ExpectHas(Written(InWorld(R"(<geom size="1" rgba="0.1 0.2 0.3 1e-9"/>)")), R"(rgba="0.1 0.2 0.3 1e-09")");
  EXPECT_EQ(DecimalsOf(std::vector<float>{0.1f}), std::vector<double>{0.1});
}

// Names may have ends of lines; as they stand, a reader would make blanks of them.
TEST(Write, SignsThatXmlChangesAreEscaped) {
  const std::string text = Written(InWorld(R"(<geom size="1" name="a&#10;b&#9;c"/>)"));
  ExpectHas(text, R"(name="a&#10;b&#9;c")");
  EXPECT_EQ(Written(text), text);
}

// A grid of more cells than there is room for letters holds no picture, and a builtin pattern needs none.
TEST(Write, GridLayoutsHaveALetterForEachCell) {
  const auto texture = [](const std::string& grid) {
    return Written("<mujoco><asset><texture name=\"t\" type=\"cube\" builtin=\"flat\" width=\"4\" height=\"4\" " +
                   grid + "/></asset></mujoco>");
  };
  EXPECT_EQ(texture(R"(gridsize="4 5")").find("gridlayout"), std::string::npos);
  ExpectHas(texture(R"(gridsize="3 4" gridlayout=".U..LFRB.D..")"), R"(gridlayout=".U..LFRB.D..")");
  ExpectHas(texture(R"(gridsize="2 3")"), R"(gridlayout="......")");
  EXPECT_NO_THROW(Compiled(texture(R"(gridsize="4 5")")));
}

// Rounding must not break what the compiler demands of moments.
TEST(Write, MomentsStayThoseOfAMass) {
  const std::string text = Written(InWorld(R"(<body><joint/><inertial pos="0 0 0" mass="1"
      diaginertia="0.1234564 0.2345674 0.3580236"/></body>)"));
  ExpectHas(text, "0.3580236");
  EXPECT_NO_THROW(Compiled(text));
}

// A size is legal however small it is, and is not the zero of the class.
TEST(Write, SmallSizesAreKept) {
  const std::string text = Written(InWorld(R"(<geom type="sphere" size="1e-30"/><geom type="box" size="1e-20 1 1"/>)"));
  ExpectHas(text, R"(<geom size="1e-30"/>)");
  ExpectHas(text, R"(size="1e-20 1 1")");
}

TEST(Write, ListsKeepNumbersThatAreNone) {
  ExpectHas(Written(InWorld(R"(<site user="-0.1 2 nan"/>)")), R"(user="-0.1 2 nan")");
}

// A body without mass has the pose in the frames around it as inertial frame, also where it is given a lower bound.
TEST(Write, FramesOfBodiesThatHaveOnlyTheLowerBounds) {
  const auto spec = Compiled(R"(<mujoco><compiler boundmass=".001" boundinertia="1e-6"/><worldbody>
      <frame name="f" pos="1 2 3" euler="90 0 0"><body pos=".1 .2 .3"><body><joint/><geom size=".1"/></body></body></frame>
      </worldbody></mujoco>)");
  const ModelPtr before = Compile(*spec, nullptr);
  const auto saved = ReadXmlText(mjcf::WriteXml(*spec), "", nullptr);
  const ModelPtr after = Compile(*saved, nullptr);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(before->body_ipos[3 + i], after->body_ipos[3 + i], 1e-12);
}

TEST(Write, NamesOfListsHaveNoSpaces) {
  const auto flex = [](const std::string& name) {
    return InWorld(R"(<body name=")" + name + R"(" pos="0 0 1"><joint/><geom size=".1"/>
        <flexcomp name="f" type="grid" count="2 2 1" spacing=".1 .1 .1" radius=".01" dim="2" mass="1"><pin id="0"/></flexcomp></body>)");
  };
  EXPECT_NO_THROW(Written(flex("holder")));
  try {
    Written(flex("the holder"));
    FAIL() << "a list of names separated by spaces takes a name with a space";
  } catch (const Error& error) {
    ExpectHas(error.what(), "'the holder'");
  }
}

TEST(Write, ArraysOfMoreNumbersThanAFileHoldsAreRefused) {
  const auto spec = Compiled("<mujoco/>");
  Numeric& numeric = spec->Add<Numeric>();
  numeric.data->resize(501);
  EXPECT_THROW(mjcf::WriteXml(*spec), Error);
  numeric.data->resize(500);
  EXPECT_NO_THROW(mjcf::WriteXml(*spec));
}

// A mass that a program gives without <inertial> is one that the file must give.
TEST(Write, InertiasThatStandForGeomsWithoutMass) {
  auto spec = std::make_unique<Spec>();
  Body& body = spec->world().Add<Body>();
  body.mass = 2;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  Compile(*spec, nullptr);
  ExpectHas(mjcf::WriteXml(*spec), R"(mass="2" diaginertia="1 1 1")");
}

TEST(Write, FramesAreFoldedIntoTheirContents) {
  const std::string text =
      Written(InWorld(R"(<frame pos="1 0 0" euler="0 0 90"><geom size=".1" pos="1 0 0"/></frame>)"));
  ExpectHas(text, R"(<geom size="0.1" pos="1 1 0" quat="0.70710678)");
  EXPECT_EQ(text.find("frame"), std::string::npos);
}

TEST(Write, FramesWithNameOrClassAreKeptWithoutPose) {
  const std::string text = Written(R"(<mujoco><default><default class="c"/></default><worldbody>
      <frame name="f" pos="1 0 0"><geom size=".1"/><frame childclass="c" pos="0 1 0"><site/></frame></frame>
      <frame name="none"/></worldbody></mujoco>)");
  ExpectOrder(text, {R"(<frame name="f">)", R"(<geom size="0.1" pos="1 0 0"/>)", R"(<frame childclass="c">)",
                     R"(<site pos="1 1 0"/>)", "</frame>", "</frame>", R"(<frame name="none"/>)"});
}

// Ids, and with them the numbers of keyframes, follow the order of each kind.
TEST(Write, ChildrenOfAKindKeepTheirOrder) {
  const std::string body =
      R"(<geom name="a" size=".1"/><frame name="f"><geom name="b" size=".1"/><site name="s"/></frame>
         <body name="x"/><frame><body name="y"/></frame><body name="z"/>
         <geom name="c" size=".1"/><frame name="g"><geom name="d" size=".1"/><body name="p"/></frame><site name="t"/>
         <frame name="none"/><body name="q"/>)";
  const std::string text = Written(InWorld(body));
  ExpectOrder(text, {"\"a\"", "\"b\"", "\"c\"", "\"d\""});
  ExpectOrder(text, {"\"s\"", "\"t\""});
  ExpectOrder(text, {"\"x\"", "\"y\"", "\"z\"", "\"p\"", "\"q\""});
  ExpectOrder(text, {"<frame name=\"f\">", "\"b\"", "</frame>", "<frame name=\"g\">", "\"d\"", "</frame>"});
  ExpectHas(text, "<frame name=\"none\"/>");
  EXPECT_EQ(Written(text), text);
}

// A program may add to a frame again after it has added to others: the frame cannot be written in one piece.
TEST(Write, FramesAreContinuedWhereOthersStandBetween) {
  auto spec = Compiled(R"(<mujoco><default><default class="k"/></default><worldbody><frame name="f" childclass="k">
      <geom name="a" size=".1"/></frame><frame name="g"><geom name="b" size=".1"/></frame></worldbody></mujoco>)");
  Body& world = spec->world();
  for (const auto& [name, frame] : {std::pair("c", 0), {"d", 1}, {"e", -1}, {"h", 0}}) {
    Frame* in = frame < 0 ? nullptr : world.frames[static_cast<size_t>(frame)].get();
    Geom& geom = world.Add<Geom>(nullptr, in);
    geom.size[0] = 0.1;
    spec->SetName(geom, name);
  }
  Compile(*spec, nullptr);
  const std::string text = mjcf::WriteXml(*spec);
  ExpectOrder(
      text, {"<frame name=\"f\" childclass=\"k\">", "\"a\"", "<frame name=\"g\">", "\"b\"", "<frame childclass=\"k\">",
             "\"c\"", "</frame>", "\"d\"", "\"e\"", "<frame childclass=\"k\">", "\"h\""});
  EXPECT_EQ(Written(text), text);
}

// The order of bodies decides which numbers of a keyframe are whose.
TEST(Write, KeyframesStayWithTheirJoints) {
  const std::string text = Written(R"(<mujoco><worldbody>
      <frame name="f"><body><joint name="a" type="slide"/><geom size=".1"/></body></frame>
      <body><joint name="b" type="slide"/><geom size=".1"/></body>
      <frame name="g"><body><joint name="c" type="slide"/><geom size=".1"/></body></frame></worldbody>
      <keyframe><key qpos="1 2 3"/></keyframe></mujoco>)");
  const auto spec = ReadXmlText(text, "test.xml", nullptr);
  const ModelPtr m = Compile(*spec, nullptr);
  EXPECT_EQ(m->key_qpos[m->jnt_qposadr[spec->Find<Joint>("a")->id]], 1);
  EXPECT_EQ(m->key_qpos[m->jnt_qposadr[spec->Find<Joint>("b")->id]], 2);
}

// A class reaches inner frames, which are kept for it.
TEST(Write, NamelessFramesOfAClassAreKept) {
  ExpectOrder(Written(R"(<mujoco><default><default class="c"/></default><worldbody>
      <frame childclass="c"><frame><geom size=".1"/></frame></frame></worldbody></mujoco>)"),
              {R"(<frame childclass="c">)", R"(<frame childclass="c">)", R"(<geom size="0.1"/>)"});
}

TEST(Write, InertiasOfAllBodiesOnRequest) {
  const std::string text = Written(R"(<mujoco><compiler saveinertial="true"/><worldbody>
      <body><geom size="1" pos="2 0 0" mass="10"/></body><body/></worldbody></mujoco>)");
  ExpectHas(text, R"(<inertial pos="2 0 0" mass="10" diaginertia="4 4 4"/>)");
  ExpectHas(text, R"(<inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>)");
}

// I = 0.4 m r^2 = 4 about the hinge:  k = I / (tau zeta)^2 = 16,  b = 2 I / tau = 8
TEST(Write, SpringDampersAreWhatTheyBecame) {
  const std::string text = Written(InWorld(R"(<body><joint springdamper="1 .5"/><geom size="1" mass="10"/></body>)"));
  ExpectHas(text, R"(stiffness="16" damping="8")");
  EXPECT_EQ(text.find("springdamper"), std::string::npos);
}

TEST(Write, ClassesSayWhatTheirParentsDoNot) {
  const std::string text = Written(R"(<mujoco><default><geom type="box" size=".1 .2 .3" friction=".5"/>
      <default class="a"><geom friction=".5 .1" rgba="1 0 0 1"/><joint damping="2"/></default></default>
      <worldbody><body childclass="a"><joint damping="3 0 1"/><geom/><geom class="main" rgba="1 0 0 1"/></body>
      </worldbody></mujoco>)");
  ExpectHas(text, R"(    <geom size="0.1 0.2 0.3" type="box" friction="0.5"/>)");
  ExpectHas(text, R"(      <geom friction="0.5 0.1" rgba="1 0 0 1"/>)");
  ExpectHas(text, R"(damping="3 0 1")");
  ExpectHas(text, "      <geom/>\n");
  // The main class is named where another one would count.
  ExpectHas(text, R"(<geom class="main" rgba="1 0 0 1"/>)");
}

TEST(Write, MassesStandAtGeomsAndReplaceDensities) {
  const std::string text =
      Written(R"(<mujoco><default><default class="m"><geom mass="2" density="5"/></default></default>
      <worldbody><geom class="m" size=".1"/><geom size=".1" density="7"/></worldbody></mujoco>)");
  ExpectHas(text, R"(<geom class="m" size="0.1" mass="2"/>)");
  ExpectHas(text, R"(<geom size="0.1" density="7"/>)");
  ExpectHas(text, R"(<default class="m"/>)");
}

TEST(Write, InertiasArePrincipal) {
  ExpectHas(Written(InWorld(R"(<body><freejoint/><inertial pos="0 0 1" mass="2" fullinertia="1 1 1 0 0 0"/></body>)")),
            R"(<inertial pos="0 0 1" mass="2" diaginertia="1 1 1"/>)");
}

TEST(Write, FreeJointsSayWhetherTheyAreAligned) {
  ExpectHas(Written(InWorld(R"(<body><freejoint name="f" align="true"/><geom size=".1"/></body>)")),
            R"(<freejoint name="f" align="true"/>)");
  ExpectHas(Written(InWorld(R"(<body><freejoint/><geom size=".1"/></body>)")), R"(<joint type="free"/>)");
}

TEST(Write, ActuatorsAreGeneral) {
  const std::string text = Written(R"(<mujoco><worldbody><body><joint name="j" range="-1 1"/><geom size=".1"/></body>
      </worldbody><actuator><position joint="j" kp="5"/><muscle joint="j" lengthrange="0 1"/>
      <position joint="j" kp="2" dampratio="1" inheritrange="1"/></actuator></mujoco>)");
  ExpectHas(text, R"(<general joint="j" biastype="affine" gainprm="5" biasprm="0 -5"/>)");
  ExpectHas(text, R"(gainprm="0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2")");
  ExpectHas(text, R"(<position joint="j" kp="2" dampratio="1" inheritrange="1"/>)");
}

TEST(Write, SensorsNameWhatTheySense) {
  const std::string text = Written(R"(<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/>
      <site name="s"/></body></worldbody><sensor><jointpos joint="j"/><e_kinetic/>
      <framepos objtype="xbody" objname="b" reftype="site" refname="s"/><rangefinder site="s" data="dist normal"/>
      <distance body1="b" geom2="g" cutoff="1"/><contact subtree1="b" num="3" data="found force" reduce="mindist"/>
      </sensor></mujoco>)");
  for (const char* line :
       {R"(<jointpos joint="j"/>)", "<e_kinetic/>",
        R"(<framepos objtype="xbody" objname="b" reftype="site" refname="s"/>)",
        R"(<rangefinder site="s" data="dist normal"/>)", R"(<distance body1="b" geom2="g" cutoff="1"/>)",
        R"(<contact subtree1="b" num="3" data="found force" reduce="mindist"/>)"}) {
    ExpectHas(text, line);
  }
}

// Reading what was written and writing it again changes nothing.
// A pinned node stays in the parent: its place has an attribute of our own, which only such flexes need.
TEST(Write, NodesThatAreNotAtTheOriginsOfTheirBodies) {
  const std::string block =
      "<flexcomp name='f' type='grid' count='2 2 2' dim='3' dof='trilinear' spacing='1 1 1'><contact "
      "selfcollide='none'/>";
  ExpectHas(Written(InWorld(block + "<pin id='0'/></flexcomp>")), "nodepos=\"-0.5 -0.5 -0.5 0 0 0 ");
  EXPECT_EQ(Written(InWorld(block + "</flexcomp>")).find("nodepos"), std::string::npos);
}

TEST(Write, IsItsOwnFixedPoint) {
  const std::string once = Written(R"(<mujoco><size nuser_geom="2" memory="3M"/><option actuatorgroupdisable="1 3">
      <flag contact="disable" energy="enable"/></option><visual><headlight active="0"/></visual>
      <default><joint armature=".1"/><default class="a"><site size=".2"/></default></default>
      <custom><numeric name="n" data="1 2" size="3"/><text name="t" data="a &lt; b"/>
      <tuple name="u"><element objtype="body" objname="b" prm="2"/></tuple></custom>
      <asset><texture name="t" type="cube" builtin="flat" width="4" height="4"/><material name="m" texture="t"/>
      <hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/></asset>
      <worldbody><geom type="hfield" hfield="h"/><light/><camera name="c" mode="targetbody" target="b"/>
      <body name="b" pos="0 0 1" gravcomp="1"><joint name="j"/><joint name="k" axis="1 1 0"/>
      <geom name="g" size=".1" user="1 2" material="m"/><site class="a" name="s"/></body>
      <body name="d" pos="1 0 0"><geom name="e" size=".1"/><site name="r"/></body></worldbody>
      <contact><pair geom1="g" geom2="e" friction="2"/><exclude body1="b" body2="d"/></contact>
      <equality><connect body1="b" body2="d" anchor="0 0 1"/><weld site1="s" site2="r"/>
      <weld body1="b" relpose="0 0 0 1 0 0 0"/><joint joint1="j" joint2="k" polycoef="0 2"/></equality>
      <tendon><fixed name="f" springlength="1"><joint joint="j" coef="2"/></fixed>
      <spatial range="0 3"><site site="s"/><site site="r"/><pulley divisor="2"/><site site="s"/><site site="r"/></spatial></tendon>
      <keyframe><key name="k" qpos="1 2"/></keyframe></mujoco>)");
  EXPECT_EQ(Written(once), once);
}

TEST(Write, PluginsAndWhatUsesThem) {
  const std::string once = Written(R"(<mujoco><extension><plugin plugin="mujoco.elasticity.cable">
      <instance name="stiff"><config key="twist" value="1e6"/><config key="bend" value="4e6"/></instance></plugin>
      <plugin plugin="mujoco.sdf.torus"><instance name="ring"><config key="radius1" value=".35"/></instance></plugin></extension>
      <asset><mesh name="ring"><plugin instance="ring"/></mesh></asset>
      <worldbody><body name="a"><joint type="ball"/><geom type="capsule" size=".01 .1"/><plugin instance="stiff"/>
      <body name="b" pos=".2 0 0"><joint type="ball"/><geom type="capsule" size=".01 .1"/>
      <plugin plugin="mujoco.elasticity.cable"><config key="twist" value="5"/></plugin></body></body>
      <body><geom type="sdf" mesh="ring"><plugin instance="ring"/></geom></body></worldbody></mujoco>)");
  ExpectOrder(once, {"<plugin plugin=\"mujoco.elasticity.cable\">", "<instance name=\"stiff\">",
                     "<config key=\"twist\" value=\"1e6\"/>", "<instance name=\"ring\">", "<mesh name=\"ring\"",
                     "<plugin instance=\"ring\"/>", "<plugin instance=\"stiff\"/>", "<body name=\"b\"",
                     "<plugin plugin=\"mujoco.elasticity.cable\">", "<config key=\"twist\" value=\"5\"/>"});
  EXPECT_EQ(Written(once), once);
}

TEST(Write, LayersOfMaterialsAndBonesOfSkins) {
  const std::string once = Written(R"(<mujoco><asset>
      <texture name="t" type="2d" builtin="flat" width="4" height="4"/><texture name="n" type="2d" builtin="flat" width="4" height="4"/>
      <material name="m"><layer texture="t" role="rgb"/><layer texture="n" role="normal"/></material></asset>
      <worldbody><body name="a"><joint/><geom size=".1" material="m"/></body><body name="b"><joint/><geom size=".1"/></body></worldbody>
      <deformable><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
      <bone body="a" bindpos="0 0 1" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 .5 .5"/>
      <bone body="b" bindpos="0 0 0" bindquat="0 1 0 0" vertid="1 2" vertweight=".5 .5"/></skin></deformable></mujoco>)");
  ExpectOrder(once,
              {"<layer texture=\"t\" role=\"rgb\"/>", "<layer texture=\"n\" role=\"normal\"/>", "<skin name=\"s\"",
               "<bone body=\"a\" bindpos=\"0 0 1\" bindquat=\"1 0 0 0\" vertid=\"0 1 2\"", "<bone body=\"b\""});
  EXPECT_EQ(Written(once), once);
}

TEST(Write, TexturesOfPixelsHaveNoPlaceInAFile) {
  const auto spec = Compiled("<mujoco/>");
  spec->Add<Texture>().data->assign(3, std::byte{0});
  EXPECT_THROW(mjcf::WriteXml(*spec), Error);
}

// ---- the C interface

TEST(Write, OnlyCompiledSpecificationsAreWritten) {
  mjSpec* spec = mj_makeSpec();
  char text[1000], error[200];
  EXPECT_EQ(mj_saveXMLString(spec, text, sizeof text, error, sizeof error), -1);
  EXPECT_STREQ(error, "XML Write error: Only compiled model can be written");
  mj_deleteSpec(spec);
}

TEST(Write, ShortBuffersLearnTheLength) {
  mjSpec* spec = mj_parseXMLString("<mujoco/>", nullptr, nullptr, 0);
  mjModel* m = mj_compile(spec, nullptr);
  char text[1000], error[200];
  ASSERT_EQ(mj_saveXMLString(spec, text, sizeof text, error, sizeof error), 0);
  const int length = static_cast<int>(std::string(text).size());
  EXPECT_EQ(mj_saveXMLString(spec, text, length, error, sizeof error), length);
  EXPECT_EQ(mj_saveXMLString(spec, text, length + 1, error, sizeof error), 0);
  EXPECT_EQ(mj_saveXMLString(spec, nullptr, 0, nullptr, 0), length) << "as language bindings ask first";
  EXPECT_EQ(mj_saveXML(spec, "/no/such/folder/x.xml", error, sizeof error), -1);
  ExpectHas(error, "/no/such/folder/x.xml");
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

TEST(Write, NothingIsSavedBeforeAModelIsLoaded) {
  mj_freeLastXML();
  char error[200];
  EXPECT_EQ(mj_saveLastXML("never.xml", nullptr, error, sizeof error), 0);
  EXPECT_STREQ(error, "No XML model loaded");
}

}  // namespace
}  // namespace sinew::mjcf
