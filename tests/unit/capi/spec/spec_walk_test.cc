// Walks over the children of bodies, also with elements that do not stand where a program looks for the next one.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

class SpecWalkTest : public testing::Test {
 protected:
  SpecPtr spec{mj_parseXMLString(R"(<mujoco><worldbody><geom name="w" size=".1"/>
      <body name="arm"><geom name="a" size=".1"/><geom name="a2" size=".1"/>
        <body name="hand"><geom name="h" size=".1"/></body></body>
      <body name="box"><geom name="b" size=".1"/></body></worldbody>
      <sensor><clock name="c"/></sensor></mujoco>)",
                                 nullptr, nullptr, 0)};

  mjsBody* Body(const char* name) { return mjs_findBody(spec.get(), name); }
  mjsElement* Geom(const char* name) { return mjs_findElement(spec.get(), mjOBJ_GEOM, name); }
  static std::string Name(mjsElement* element) { return element ? mjs_getString(mjs_getName(element)) : "none"; }
  std::string Next(const char* body, mjsElement* child, bool recurse) {
    return Name(mjs_nextChild(Body(body), child, recurse));
  }
};

TEST_F(SpecWalkTest, FollowsTheOrderOfBodies) {
  EXPECT_EQ(Next("arm", Geom("a"), false), "a2");
  EXPECT_EQ(Next("arm", Geom("a2"), false), "none");
  EXPECT_EQ(Next("arm", Geom("a2"), true), "h");
  EXPECT_EQ(Next("world", Geom("h"), true), "b");
  EXPECT_EQ(Next("world", Body("arm")->element, true), "hand");
  EXPECT_EQ(Next("world", Body("hand")->element, true), "box");
}

TEST_F(SpecWalkTest, NothingComesAfterWhatStandsElsewhere) {
  for (const bool recurse : {false, true}) {
    for (const char* geom : {"w", "b"}) EXPECT_EQ(Next("arm", Geom(geom), recurse), "none") << geom;
    EXPECT_EQ(Next("hand", Geom("a"), recurse), "none");
    EXPECT_EQ(Next("arm", Body("arm")->element, recurse), "none");
    EXPECT_EQ(Next("hand", Body("arm")->element, recurse), "none");
    EXPECT_EQ(Next("box", Body("hand")->element, recurse), "none");
    EXPECT_EQ(Next("arm", Body("world")->element, recurse), "none");
    EXPECT_EQ(Next("world", Body("world")->element, recurse), "none");
    EXPECT_EQ(Next("arm", mjs_findElement(spec.get(), mjOBJ_SENSOR, "c"), recurse), "none");
  }
  EXPECT_EQ(Next("world", Geom("a"), false), "none");  // stands deeper
}

TEST_F(SpecWalkTest, NothingComesAfterElementsOfAnotherSpecification) {
  const SpecPtr other(mj_makeSpec());
  mjsBody* world = mjs_findBody(other.get(), "world");
  mjsGeom* geom = mjs_addGeom(world, nullptr);
  EXPECT_EQ(Name(mjs_nextElement(spec.get(), geom->element)), "none");
  EXPECT_EQ(Next("world", geom->element, true), "none");
  EXPECT_EQ(Next("arm", world->element, true), "none");
}

TEST_F(SpecWalkTest, BodiesAreFoundWithTheirFramesToo) {
  EXPECT_EQ(Name(mjs_firstChild(Body("world"), mjOBJ_XBODY, 0)), "arm");
  EXPECT_EQ(Name(mjs_firstChild(Body("world"), mjOBJ_SENSOR, 1)), "none");
}

TEST_F(SpecWalkTest, MembersOfClassesStandInNoSpecification) {
  EXPECT_EQ(mjs_getCompiler(Geom("a")), &spec->compiler);
  EXPECT_EQ(mjs_getCompiler(mjs_getSpecDefault(spec.get())->geom->element), nullptr);
}

}  // namespace
}  // namespace sinew
