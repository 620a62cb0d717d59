#include "spec/spec.h"
#include "spec/edit.h"

#include <gtest/gtest.h>

#include "spec/traverse.h"

namespace sinew {
namespace {

TEST(Element, PublicPointersLeadBack) {
  Spec spec;
  Geom& geom = spec.world().Add<Geom>();
  mjsGeom* as_struct = &geom;
  EXPECT_EQ(static_cast<Geom*>(as_struct), &geom);
  EXPECT_EQ(As<Geom>(as_struct->element), &geom);
  EXPECT_EQ(As<Site>(as_struct->element), nullptr);
  EXPECT_EQ(As<Geom>(nullptr), nullptr);
  EXPECT_EQ(static_cast<Spec*>(static_cast<mjSpec*>(&spec)), &spec);
}

TEST(Element, CopiesOwnTheirTexts) {
  Geom first;
  *first.material = "steel";
  first.size[0] = 3;
  Geom second(first);
  *first.material = "wood";
  EXPECT_EQ(*second.material, "steel");
  EXPECT_NE(second.material, first.material);
  EXPECT_EQ(second.size[0], 3);
  EXPECT_EQ(As<Geom>(second.element), &second);

  Geom third;
  third.CopyValues(second);
  *second.material = "glass";
  EXPECT_EQ(*third.material, "steel");
  EXPECT_EQ(As<Geom>(third.element), &third);
}

TEST(Element, TendonsCopyTheirPath) {
  Tendon tendon;
  tendon.AddWrap(mjWRAP_SITE).target = "a";
  const Tendon copy(tendon);
  tendon.path[0]->target = "b";
  ASSERT_EQ(copy.path.size(), 1u);
  EXPECT_EQ(copy.path[0]->target, "a");
}

TEST(Spec, NamesAreFoundByType) {
  Spec spec;
  EXPECT_EQ(spec.Find(mjOBJ_BODY, "world"), &spec.world());
  EXPECT_EQ(spec.Find(mjOBJ_XBODY, "world"), &spec.world());
  Geom& geom = spec.world().Add<Geom>();
  EXPECT_TRUE(spec.SetName(geom, "foot"));
  EXPECT_EQ(spec.Find<Geom>("foot"), &geom);
  EXPECT_EQ(spec.Find<Site>("foot"), nullptr);

  EXPECT_TRUE(spec.SetName(geom, "hand"));
  EXPECT_EQ(spec.Find<Geom>("foot"), nullptr);
  EXPECT_EQ(spec.Find<Geom>("hand"), &geom);
}

TEST(Spec, SecondBearerOfANameIsReportedAndBearsIt) {
  Spec spec;
  Geom& first = spec.world().Add<Geom>();
  Geom& second = spec.world().Add<Geom>();
  EXPECT_TRUE(spec.SetName(first, "foot"));
  EXPECT_FALSE(spec.SetName(second, "foot"));
  EXPECT_EQ(second.name, "foot");
  EXPECT_EQ(spec.Find<Geom>("foot"), &first);
  // Frames have names of their own.
  EXPECT_TRUE(spec.SetName(spec.world().Add<Frame>(), "foot"));
}

TEST(Default, StartsAsItsParentIsThen) {
  Spec spec;
  spec.main_class().geom->density = 500;
  Default* soft = spec.main_class().AddChild("soft");
  spec.main_class().geom->density = 700;
  EXPECT_EQ(soft->geom->density, 500);
  EXPECT_EQ(spec.main_class().Find("soft"), soft);
  EXPECT_EQ(spec.main_class().Find("hard"), nullptr);
}

TEST(Default, ElementsTakeTheNearestClass) {
  Spec spec;
  Default* outer = spec.main_class().AddChild("outer");
  Default* inner = spec.main_class().AddChild("inner");
  Default* own = spec.main_class().AddChild("own");
  outer->geom->density = 1;
  inner->geom->density = 2;
  own->geom->density = 3;

  Body& body = spec.world().Add<Body>(outer);
  Body& child = body.Add<Body>();
  Frame& frame = child.Add<Frame>(inner);
  Frame& nested = child.Add<Frame>(nullptr, &frame);
  EXPECT_EQ(spec.world().Add<Geom>().density, 1000);
  EXPECT_EQ(child.Add<Geom>().density, 1);
  EXPECT_EQ(child.Add<Geom>(nullptr, &nested).density, 2);
  EXPECT_EQ(child.Add<Geom>(own, &nested).density, 3);
  EXPECT_EQ(child.Add<Body>(nullptr, &nested).Add<Geom>().density, 2);
}

TEST(Default, DoesNotChangeWhatExists) {
  Spec spec;
  Actuator& actuator = spec.Add<Actuator>();
  spec.main_class().actuator->gear[0] = 5;
  EXPECT_EQ(actuator.gear[0], 1);
  EXPECT_EQ(spec.Add<Actuator>().gear[0], 5);
}

// World(g0){ a(g1){ b(g2) } c(g3) }, with c declared before b.
class Walk : public testing::Test {
 protected:
  Walk() {
    a = &spec.world().Add<Body>();
    c = &spec.world().Add<Body>();
    b = &a->Add<Body>();
    for (Body* body : {&spec.world(), a, b, c}) geoms.push_back(&body->Add<Geom>());
  }
  Spec spec;
  Body *a, *b, *c;
  std::vector<Element*> geoms;  // in compiled order
};

TEST_F(Walk, BodiesInPreOrder) {
  EXPECT_EQ(FirstElement(spec, mjOBJ_BODY), &spec.world());
  EXPECT_EQ(NextElement(spec, spec.world()), a);
  EXPECT_EQ(NextElement(spec, *a), b);
  EXPECT_EQ(NextElement(spec, *b), c);
  EXPECT_EQ(NextElement(spec, *c), nullptr);
}

TEST_F(Walk, ChildrenBodyByBody) {
  std::vector<Element*> walked;
  for (Element* e = FirstElement(spec, mjOBJ_GEOM); e; e = NextElement(spec, *e)) walked.push_back(e);
  EXPECT_EQ(walked, geoms);
}

TEST_F(Walk, StaysBelowTheBody) {
  EXPECT_EQ(FirstChild(*a, mjOBJ_GEOM, true), geoms[1]);
  EXPECT_EQ(NextChild(*a, *geoms[1], true), geoms[2]);
  EXPECT_EQ(NextChild(*a, *geoms[2], true), nullptr);
  EXPECT_EQ(NextChild(*a, *geoms[1], false), nullptr);
  EXPECT_EQ(FirstChild(spec.world(), mjOBJ_BODY, false), a);
  EXPECT_EQ(NextChild(spec.world(), *a, false), c);
  EXPECT_EQ(FirstChild(*a, mjOBJ_SITE, true), nullptr);
}

TEST_F(Walk, ListsOutsideOfTheTree) {
  EXPECT_EQ(FirstElement(spec, mjOBJ_SENSOR), nullptr);
  Sensor& first = spec.Add<Sensor>();
  Sensor& second = spec.Add<Sensor>();
  EXPECT_EQ(FirstElement(spec, mjOBJ_SENSOR), &first);
  EXPECT_EQ(NextElement(spec, first), &second);
  EXPECT_EQ(NextElement(spec, second), nullptr);
}

TEST_F(Walk, GoesOnAfterElementsWereTakenOut) {
  std::vector<Sensor*> sensors;
  for (int i = 0; i < 5; ++i) sensors.push_back(&spec.Add<Sensor>());
  Delete(spec, *sensors[0]);
  Delete(spec, *sensors[2]);
  EXPECT_EQ(FirstElement(spec, mjOBJ_SENSOR), sensors[1]);
  EXPECT_EQ(NextElement(spec, *sensors[1]), sensors[3]);
  EXPECT_EQ(NextElement(spec, *sensors[3]), sensors[4]);
  EXPECT_EQ(NextElement(spec, *sensors[4]), nullptr);
  EXPECT_EQ(NextElement(spec, *sensors[2]), nullptr) << "it is in no list";
}

TEST(UserValues, AreCleanedUpOnce) {
  static int cleaned = 0;
  int value = 0;
  mjSpec* spec = mj_makeSpec();
  mjsElement* body = mjs_addBody(mjs_findBody(spec, "world"), nullptr)->element;
  const auto clean = [](const void*) { ++cleaned; };
  mjs_setUserValueWithCleanup(body, "key", &value, clean);
  EXPECT_EQ(mjs_getUserValue(body, "key"), &value);
  mjs_setUserValueWithCleanup(body, "key", &value, clean);
  EXPECT_EQ(cleaned, 1);
  mjs_deleteUserValue(body, "key");
  EXPECT_EQ(cleaned, 2);
  EXPECT_EQ(mjs_getUserValue(body, "key"), nullptr);
  mjs_setUserValueWithCleanup(body, "key", &value, clean);
  mj_deleteSpec(spec);
  EXPECT_EQ(cleaned, 3);
}

}  // namespace
}  // namespace sinew
