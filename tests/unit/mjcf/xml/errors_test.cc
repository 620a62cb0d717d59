// What is wrong with a model is said with file, line, element, attribute, and what would be right.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

TEST(Errors, MissingFile) {
  EXPECT_THROW(
      {
        try {
          ReadXml("no/such/file.xml", nullptr);
        } catch (const Error& error) {
          ExpectParts(error.what(), {"no/such/file.xml", "cannot open"});
          throw;
        }
      },
      Error);
}

TEST(Errors, BrokenXml) {
  ExpectParts(ErrorOfText("<mujoco>\n<worldbody>\n</mujoco>"), {"test.xml:2", "malformed XML", "line 3"});
  ExpectParts(ErrorOfText("<mujoco"), {"test.xml:1", "malformed XML"});
  ExpectParts(ErrorOfText("<mujoco model=a/>"), {"malformed XML"});
  ExpectParts(ErrorOfText("<mujoco model=\"a\" model=\"b\"/>"), {"malformed XML", "'model' is given twice"});
  ExpectParts(ErrorOfText(""), {"no element"});
  ExpectParts(ErrorOfText("  <!-- nothing -->"), {"no element"});
  ExpectParts(ErrorOfText("<mujoco/>junk"), {"text outside"});
  ExpectParts(ErrorOfText(std::string("<mujoco>\0</mujoco>", 18)), {"malformed XML"});
}

// The tag that has no end is named, where it was opened.
TEST(Errors, UnbalancedTags) {
  const std::string body = "<mujoco>\n<worldbody>\n<body>\n<geom size='1>2'/>\n<!-- </body> -->\n</worldbody></mujoco>";
  ExpectParts(ErrorOfText(body), {"test.xml:3", "<body> is opened here and not closed before </worldbody>", "line 6"});
  ExpectParts(ErrorOfText("<mujoco>\n<worldbody>\n</worldbody>\n"), {"test.xml:1", "<mujoco>", "never closed"});
  ExpectParts(ErrorOfText("<mujoco/>\n</body>"), {"malformed XML"});
}

TEST(Errors, InertialOfTheWorldOnce) {
  const std::string text = ErrorOfText("<mujoco>\n<worldbody>\n<inertial mass='1'/></worldbody></mujoco>");
  ExpectParts(text, {"test.xml:3", "the world cannot have an inertia", "put it into a body"});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << text;
}

TEST(Errors, OtherRoots) {
  ExpectParts(ErrorOfText("<model/>"), {"'model'", "mujoco"});
  ExpectParts(ErrorOfText("<MuJoCo/>"), {"'MuJoCo'"});
}

TEST(Errors, Depth) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "<body>";
    for (int i = 0; i < depth; ++i) text += "</body>";
    return ErrorOfWorld(text);
  };
  EXPECT_EQ(nested(400), "");
  ExpectParts(nested(100'000), {"nested more than 500 deep"});
}

TEST(Errors, UnknownElementsAndAttributes) {
  ExpectParts(ErrorOfWorld("\n<body name='torso'>\n<goem/></body>"),
              {"test.xml:4: body 'torso' / goem: unknown element 'goem' in body", "did you mean 'geom'?"});
  ExpectParts(ErrorOfWorld("<geom name='g' sise='1'/>"),
              {"geom 'g': unknown attribute 'sise'", "did you mean 'size'?"});
  ExpectParts(ErrorOfWorld("<camera zzz='1'/>"), {"unknown attribute 'zzz'", "allowed: ", "fovy"});
  ExpectParts(ErrorOf("<worldbody name='w'/>"), {"unknown attribute 'name'"});
  ExpectParts(ErrorOf("<default><geom name='w'/></default>"), {"unknown attribute 'name'"});
}

TEST(Errors, NumbersOfTheWrongKindOrCount) {
  ExpectParts(ErrorOfWorld("<geom pos='1 2'/>"),
              {"attribute 'pos' has 2 numbers", "it takes 3", "see: sinew schema body/geom pos"});
  ExpectParts(ErrorOfWorld("<geom size='1 2 3 4'/>"), {"attribute 'size' has 4 numbers", "it takes 1 to 3"});
  ExpectParts(ErrorOfWorld("<geom pos='1 2 x'/>"),
              {"attribute 'pos' is \"1 2 x\"", "'x', which is not a number", "see: sinew schema body/geom pos"});
  ExpectParts(ErrorOfWorld("<geom pos='1,2,3'/>"), {"not a number"});
  ExpectParts(ErrorOfWorld("<geom pos='1 2 1e999'/>"), {"too large"});
  ExpectParts(ErrorOfWorld("<geom group='1.5'/>"), {"attribute 'group' is \"1.5\"", "not a whole number"});
  ExpectParts(ErrorOfWorld("<geom group=''/>"), {"attribute 'group'", "is empty"});
  ExpectParts(ErrorOfWorld("<geom group='99999999999'/>"), {"too large"});
  EXPECT_EQ(ErrorOfWorld("<geom pos=' '/>"), "");  // a blank vector counts as not given
}

TEST(Errors, Keywords) {
  ExpectParts(ErrorOfWorld("<geom type='Box'/>"), {"attribute 'type' is \"Box\"", "did you mean 'box'?"});
  ExpectParts(ErrorOf("<option integrator='euler'/>"), {"did you mean 'Euler'?"});
  ExpectParts(ErrorOf("<option><flag contact='off'/></option>"), {"allowed: disable, enable"});
  ExpectParts(ErrorOfWorld("<camera output='rgb rgb'/>"), {"'rgb' twice"});
  ExpectParts(ErrorOf("<sensor><contact data='force found'/></sensor>"), {"out of order"});
}

TEST(Errors, RequiredAttributes) {
  ExpectParts(ErrorOfWorld("<body><inertial mass='1'/></body>"), {"inertial: attribute 'pos' is missing"});
  ExpectParts(ErrorOf("<contact><exclude body1='a'/></contact>"), {"attribute 'body2' is missing"});
  ExpectParts(ErrorOf("<sensor><touch/></sensor>"), {"attribute 'site' is missing"});
}

TEST(Errors, DuplicateNames) {
  ExpectParts(ErrorOfWorld("<geom name='g'/>\n<geom name='g'/>"),
              {"test.xml:3: geom 'g': another geom has the name 'g'"});
  EXPECT_EQ(ErrorOfWorld("<geom name='g'/><site name='g'/>"), "");
  ExpectParts(ErrorOf("<keyframe><key name='a'/><key name='a'/></keyframe>"), {"another key"});
}

TEST(Errors, Repetition) {
  ExpectParts(ErrorOfWorld("<body>\n<inertial pos='0 0 0' mass='1'/>\n<inertial pos='0 0 0' mass='1'/></body>"),
              {"test.xml:4", "a second 'inertial' in body"});
  ExpectParts(ErrorOf("<default><geom/><geom/></default>"), {"a second 'geom' in default"});
  EXPECT_EQ(ErrorOf("<option timestep='1'/><option timestep='2'/>"), "");
}

TEST(Errors, Orientations) {
  ExpectParts(ErrorOfWorld("<body quat='1 0 0 0' euler='0 0 0'/>"), {"more than one orientation: quat, euler"});
  ExpectParts(ErrorOfWorld("<body quat='0 0 0 0'/>"), {"'quat' is zero"});
  ExpectParts(ErrorOfWorld("<body><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' zaxis='1 0 0'/></body>"),
              {"'fullinertia' and 'zaxis' exclude each other"});
}

TEST(Errors, World) {
  ExpectParts(ErrorOfWorld("<joint/>"), {"the world cannot have joints"});
  ExpectParts(ErrorOfWorld("<frame><freejoint/></frame>"), {"the world cannot have joints"});
  ExpectParts(ErrorOfWorld("<inertial pos='0 0 0' mass='1'/>"), {"the world cannot have an inertia"});
}

TEST(Errors, Classes) {
  ExpectParts(ErrorOf("<default><default class='soft'/></default><worldbody><geom class='sotf'/></worldbody>"),
              {"there is no default class 'sotf'", "did you mean 'soft'?"});
  ExpectParts(ErrorOfWorld("<body childclass='x'/>"), {"there is no default class 'x'"});
  ExpectParts(ErrorOfWorld("<geom class=''/>"), {"there is no default class ''"});
  ExpectParts(ErrorOf("<default><default/></default>"), {"needs a name"});
  ExpectParts(ErrorOf("<default class='x'/>"), {"'main' is the name of the class at the top"});
  ExpectParts(ErrorOf("<default><default class='a'/><default class='a'/></default>"), {"another default class"});
}

TEST(Errors, Settings) {
  ExpectParts(ErrorOf("<compiler eulerseq='xy'/>"), {"eulerseq"});
  ExpectParts(ErrorOf("<compiler coordinate='global'/>"),
              {"coordinate=\"global\" is gone since MuJoCo 2.3.4", "frame of the parent body"});
  ExpectParts(ErrorOf("<option actuatorgroupdisable='31'/>"), {"groups are 0 to 30"});
  ExpectParts(ErrorOf("<size memory='1.5M'/>"), {"memory"});
  ExpectParts(ErrorOf("<size memory='1M' njmax='3'/>"), {"'memory' and 'njmax'"});
  ExpectParts(ErrorOf("<size nuser_body='-2'/>"), {"nuser_body"});
}

TEST(Errors, Equalities) {
  ExpectParts(ErrorOf("<equality><connect body1='a'/></equality>"), {"connect", "give body1 and anchor"});
  ExpectParts(ErrorOf("<equality><weld site1='a' site2='b' relpose='0 0 0 1 0 0 0'/></equality>"), {"are mixed"});
  ExpectParts(ErrorOf("<equality><weld site1='a'/></equality>"), {"weld", "site1 and site2"});
}

TEST(Errors, Actuators) {
  ExpectParts(ErrorOf("<actuator><motor joint='a' tendon='b'/></actuator>"), {"more than one", "joint, tendon"});
  ExpectParts(ErrorOf("<actuator><motor joint='a' cranklength='1'/></actuator>"), {"slider-crank"});
  ExpectParts(ErrorOf("<actuator><position joint='a' kv='1' dampratio='1'/></actuator>"), {"cannot both be defined"});
  ExpectParts(ErrorOf("<actuator><dcmotor joint='a'/></actuator>"), {"motor constant"});
}

TEST(Errors, Sensors) {
  ExpectParts(ErrorOf("<sensor><framepos objtype='bdy' objname='a'/></sensor>"), {"did you mean 'body'?"});
  ExpectParts(ErrorOf("<sensor><framepos objtype='body' objname='a' refname='b'/></sensor>"), {"go together"});
  ExpectParts(ErrorOf("<sensor><plugin plugin='p' reftype='bdy' refname='a'/></sensor>"), {"did you mean 'body'?"});
  ExpectParts(ErrorOf("<sensor><rangefinder/></sensor>"), {"none of site, camera"});
  ExpectParts(ErrorOf("<sensor><contact geom1='a' body1='b'/></sensor>"), {"more than one of"});
  ExpectParts(ErrorOf("<sensor><contact num='0'/></sensor>"), {"it is 1 or more"});
}

TEST(Errors, Custom) {
  ExpectParts(ErrorOf("<custom><numeric name='a'/></custom>"), {"1 to 500 numbers"});
  ExpectParts(ErrorOf("<custom><numeric name='a' data='1 2' size='1'/></custom>"), {"'size' is 1"});
  ExpectParts(ErrorOf("<custom><text name='a' data=''/></custom>"), {"'data' is empty"});
  ExpectParts(ErrorOf("<custom><tuple name='t'><element objtype='frame' objname='f'/></tuple></custom>"), {"objtype"});
}

TEST(Errors, Assets) {
  ExpectParts(ErrorOf("<asset><hfield name='h' size='1 1 1 1' nrow='2' ncol='2' elevation='1 2 3'/></asset>"),
              {"elevation", "nrow times ncol: 4"});
  ExpectParts(ErrorOf("<asset><texture name='t' gridsize='1 2' gridlayout='RLU'/></asset>"), {"gridsize asks for 2"});
  ExpectParts(ErrorOf("<asset><material name='m' texture='t'><layer role='rgb' texture='t'/></material></asset>"),
              {"'texture' and layers"});
  ExpectParts(ErrorOf("<asset><mesh name='m' builtin='sphere' params='1' vertex='0 0 0'/></asset>"),
              {"builtin mesh has vertices of its own"});
}

TEST(Errors, AllAreReportedInTheOrderOfTheDocument) {
  const std::string error = ErrorOfText(
      "<mujoco>\n<worldbody>\n<geom sise='1'/>\n<body>\n<site pos='1'/>\n</body>\n</worldbody>\n"
      "<option timestp='1'/>\n</mujoco>");
  const auto first = error.find("test.xml:3");
  const auto second = error.find("test.xml:5");
  const auto third = error.find("test.xml:8");
  EXPECT_EQ(first, 0u);
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, std::string::npos);
}

TEST(Errors, ManyAreCounted) {
  std::string sites;
  for (int i = 0; i < 100; ++i) sites += "<site x='1'/>";
  ExpectParts(ErrorOfWorld(sites), {"(80 more problems)"});
}

TEST(Errors, TheListEndsAtAThousand) {
  std::string sites;
  for (int i = 0; i < 1500; ++i) sites += "<site x='1'/>";
  ExpectParts(ErrorOfWorld(sites), {"(980 more problems)"});
}

TEST(Errors, KnowTheirPlace) {
  try {
    ReadXmlText("<mujoco>\n<worldbody>\n<body name='torso'><geom name='x' sise='1'/></body></worldbody></mujoco>",
                "a.xml", nullptr);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where().file, "a.xml");
    EXPECT_EQ(error.where().line, 3);
    EXPECT_EQ(error.where().element, "body 'torso' / geom 'x'");
    EXPECT_EQ(error.problem(), "unknown attribute 'sise'");
  }
}

}  // namespace
}  // namespace sinew::mjcf
