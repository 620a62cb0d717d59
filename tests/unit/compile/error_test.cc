// What is wrong with a model is said with file, line, element, and what to do.
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

constexpr char kBody[] =
    "<worldbody>\n<body name='b'><joint name='j'/><geom name='g' size='.1'/><site name='s'/></body></worldbody>";

TEST(CompileError, NamesFileLineAndElement) {
  const std::string text =
      ErrorOf("<worldbody>\n<body name='b'>\n<geom name='g' type='box' size='.1 .2'/></body></worldbody>");
  EXPECT_NE(text.find("test.xml:3: "), std::string::npos) << text;
  EXPECT_NE(text.find("geom 'g'"), std::string::npos) << text;
  EXPECT_NE(text.find("size 2 must be positive"), std::string::npos) << text;
}

struct Case {
  const char *sections, *words;
};

// Sections that follow kBody, or stand alone when they hold a worldbody.
const Case kCases[] = {
    {"<worldbody><geom/></worldbody>", "size 0 must be positive"},
    {"<worldbody><geom size='nan'/></worldbody>", "not a number"},
    {"<worldbody><geom size='.1' condim='2'/></worldbody>", "condim"},
    {"<worldbody><geom size='.1' mass='-1'/></worldbody>", "negative"},
    {"<worldbody><geom size='.1' zaxis='0 0 0'/></worldbody>", "zaxis too small"},
    {"<worldbody><geom type='sphere' size='.1' fromto='0 0 0 1 0 0'/></worldbody>", "fromto"},
    {"<worldbody><geom type='capsule' size='.1' pos='1 0 0' fromto='0 0 0 1 0 0'/></worldbody>", "both pos and fromto"},
    {"<worldbody><geom type='capsule' size='.1' fromto='1 0 0 1 0 0'/></worldbody>", "too close"},
    {"<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
     "<worldbody><geom type='box' mesh='m' fromto='0 0 0 1 0 0'/></worldbody>",
     "both mesh and fromto"},
    {"<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
     "<worldbody><geom type='plane' mesh='m'/></worldbody>",
     "cannot be fitted"},
    {"<asset><mesh vertex='0 0 0 1 0 0 0 1 0 0 0 1' refquat='0 0 0 0' name='m'/></asset><worldbody/>", "refquat"},
    {"<asset><mesh vertex='0 0 0 1 0 0 0 1 0 0 0 1' texcoord='0 0 1 1' name='m'/></asset><worldbody/>",
     "2 texture coordinates and 4 vertices"},
    {"<worldbody><geom size='.1' material='m'/></worldbody>", "material 'm' does not exist"},
    {"<worldbody><geom type='plane' size='1 1 0'/></worldbody>", "size 2 of a plane"},
    {"<worldbody><body><joint/><geom type='plane' size='1 1 1'/></body></worldbody>", "plane"},
    {"<worldbody><site type='plane' size='1 1 1'/></worldbody>", "site"},
    {"<worldbody><body><joint axis='0 0 0'/><geom size='.1'/></body></worldbody>", "axis too small"},
    {"<worldbody><body><joint limited='true' range='1 0'/><geom size='.1'/></body></worldbody>", "empty range"},
    {"<compiler autolimits='false'/><worldbody><body><joint range='0 1'/><geom size='.1'/></body></worldbody>", "flag"},
    {"<worldbody><body><joint type='ball' range='1 2'/><geom size='.1'/></body></worldbody>", "ball"},
    {"<worldbody><body><joint type='ball'/><joint/><geom size='.1'/></body></worldbody>", "after a ball"},
    {"<worldbody><body><freejoint/><joint/><geom size='.1'/></body></worldbody>", "more than 6"},
    {"<worldbody><body><body><freejoint/><geom size='.1'/></body></body></worldbody>", "child of the world"},
    {"<worldbody><body mocap='true'><joint/><geom size='.1'/></body></worldbody>", "mocap"},
    {"<worldbody><body sleep='allowed'><geom size='.1'/></body></worldbody>", "sleep policy"},
    {"<worldbody><light dir='0 0 0'/></worldbody>", "no direction"},
    {"<worldbody><camera fovy='180'/></worldbody>", "fovy"},
    {"<contact><pair geom1='g' geom2='x'/></contact>", "geom 'x' does not exist"},
    {"<contact><exclude body1='b' body2='x'/></contact>", "body 'x' does not exist"},
    {"<equality><connect body1='x' anchor='0 0 0'/></equality>", "body 'x' does not exist"},
    {"<equality><joint joint1='j' joint2='j'/></equality>", "the same"},
    {"<tendon><fixed name='t'/></tendon>", "needs a path"},
    {"<tendon><fixed><joint joint='x' coef='1'/></fixed></tendon>", "joint 'x' does not exist"},
    {"<tendon><spatial><site site='s'/><site site='s'/></spatial></tendon>", "followed by itself"},
    {"<tendon><spatial><site site='s'/><pulley divisor='0'/></spatial></tendon>", "divisor"},
    {"<tendon><spatial><site site='s'/><geom geom='g'/></spatial></tendon>", "between two sites"},
    {"<actuator><motor joint='x'/></actuator>", "joint 'x' does not exist"},
    {"<actuator><motor joint='j' ctrllimited='true' ctrlrange='1 -1'/></actuator>", "reversed"},
    {"<actuator><motor joint='j' forcelimited='true'/></actuator>", "empty"},
    {"<actuator><general joint='j' gaintype='dcmotor'/></actuator>", "activation variables"},
    {"<actuator><general joint='j' dyntype='dcmotor'/></actuator>", "actearly"},
    {"<actuator><general joint='j' actlimited='true' actrange='0 1'/></actuator>", "without activation"},
    {"<actuator><general joint='j' delay='1'/></actuator>", "history"},
    {"<actuator><position joint='j' inheritrange='1'/></actuator>", "no range"},
    {"<sensor><jointpos joint='x'/></sensor>", "joint 'x' does not exist"},
    {"<sensor><ballquat joint='j'/></sensor>", "must be ball"},
    {"<sensor><jointlimitpos joint='j'/></sensor>", "must be limited"},
    {"<sensor><touch site='s' noise='-1'/></sensor>", "noise"},
    {"<sensor><framequat objtype='body' objname='b' cutoff='1'/></sensor>", "cutoff"},
    {"<keyframe><key qpos='0 0'/></keyframe>", "qpos has 2 numbers"},
    {"<keyframe><key mpos='0'/></keyframe>", "mpos"},
    {"<asset><texture name='t' builtin='flat' width='0' height='1'/></asset>", "width"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 0'/></asset>", "positive"},
    {"<custom><tuple name='t'><element objtype='body' objname='x'/></tuple></custom>", "body 'x' does not exist"},
    {"<size nuser_body='1'/><worldbody><body user='1 2'/></worldbody>", "nuser_body"},
};

TEST(CompileError, SaysWhatIsWrong) {
  for (const Case& c : kCases) {
    const std::string sections = c.sections;
    const bool alone = sections.find("worldbody") != std::string::npos;
    const std::string text = ErrorOf(alone ? sections : kBody + sections);
    EXPECT_NE(text.find(c.words), std::string::npos) << sections << "\n" << text;
  }
}

TEST(CompileError, ListsAllOfAPassInOrder) {
  const std::string text = ErrorOf(
      "<worldbody>\n<body name='b'><joint name='elbow'/>\n<geom/>\n<site zaxis='0 0 0'/></body>\n<light dir='0 0 0'/>"
      "</worldbody>");
  const auto geom = text.find("test.xml:3: body 'b' / geom: size 0"), site = text.find("test.xml:4: body 'b' / site"),
             light = text.find("test.xml:5: light");
  EXPECT_LT(light, geom) << text;  // the world's own parts come first
  EXPECT_LT(geom, site);
  EXPECT_NE(site, std::string::npos);
  EXPECT_EQ(text.find("needs mass"), std::string::npos);  // no echo of the geom
}

TEST(CompileError, NamesTheNearestElement) {
  const std::string text = ErrorOf(
      "<worldbody><body><joint name='elbow'/><joint name='wrist'/><geom size='.1'/></body></worldbody>\n"
      "<actuator>\n<motor joint='elbwo'/>\n<motor joint='thumb'/>\n<motor joint='Wrist'/></actuator>");
  EXPECT_NE(text.find("test.xml:3: actuator / motor: joint 'elbwo' does not exist; did you mean 'elbow'?"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("test.xml:4: actuator / motor: joint 'thumb' does not exist; define it"), std::string::npos);
  EXPECT_NE(text.find("test.xml:5: actuator / motor: joint 'Wrist' does not exist; did you mean 'wrist'?"),
            std::string::npos);
}

TEST(CompileError, ManyErrorsEndQuickly) {
  std::string sections = "<worldbody>";
  for (int i = 0; i < 3000; ++i) sections += "<site name='site" + std::to_string(i) + "'/>";
  sections += "</worldbody><sensor>";
  for (int i = 0; i < 3000; ++i) sections += "<touch site='sjte" + std::to_string(i) + "'/>";
  EXPECT_NE(ErrorOf(sections + "</sensor>").find("(80 more problems)"), std::string::npos);
}

TEST(CompileError, RepeatedName) {
  Spec spec;
  spec.SetName(spec.world().Add<Body>(), "b");
  spec.SetName(spec.world().Add<Body>(), "b");
  EXPECT_THROW(Compile(spec, nullptr), Error);
}

TEST(CompileError, SpecificationCanBeRepairedAndCompiledAgain) {
  Spec spec;
  Geom& geom = spec.world().Add<Geom>();
  EXPECT_THROW(Compile(spec, nullptr), Error);
  geom.size[0] = .1;
  EXPECT_EQ(Compile(spec, nullptr)->ngeom, 1);
  EXPECT_EQ(Compile(spec, nullptr)->ngeom, 1);
}

}  // namespace
}  // namespace sinew
