// What programs read of specifications when something is wrong, and of those that were given away.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

SpecPtr FromText(const char* xml) { return SpecPtr(mj_parseXMLString(xml, nullptr, nullptr, 0)); }
mjsBody* WorldOf(const SpecPtr& s) { return mjs_findBody(s.get(), "world"); }

int Count(const SpecPtr& s, mjtObj type) {
  int count = 0;
  for (mjsElement* e = mjs_firstElement(s.get(), type); e; e = mjs_nextElement(s.get(), e)) ++count;
  return count;
}

std::string CompileError(const SpecPtr& s) {
  EXPECT_EQ(mj_compile(s.get(), nullptr), nullptr);
  return mjs_getError(s.get());
}

TEST(SpecErrorTest, ElementOfAProgramHasNameIdAndInfo) {
  const SpecPtr s(mj_makeSpec());
  mjs_addGeom(WorldOf(s), nullptr)->size[0] = 1;
  mjsGeom* geom = mjs_addGeom(mjs_addBody(WorldOf(s), nullptr), nullptr);
  mjs_setName(geom->element, "foot");
  EXPECT_EQ(CompileError(s), "Error: size 0 must be positive in geom\nElement name 'foot', id 1\nset it");
  mjs_setString(geom->info, "robot.py:7");
  EXPECT_EQ(CompileError(s), "Error: size 0 must be positive in geom\nElement name 'foot', id 1, robot.py:7\nset it");
}

TEST(SpecErrorTest, ElementWithoutNameHasItsBody) {
  const SpecPtr s(mj_makeSpec());
  mjsBody* hand = mjs_addBody(WorldOf(s), nullptr);
  mjs_setName(hand->element, "hand");
  mjs_addGeom(hand, nullptr)->type = mjGEOM_MESH;
  EXPECT_EQ(CompileError(s), "Error: mesh is missing\nElement name '', id 0, in body 'hand'\nname one");
}

TEST(SpecErrorTest, ElementOfAFileHasItsLine) {
  const SpecPtr s = FromText("<mujoco>\n<worldbody>\n<geom name='foot'/></worldbody></mujoco>");
  EXPECT_EQ(CompileError(s),
            "line 3: geom 'foot': size 0 must be positive in geom; set it; see: sinew schema body/geom size");
}

// Programs find the line by the word, in the first line of the text.
TEST(SpecErrorTest, TextOfAFileSaysTheLineInWords) {
  const char xml[] = "<mujoco>\n<worldbody>\n<geom name='a'/><geom name='b'/></worldbody></mujoco>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "model.xml", xml, sizeof(xml) - 1);
  char error[500] = "";
  EXPECT_EQ(mj_loadXML("model.xml", &vfs, error, sizeof(error)), nullptr);
  const SpecPtr s(mj_parseXML("model.xml", &vfs, nullptr, 0));
  mj_deleteVFS(&vfs);
  for (const std::string& text : {std::string(error), CompileError(s)}) {
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_TRUE(first.starts_with("model.xml:3: ")) << text;
    EXPECT_TRUE(first.ends_with(" (line 3)")) << text;
  }
}

TEST(SpecErrorTest, ANameGivenTwiceIsTold) {
  const SpecPtr s(mj_makeSpec());
  EXPECT_EQ(mjs_setName(mjs_addGeom(WorldOf(s), nullptr)->element, "foot"), 0);
  EXPECT_EQ(mjs_setName(mjs_addGeom(WorldOf(s), nullptr)->element, "foot"), -1);
  EXPECT_TRUE(std::string(mjs_getError(s.get())).starts_with("Error: repeated name 'foot' in geom"));
}

TEST(SpecErrorTest, FieldsOfSensorsAreBits) {
  const SpecPtr s(mj_makeSpec());
  mjs_setName(mjs_addSite(WorldOf(s), nullptr)->element, "lamp");
  mjsSensor* sensor = mjs_addSensor(s.get());
  sensor->type = mjSENS_RANGEFINDER;
  sensor->objtype = mjOBJ_SITE;
  mjs_setString(sensor->objname, "lamp");
  const auto error = [&](int fields) {
    sensor->intprm[0] = fields;
    return CompileError(s);
  };
  EXPECT_NE(error(0).find("data spec (intprm[0]) must be positive, got 0"), std::string::npos);
  EXPECT_NE(error(1 << mjNRAYDATA).find("must have at least one bit set"), std::string::npos);
  EXPECT_NE(error(1 | 1 << mjNRAYDATA).find("has bits set beyond the first"), std::string::npos);
}

TEST(SpecFindTest, AssetsWithoutNameAreCalledLikeTheirFiles) {
  const SpecPtr s(mj_makeSpec());
  mjsMesh* mesh = mjs_addMesh(s.get(), nullptr);
  mjs_setString(mesh->file, "folder/cube.obj");
  EXPECT_EQ(mjs_findElement(s.get(), mjOBJ_MESH, "cube"), mesh->element);
  EXPECT_EQ(mjs_findElement(s.get(), mjOBJ_TEXTURE, "cube"), nullptr);
  mjs_setName(mesh->element, "box");
  EXPECT_EQ(mjs_findElement(s.get(), mjOBJ_MESH, "cube"), nullptr);
}

TEST(SpecTendonTest, WrapsKnowTheirGeomAfterCompilation) {
  const SpecPtr s = FromText(R"(<mujoco><worldbody><site name="a"/><site name="b" pos="2 0 0"/>
      <geom name="g" type="cylinder" size=".1 .1" pos="1 0 0"/></worldbody></mujoco>)");
  mjsTendon* tendon = mjs_addTendon(s.get(), nullptr);
  mjs_wrapSite(tendon, "a");
  mjsWrap* wrap = mjs_wrapGeom(tendon, "g", "");
  mjs_wrapSite(tendon, "b");
  mj_deleteModel(mj_compile(s.get(), nullptr));
  EXPECT_EQ(wrap->type, mjWRAP_CYLINDER);
}

TEST(SpecAttachTest, WhatWasAttachedStillListsItsElements) {
  const SpecPtr parent = FromText("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  const SpecPtr child = FromText(
      "<mujoco><worldbody><body name='arm'><joint name='j'/><geom size='1'/><geom "
      "size='2'/></body></worldbody></mujoco>");
  mjsFrame* frame = mjs_addFrame(WorldOf(parent), nullptr);
  ASSERT_NE(mjs_attach(frame->element, child->element, "", ""), nullptr);
  EXPECT_EQ(Count(child, mjOBJ_JOINT), 1);
  EXPECT_EQ(Count(child, mjOBJ_GEOM), 2);
  EXPECT_EQ(Count(child, mjOBJ_BODY), 2);
  EXPECT_EQ(Count(parent, mjOBJ_GEOM), 3);

  mjsElement* joint = mjs_firstElement(child.get(), mjOBJ_JOINT);
  EXPECT_EQ(mjs_delete(child.get(), joint), -1);
  EXPECT_NE(std::string(mjs_getError(child.get())).find("Cannot delete element from an attached mjSpec"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
