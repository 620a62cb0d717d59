// Programs set the lists of an element one by one, and may do so after the compilation that checked them: whatever
// length a list has then, nothing reads beyond the end of another.
#include "spec/lists.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "read/read_xml.h"
#include "spec/traverse.h"

namespace sinew {
namespace {

TEST(Lists, BonesOfSkins) {
  Skin skin;
  EXPECT_NO_THROW(CheckLists(skin));
  *skin.bodyname = {"a", "b"};
  EXPECT_THROW(CheckLists(skin), Error);
  skin.bindpos->resize(6);
  skin.bindquat->resize(8);
  *skin.vertid = {{0, 1}, {1}};
  *skin.vertweight = {{1, 1}, {1}};
  EXPECT_NO_THROW(CheckLists(skin));
  skin.vertweight->back().clear();
  EXPECT_THROW(CheckLists(skin), Error);
}

TEST(Lists, TuplesAndNumbers) {
  Tuple tuple;
  *tuple.objtype = {mjOBJ_BODY};
  *tuple.objname = {"a"};
  EXPECT_THROW(CheckLists(tuple), Error);
  *tuple.objprm = {0};
  EXPECT_NO_THROW(CheckLists(tuple));

  Numeric numeric;
  *numeric.data = {1, 2};
  EXPECT_NO_THROW(CheckLists(numeric));
  numeric.size = 1;
  EXPECT_THROW(CheckLists(numeric), Error);
  numeric.size = -1;
  EXPECT_THROW(CheckLists(numeric), Error);
}

TEST(Lists, HeightFields) {
  HField hfield;
  EXPECT_NO_THROW(CheckLists(hfield));
  hfield.nrow = hfield.ncol = -1;
  hfield.userdata->resize(1);
  EXPECT_THROW(CheckLists(hfield), Error) << "the product is right, and there are no rows";
  hfield.nrow = hfield.ncol = 1;
  EXPECT_NO_THROW(CheckLists(hfield));
}

// ---- every list of every kind of element

constexpr char kEverything[] = R"(<mujoco><size nkey="2"/>
  <custom><numeric name="n" data="1 2 3"/><text name="t" data="x"/>
  <tuple name="u"><element objtype="body" objname="a" prm="1"/></tuple></custom>
  <asset><texture name="t" type="cube" builtin="flat" width="4" height="4"/><material name="m" texture="t"/>
  <mesh name="s" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/></asset>
  <worldbody><geom type="hfield" hfield="h" user="1"/><site name="o" user="1"/><camera user="1"/>
  <body name="a" user="1 2"><joint name="j" user="1"/><geom name="g" size=".1" user="1 2" material="m"/><site name="p" pos="0 0 1"/></body>
  <body name="b" mocap="true" pos="0 0 2"><geom type="mesh" mesh="s" contype="0" conaffinity="0"/></body>
  <body name="c"><flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" mass="1"><edge equality="true"/></flexcomp></body>
  </worldbody>
  <deformable><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0"
    vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>
  <contact><pair geom1="g" geom2="g"/><exclude body1="a" body2="b"/></contact>
  <tendon><spatial name="t" user="1"><site site="o"/><site site="p"/></spatial></tendon>
  <equality><joint joint1="j"/><flex flex="f"/></equality>
  <actuator><general joint="j" user="1"/></actuator><sensor><jointpos joint="j" user="1"/></sensor>
  <keyframe><key name="k" ctrl="1" mpos="1 2 3"/></keyframe></mujoco>)";

// The lists of an element, by their types.
struct ListsOf {
  std::vector<mjDoubleVec*> doubles;
  std::vector<mjFloatVec*> floats;
  std::vector<mjIntVec*> ints;
  std::vector<mjStringVec*> texts;
  std::vector<mjIntVecVec*> lists_of_ints;
  std::vector<mjFloatVecVec*> lists_of_floats;

  template <class T>
  void Add(T& e) {
    if constexpr (requires { e.userdata->front() + 1.0; }) Put(e.userdata);
    if constexpr (std::is_base_of_v<mjsFlex, T>) {
      Put(e.nodebody, e.vertbody, e.node, e.vert, e.elem, e.texcoord, e.elemtexcoord);
    } else if constexpr (std::is_base_of_v<mjsMesh, T>) {
      Put(e.uservert, e.usernormal, e.usertexcoord, e.userface, e.userfacenormal, e.userfacetexcoord);
    } else if constexpr (std::is_base_of_v<mjsSkin, T>) {
      Put(e.vert, e.texcoord, e.face, e.bodyname, e.bindpos, e.bindquat, e.vertid, e.vertweight);
    } else if constexpr (std::is_base_of_v<mjsTexture, T>) {
      Put(e.cubefiles);
    } else if constexpr (std::is_base_of_v<mjsMaterial, T>) {
      Put(e.textures);
    } else if constexpr (std::is_base_of_v<mjsNumeric, T>) {
      Put(e.data);
    } else if constexpr (std::is_base_of_v<mjsTuple, T>) {
      Put(e.objtype, e.objname, e.objprm);
    } else if constexpr (std::is_base_of_v<mjsKey, T>) {
      Put(e.qpos, e.qvel, e.act, e.mpos, e.mquat, e.ctrl);
    }
  }

 private:
  template <class... List>
  void Put(List*... lists) {
    (One(lists), ...);
  }
  void One(mjDoubleVec* list) { doubles.push_back(list); }
  void One(mjFloatVec* list) { floats.push_back(list); }
  void One(mjIntVec* list) { ints.push_back(list); }
  void One(mjStringVec* list) { texts.push_back(list); }
  void One(mjIntVecVec* list) { lists_of_ints.push_back(list); }
  void One(mjFloatVecVec* list) { lists_of_floats.push_back(list); }
};

ListsOf AllLists(Spec& spec) {
  ListsOf lists;
  Body& world = spec.world();
  for (Body* body = &world; body; body = NextBody(world, body)) {
    lists.Add(*body);
    body->ForEachList([&](auto& list) {
      for (auto& element : list) lists.Add(*element);
    });
  }
  spec.ForEachList([&](auto& list) {
    for (auto& element : list) lists.Add(*element);
  });
  return lists;
}

// What a program does with a specification that it has compiled and changed. Each ends with a result or with a text.
void UseAll(mjSpec* spec, mjModel* m) {
  std::vector<char> text(100000);
  char error[500] = "";
  if (mj_saveXMLString(spec, text.data(), static_cast<int>(text.size()), error, sizeof error) != 0) {
    EXPECT_STRNE(error, "");
  }
  mj_deleteSpec(mj_copySpec(spec));
  mj_copyBack(spec, m);
  if (mjModel* again = mj_compile(spec, nullptr)) {
    mj_deleteModel(again);
  } else {
    EXPECT_STRNE(mjs_getError(spec), "");
  }
}

// The list at a place, with another length; everything else as it was read.
template <class List>
void TryLengths(std::vector<List*> ListsOf::*kind) {
  const size_t count = (AllLists(*ReadXmlText(kEverything, "test.xml", nullptr)).*kind).size();
  ASSERT_GT(count, 0u);
  for (size_t place = 0; place < count; ++place) {
    for (const size_t length : {0, 1, 2, 5, 13}) {
      mjSpec* spec = mj_parseXMLString(kEverything, nullptr, nullptr, 0);
      ASSERT_NE(spec, nullptr);
      mjModel* m = mj_compile(spec, nullptr);
      ASSERT_NE(m, nullptr) << mjs_getError(spec);
      (AllLists(*static_cast<Spec*>(spec)).*kind)[place]->resize(length);
      UseAll(spec, m);
      mj_deleteModel(m);
      mj_deleteSpec(spec);
    }
  }
}

TEST(Lists, NumbersOfAnyLength) { TryLengths(&ListsOf::doubles); }
TEST(Lists, FloatsOfAnyLength) { TryLengths(&ListsOf::floats); }
TEST(Lists, IntegersOfAnyLength) { TryLengths(&ListsOf::ints); }
TEST(Lists, TextsOfAnyLength) { TryLengths(&ListsOf::texts); }
TEST(Lists, ListsOfListsOfAnyLength) {
  TryLengths(&ListsOf::lists_of_ints);
  TryLengths(&ListsOf::lists_of_floats);
}

// ---- types that the format does not have

template <class T>
void ExpectNotWritten(T& element) {
  char text[10000], error[500] = "";
  EXPECT_EQ(mj_saveXMLString(element.spec, text, sizeof text, error, sizeof error), -1);
  EXPECT_NE(std::string(error).find("no type of the format"), std::string::npos) << error;
}

TEST(Lists, TypesWithoutAWordAreNotWritten) {
  mjSpec* s = mj_parseXMLString(kEverything, nullptr, nullptr, 0);
  mj_deleteModel(mj_compile(s, nullptr));
  Spec& spec = *static_cast<Spec*>(s);
  Equality& equality = *spec.List<Equality>().front();
  equality.type = mjEQ_DISTANCE;
  ExpectNotWritten(equality);
  equality.type = mjEQ_JOINT;
  Sensor& sensor = *spec.List<Sensor>().front();
  sensor.type = static_cast<mjtSensor>(60);
  ExpectNotWritten(sensor);
  mj_deleteSpec(s);
}

}  // namespace
}  // namespace sinew
