// What a model file says arrives in the specification.
#include "read/read_xml.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

template <class T>
const T& Only(const std::unique_ptr<Spec>& spec) {
  EXPECT_EQ(spec->List<T>().size(), 1u);
  return *spec->List<T>().front();
}

TEST(Read, SettingsOfTheModel) {
  const auto spec = ReadXmlText(R"(
    <mujoco model="arm"><!-- by hand -->
      <compiler angle="radian" autolimits="false" eulerseq="XYZ" inertiafromgeom="true" boundmass=".5"/>
      <compiler boundmass=".7"><lengthrange mode="all" interval="3"/></compiler>
      <option timestep=".01" gravity="1 2 3" integrator="RK4" o_solref=".5" actuatorgroupdisable="0 3">
        <flag contact="disable" energy="enable"/>
      </option>
      <option><flag contact="enable" gravity="disable"/></option>
      <size memory="2K" nuser_geom="4"/>
      <visual><global fovy="60"/><rgba fog="1 2 3 4"/></visual>
      <statistic center="1 2 3" extent="4"/>
    </mujoco>)",
                                "folder/arm.xml", nullptr);
  const mjSpec& s = *spec;
  EXPECT_EQ(*s.modelname, "arm");
  EXPECT_EQ(*s.modelfiledir, "folder/");
  EXPECT_EQ(s.compiler.degree, 0);
  EXPECT_EQ(s.compiler.autolimits, 0);
  EXPECT_EQ(std::string(s.compiler.eulerseq, 3), "XYZ");
  EXPECT_EQ(s.compiler.inertiafromgeom, mjINERTIAFROMGEOM_TRUE);
  EXPECT_EQ(s.compiler.boundmass, 0.7);
  EXPECT_EQ(s.compiler.LRopt.mode, mjLRMODE_ALL);
  EXPECT_EQ(s.option.timestep, 0.01);
  EXPECT_EQ(s.option.gravity[2], 3);
  EXPECT_EQ(s.option.integrator, mjINT_RK4);
  EXPECT_EQ(s.option.o_solref[0], 0.5);
  EXPECT_EQ(s.option.o_solref[1], 1);  // fewer numbers than the vector holds: the rest keeps its default
  EXPECT_EQ(s.option.disableactuator, 1 | 1 << 3);
  EXPECT_EQ(s.option.disableflags, mjDSBL_GRAVITY);
  EXPECT_EQ(s.option.enableflags, mjENBL_ENERGY);
  EXPECT_EQ(s.memory, 2048);
  EXPECT_EQ(s.nuser_geom, 4);
  EXPECT_EQ(s.visual.global.fovy, 60);
  EXPECT_EQ(s.visual.rgba.fog[3], 4);
  EXPECT_EQ(s.stat.center[1], 2);
}

TEST(Read, CommentAtTheTop) {
  EXPECT_EQ(*ReadXmlText("<mujoco><!-- by hand --><option/></mujoco>", "", nullptr)->comment, " by hand ");
  EXPECT_EQ(*ReadXmlText("<mujoco><option/><!-- late --></mujoco>", "", nullptr)->comment, "");
}

TEST(Read, FoldersOfAssets) {
  const auto spec = Read("<compiler meshdir='m'/><compiler assetdir='a'/>");
  EXPECT_EQ(*static_cast<mjSpec&>(*spec).compiler.meshdir, "m");
  EXPECT_EQ(*static_cast<mjSpec&>(*spec).compiler.texturedir, "a");
}

TEST(Read, TreeOfBodiesAndFrames) {
  const auto spec = ReadWorld(R"(
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="a" pos="1 2 3" euler="0 0 90" mocap="true" user="5 6">
      <frame name="f" pos="0 0 1">
        <geom name="g1"/><body name="b"/>
        <frame><site name="s" zaxis="1 0 0"/></frame>
      </frame>
      <geom name="g2" fromto="0 0 0 1 0 0" type="capsule" size=".1"/>
    </body>)");
  const Body& world = spec->world();
  ASSERT_EQ(world.bodies.size(), 1u);
  const Body& a = *world.bodies[0];
  EXPECT_EQ(a.parent, &world);
  EXPECT_EQ(a.pos[2], 3);
  EXPECT_EQ(a.alt.type, mjORIENTATION_EULER);
  EXPECT_EQ(a.alt.euler[2], 90);
  EXPECT_EQ(a.mocap, 1);
  EXPECT_EQ(*a.userdata, (std::vector<double>{5, 6}));
  EXPECT_EQ(a.where.line, 4);
  EXPECT_EQ(*a.info, "line 4");

  const Frame* f = spec->Find<Frame>("f");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->frame, nullptr);
  ASSERT_EQ(a.geoms.size(), 2u);
  EXPECT_EQ(a.geoms[0]->frame, f);
  EXPECT_EQ(a.geoms[1]->frame, nullptr);
  EXPECT_EQ(a.geoms[1]->fromto[3], 1);
  EXPECT_EQ(a.bodies[0]->frame, f);
  EXPECT_EQ(a.sites[0]->frame->frame, f);
  EXPECT_EQ(a.sites[0]->alt.type, mjORIENTATION_ZAXIS);
}

TEST(Read, Inertial) {
  const auto spec = ReadWorld(
      "<body><inertial pos='1 2 3' mass='4' diaginertia='5 6 7' euler='1 2 3'/></body>"
      "<body><inertial pos='1 2 3' mass='4' fullinertia='5 6 7 1 2 3'/></body>");
  const Body& first = *spec->world().bodies[0];
  EXPECT_EQ(first.explicitinertial, 1);
  EXPECT_EQ(first.ipos[1], 2);
  EXPECT_EQ(first.mass, 4);
  EXPECT_EQ(first.inertia[2], 7);
  EXPECT_EQ(first.ialt.type, mjORIENTATION_EULER);
  EXPECT_EQ(spec->world().bodies[1]->fullinertia[5], 3);
}

TEST(Read, JointsAndFreeJoints) {
  const auto spec = Read(R"(
    <default><joint damping="3" armature="1"/></default>
    <worldbody><body>
      <joint type="slide" axis="1 0 0" range="-1 2" limited="true" stiffness="1 2" springdamper=".1 .2"/>
      <freejoint name="root" align="false"/>
    </body></worldbody>)");
  const auto& joints = spec->world().bodies[0]->joints;
  EXPECT_EQ(joints[0]->type, mjJNT_SLIDE);
  EXPECT_EQ(joints[0]->limited, mjLIMITED_TRUE);
  EXPECT_EQ(joints[0]->stiffness[1], 2);
  EXPECT_EQ(joints[0]->damping[0], 3);
  // No class acts on free joints.
  EXPECT_EQ(joints[1]->type, mjJNT_FREE);
  EXPECT_EQ(joints[1]->damping[0], 0);
  EXPECT_EQ(joints[1]->armature, 0);
  EXPECT_EQ(joints[1]->align, mjALIGNFREE_FALSE);
  EXPECT_EQ(spec->Find<Joint>("root"), joints[1].get());
}

TEST(Read, CamerasAndLights) {
  const auto spec = ReadWorld(
      "<camera output='depth rgb' sensorsize='1 2' focalpixel='3 4' resolution='5 6' projection='orthographic'/>"
      "<light directional='true' dir='0 1 0'/><light type='point'/>");
  const Camera& camera = *spec->world().cameras[0];
  EXPECT_EQ(camera.output, mjCAMOUT_RGB | mjCAMOUT_DEPTH);
  EXPECT_EQ(camera.focal_pixel[1], 4);
  EXPECT_EQ(camera.resolution[0], 5);
  EXPECT_EQ(camera.proj, mjPROJ_ORTHOGRAPHIC);
  EXPECT_EQ(spec->world().lights[0]->type, mjLIGHT_DIRECTIONAL);
  EXPECT_EQ(spec->world().lights[1]->type, mjLIGHT_POINT);
}

TEST(Read, ClassesInheritAndNest) {
  const auto spec = Read(R"(
    <default>
      <default class="a"><geom friction=".5"/><default class="b"><geom size="3"/></default></default>
      <geom density="10"/>
    </default>
    <default><geom density="20"/></default>
    <worldbody>
      <geom name="main"/>
      <body childclass="a">
        <geom name="a"/>
        <frame childclass="b"><geom name="b"/><body><geom name="b2"/></body></frame>
        <geom name="own" class="b"/><geom name="top" class="main"/>
      </body>
    </worldbody>)");
  const auto geom = [&](const char* name) -> const Geom& { return *spec->Find<Geom>(name); };
  // Classes see all values of the element around them, whatever the order, but not a later addition to main.
  EXPECT_EQ(geom("main").density, 20);
  EXPECT_EQ(geom("top").density, 20);
  EXPECT_EQ(geom("a").density, 10);
  EXPECT_EQ(geom("a").friction[0], 0.5);
  EXPECT_EQ(geom("a").friction[1], 0.005);
  EXPECT_EQ(geom("b").size[0], 3);
  EXPECT_EQ(geom("b").friction[0], 0.5);
  EXPECT_EQ(geom("b2").size[0], 3);
  EXPECT_EQ(geom("own").size[0], 3);
}

TEST(Read, Assets) {
  const auto spec = Read(R"(
    <asset>
      <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" width="8" height="4" mark="edge"/>
      <texture name="c" fileup="up.png" gridsize="1 2" gridlayout="RL"/>
      <material name="m" texture="t" texrepeat="2 3" rgba="1 1 0 1"/>
      <material name="l"><layer role="normal" texture="t"/></material>
      <hfield name="h" size="1 1 1 1" nrow="3" ncol="2" elevation="1 2  3 4  5 6"/>
      <mesh name="q" file="q.obj" scale="1 2 3"/>
    </asset>)");
  const Texture& texture = *spec->Find<Texture>("t");
  EXPECT_EQ(texture.builtin, mjBUILTIN_CHECKER);
  EXPECT_EQ(texture.mark, mjMARK_EDGE);
  EXPECT_EQ(texture.width, 8);
  EXPECT_EQ((*spec->Find<Texture>("c")->cubefiles)[2], "up.png");
  EXPECT_EQ(std::string(spec->Find<Texture>("c")->gridlayout, 3), "RL.");
  EXPECT_EQ((*spec->Find<Material>("m")->textures)[mjTEXROLE_RGB], "t");
  EXPECT_EQ((*spec->Find<Material>("l")->textures)[mjTEXROLE_NORMAL], "t");
  // The first row of the text is the one with the largest y, which is the last of the field.
  EXPECT_EQ(*spec->Find<HField>("h")->userdata, (std::vector<float>{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(spec->Find<Mesh>("q")->scale[2], 3);
}

TEST(Read, ContactsAndEqualities) {
  const auto spec = Read(R"(
    <default><equality solref=".5 .6"/></default>
    <contact><pair geom1="a" geom2="b" friction="7"/><exclude body1="a" body2="b"/></contact>
    <equality>
      <connect body1="a" anchor="1 2 3"/>
      <weld site1="a" site2="b" torquescale="5"/>
      <weld body1="a" relpose="1 2 3 1 0 0 0" anchor="4 5 6" active="false"/>
      <joint joint1="a" polycoef="1 2"/>
    </equality>)");
  EXPECT_EQ(*Only<Pair>(spec).geomname2, "b");
  EXPECT_EQ(Only<Pair>(spec).friction[0], 7);
  EXPECT_EQ(Only<Pair>(spec).friction[1], 1);
  EXPECT_EQ(*Only<Exclude>(spec).bodyname1, "a");
  const auto& equalities = spec->List<Equality>();
  EXPECT_EQ(equalities[0]->type, mjEQ_CONNECT);
  EXPECT_EQ(equalities[0]->objtype, mjOBJ_BODY);
  EXPECT_EQ(equalities[0]->data[2], 3);
  EXPECT_EQ(equalities[0]->solref[1], 0.6);
  EXPECT_EQ(equalities[1]->objtype, mjOBJ_SITE);
  EXPECT_EQ(equalities[1]->data[10], 5);
  EXPECT_EQ(equalities[2]->data[0], 4);
  EXPECT_EQ(equalities[2]->data[3], 1);
  EXPECT_EQ(equalities[2]->active, 0);
  EXPECT_EQ(equalities[3]->data[1], 2);
  EXPECT_EQ(*equalities[3]->name1, "a");
}

TEST(Read, Tendons) {
  const auto spec = Read(R"(
    <default><tendon width=".5"/></default>
    <tendon>
      <fixed springlength=".1"><joint joint="j" coef="2"/></fixed>
      <spatial springlength=".1 .2"><site site="s"/><geom geom="g" sidesite="t"/><pulley divisor="2"/></spatial>
    </tendon>)");
  const Tendon& fixed = *spec->List<Tendon>()[0];
  EXPECT_EQ(fixed.springlength[1], 0.1);
  EXPECT_EQ(fixed.path[0]->type, mjWRAP_JOINT);
  EXPECT_EQ(fixed.path[0]->value, 2);
  const Tendon& spatial = *spec->List<Tendon>()[1];
  EXPECT_EQ(spatial.width, 0.5);
  EXPECT_EQ(spatial.springlength[1], 0.2);
  ASSERT_EQ(spatial.path.size(), 3u);
  EXPECT_EQ(spatial.path[1]->target, "g");
  EXPECT_EQ(spatial.path[1]->sidesite, "t");
  EXPECT_EQ(spatial.path[2]->value, 2);
}

TEST(Read, ActuatorsShareOneDefault) {
  const auto spec = Read(R"(
    <default><position kp="7"/></default>
    <actuator>
      <general joint="j"/><motor tendon="t"/><position jointinparent="j" kv="2"/>
      <general site="s" refsite="r"/><motor cranksite="s" slidersite="r" cranklength="3"/><adhesion body="b"/>
    </actuator>)");
  const auto& actuators = spec->List<Actuator>();
  EXPECT_EQ(actuators[0]->gainprm[0], 7);
  EXPECT_EQ(actuators[0]->biastype, mjBIAS_AFFINE);
  EXPECT_EQ(actuators[1]->gainprm[0], 1);
  EXPECT_EQ(actuators[1]->biastype, mjBIAS_NONE);
  EXPECT_EQ(actuators[1]->trntype, mjTRN_TENDON);
  EXPECT_EQ(actuators[2]->biasprm[1], -7);
  EXPECT_EQ(actuators[2]->biasprm[2], -2);
  EXPECT_EQ(actuators[2]->trntype, mjTRN_JOINTINPARENT);
  EXPECT_EQ(*actuators[3]->refsite, "r");
  EXPECT_EQ(actuators[4]->trntype, mjTRN_SLIDERCRANK);
  EXPECT_EQ(actuators[4]->cranklength, 3);
  EXPECT_EQ(actuators[5]->trntype, mjTRN_BODY);
}

TEST(Read, MotorsKeepWhatTheirClassGives) {
  const auto spec = Read(R"(
    <default><dcmotor motorconst=".1 .1" resistance="2" cogging="1 2 3" lugre="1 2 3 4 5"/></default>
    <actuator><dcmotor joint="j" motorconst=".3" cogging="7"/></actuator>)");
  const Actuator& motor = Only<Actuator>(spec);
  EXPECT_EQ(motor.gainprm[0], 2);
  EXPECT_EQ(motor.gainprm[1], 0.3);
  EXPECT_EQ(motor.biasprm[0], 7);
  EXPECT_EQ(motor.biasprm[1], 2);
  EXPECT_EQ(motor.biasprm[5], 5);
  EXPECT_EQ(motor.actdim, 1);
}

TEST(Read, MotorsKeepNothingThatBelongsToAnotherKind) {
  const auto spec = Read(R"(
    <default><position kp="5" timeconst=".3"/></default>
    <actuator><dcmotor joint="j" motorconst=".3" resistance="2"/></actuator>)");
  const Actuator& motor = Only<Actuator>(spec);
  EXPECT_EQ(motor.biasprm[1], 0);  // -kp of the class; here the periodicity of cogging
  EXPECT_EQ(motor.dynprm[0], 0);   // its time constant; here that of the current
  EXPECT_EQ(motor.actdim, 0);
}

TEST(Read, UnknownTypesOfReferencesMakeNone) {
  const std::string messages = WarningsOf([] {
    const auto spec = Read("<sensor><framepos objtype='body' objname='b' reftype='boby' refname='c'/></sensor>");
    EXPECT_EQ(Only<Sensor>(spec).reftype, mjOBJ_UNKNOWN);
  });
  ExpectParts(messages, {"test.xml:2", "'reftype' is \"boby\"", "did you mean 'body'?"});
}

TEST(Read, NaNIsReadWithAWarningAtItsAttribute) {
  const std::string messages = WarningsOf([] {
    const auto spec = ReadWorld("\n<body pos='1 2 nan'/>");
    EXPECT_TRUE(std::isnan(spec->world().bodies[0]->pos[2]));
  });
  ExpectParts(messages, {"test.xml:3", "attribute 'pos'", "NaN"});
}

TEST(Read, BlankRealsAreNotGiven) {
  EXPECT_EQ(ErrorOf("<equality><weld site1='s' site2='t' anchor=' '/></equality>"), "");
  ExpectParts(ErrorOf("<equality><connect body1='b' anchor=''/></equality>"), {"what is tied to what"});
  ExpectParts(ErrorOf("<tendon><fixed><joint joint='j' coef=''/></fixed></tendon>"), {"'coef' is missing"});
  ExpectParts(ErrorOf("<tendon><spatial><pulley divisor=''/></spatial></tendon>"), {"'divisor' is missing"});
}

TEST(Read, Sensors) {
  const auto spec = Read(R"(
    <sensor>
      <touch site="s" cutoff="2" noise=".1"/>
      <camprojection site="s" camera="c"/>
      <framepos objtype="xbody" objname="b" reftype="site" refname="s"/>
      <insidesite site="s" objtype="geom" objname="g"/>
      <distance geom1="g" body2="b"/>
      <contact subtree1="b" data="found force pos" num="3" reduce="netforce"/>
      <user dim="2" datatype="positive" needstage="vel"/>
      <rangefinder site="s" interval=".1 -.05" nsample="4" interp="linear"/>
    </sensor>)");
  const auto& sensors = spec->List<Sensor>();
  const auto expect = [&](std::size_t i, mjtSensor type, mjtObj object, mjtObj reference) {
    EXPECT_EQ(sensors[i]->type, type) << i;
    EXPECT_EQ(sensors[i]->objtype, object) << i;
    EXPECT_EQ(sensors[i]->reftype, reference) << i;
  };
  expect(0, mjSENS_TOUCH, mjOBJ_SITE, mjOBJ_UNKNOWN);
  expect(1, mjSENS_CAMPROJECTION, mjOBJ_SITE, mjOBJ_CAMERA);
  expect(2, mjSENS_FRAMEPOS, mjOBJ_XBODY, mjOBJ_SITE);
  expect(3, mjSENS_INSIDESITE, mjOBJ_GEOM, mjOBJ_SITE);
  expect(4, mjSENS_GEOMDIST, mjOBJ_GEOM, mjOBJ_BODY);
  expect(5, mjSENS_CONTACT, mjOBJ_XBODY, mjOBJ_UNKNOWN);
  EXPECT_EQ(sensors[0]->cutoff, 2);
  EXPECT_EQ(*sensors[2]->refname, "s");
  EXPECT_EQ(sensors[5]->intprm[0], 1 << mjCONDATA_FOUND | 1 << mjCONDATA_FORCE | 1 << mjCONDATA_POS);
  EXPECT_EQ(sensors[5]->intprm[1], 3);
  EXPECT_EQ(sensors[5]->intprm[2], 3);
  EXPECT_EQ(sensors[6]->needstage, mjSTAGE_VEL);
  EXPECT_EQ(sensors[6]->datatype, mjDATATYPE_POSITIVE);
  EXPECT_EQ(sensors[7]->intprm[0], 1 << mjRAYDATA_DIST);
  EXPECT_EQ(sensors[7]->interval[1], -0.05);
}

TEST(Read, CustomAndKeys) {
  const auto spec = Read(R"(
    <custom>
      <numeric name="n" size="3" data="1 2"/><text name="t" data="hello world"/>
      <tuple name="u"><element objtype="body" objname="b" prm="2"/></tuple>
    </custom>
    <keyframe><key name="home" time="3" qpos="1 2" mquat="1 0 0 0"/></keyframe>)");
  EXPECT_EQ(*Only<Numeric>(spec).data, (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(*Only<Text>(spec).data, "hello world");
  EXPECT_EQ((*Only<Tuple>(spec).objtype)[0], mjOBJ_BODY);
  EXPECT_EQ((*Only<Tuple>(spec).objprm)[0], 2);
  EXPECT_EQ(Only<Key>(spec).name, "home");
  EXPECT_EQ(*Only<Key>(spec).qpos, (std::vector<double>{1, 2}));
}

TEST(Read, NumbersOfManyForms) {
  const auto spec = ReadWorld("<geom pos='0x1p-3 INF -1e-400' rgba='1\t2\n3  4'/>");
  const Geom& geom = *spec->world().geoms[0];
  EXPECT_EQ(geom.pos[0], 0.125);
  EXPECT_GT(geom.pos[1], 1e308);
  EXPECT_EQ(geom.pos[2], 0);
  EXPECT_EQ(geom.rgba[3], 4);
}

TEST(Read, TextsKeepTheirCharacters) {
  EXPECT_EQ(*ReadXmlText("\xef\xbb\xbf<mujoco model='a&amp;&#65;\xc3\xa9'/>", "", nullptr)->modelname, "a&A\xc3\xa9");
}

}  // namespace
}  // namespace sinew::mjcf
