#include "spec/attach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "core/error.h"
#include "spec/edit.h"

namespace sinew {
namespace {

using Numbers = std::vector<double>;

// A world with the bodies "a" and "b", each with a joint and a geom; a sensor on each joint; an exclude of both.
std::unique_ptr<Spec> MakeChild() {
  auto spec = std::make_unique<Spec>();
  *spec->modelname = "child";
  spec->SetName(spec->Add<Material>(), "paint");
  for (const std::string name : {"a", "b"}) {
    Body& body = spec->world().Add<Body>();
    spec->SetName(body, name);
    spec->SetName(body.Add<Joint>(), "j" + name);
    Geom& geom = body.Add<Geom>();
    geom.size[0] = 1;
    *geom.material = "paint";
    Sensor& sensor = spec->Add<Sensor>();
    sensor.type = mjSENS_JOINTPOS;
    sensor.objtype = mjOBJ_JOINT;
    *sensor.objname = "j" + name;
    spec->SetName(sensor, "s" + name);
  }
  Exclude& exclude = spec->Add<Exclude>();
  *exclude.bodyname1 = "a";
  *exclude.bodyname2 = "b";
  return spec;
}

class AttachTest : public testing::TestWithParam<bool> {
 protected:
  AttachTest() {
    parent_->SetName(frame_, "f");
    Body& body = parent_->world().Add<Body>();
    Joint& joint = body.Add<Joint>();
    joint.type = mjJNT_SLIDE;
    body.Add<Geom>().size[0] = 1;
  }
  ~AttachTest() override {
    Release(parent_);
    if (child_) Release(child_);
  }

  Element& AttachTo(Element& place, Element& what) { return Attach(place, what, {"x_", "_y"}, GetParam()); }

  Spec* parent_ = new Spec;
  Spec* child_ = MakeChild().release();
  Frame& frame_ = parent_->world().Add<Frame>();
};

TEST_P(AttachTest, ABodyBringsWhatRefersToItAlone) {
  Element& attached = AttachTo(frame_, *child_->Find<Body>("a"));
  EXPECT_EQ(attached.name, "x_a_y");
  EXPECT_EQ(attached.frame, &frame_);
  EXPECT_EQ(parent_->Find<Body>("x_a_y"), &attached);
  ASSERT_EQ(parent_->List<Sensor>().size(), 1u);
  EXPECT_EQ(*parent_->List<Sensor>()[0]->objname, "x_ja_y");
  EXPECT_TRUE(parent_->List<Exclude>().empty()) << "its other body is not there";
  EXPECT_EQ(*static_cast<Body&>(attached).geoms[0]->material, "x_paint_y");
  EXPECT_NE(parent_->main_class().Find("x_main_y"), nullptr);
  const ModelPtr model = Compile(*parent_, nullptr);
  EXPECT_EQ(model->nbody, 3);
  EXPECT_EQ(model->nsensor, 1);
}

TEST_P(AttachTest, AModelStandsInAFrameOfItsOwn) {
  Element& attached = AttachTo(frame_, *child_);
  ASSERT_EQ(attached.elemtype, mjOBJ_FRAME);
  EXPECT_EQ(attached.frame, &frame_);
  EXPECT_EQ(parent_->Find<Body>("x_b_y")->frame, &attached);
  EXPECT_EQ(parent_->List<Exclude>().size(), 1u);
  EXPECT_EQ(Compile(*parent_, nullptr)->nbody, 4);
}

TEST_P(AttachTest, ASiteGivesItsPose) {
  Site& site = parent_->world().bodies[0]->Add<Site>();
  site.pos[2] = 3;
  Element& attached = AttachTo(site, *child_->Find<Body>("a"));
  EXPECT_EQ(attached.frame->pos[2], 3);
  EXPECT_EQ(attached.parent, site.parent);
}

TEST_P(AttachTest, KeyframesAreJoined) {
  *parent_->Add<Key>().qpos = {7};
  Key& key = child_->Add<Key>();
  child_->SetName(key, "k");
  *key.qpos = {8, 9};
  AttachTo(frame_, *child_->Find<Body>("a"));
  AttachTo(frame_, *child_->Find<Body>("b"));
  const auto& keys = parent_->List<Key>();
  EXPECT_EQ(keys.size(), 1u) << "those of the child wait for the compilation";
  parent_->RestoreKeys();
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(*keys[0]->qpos, (Numbers{7, 0, 0}));
  EXPECT_EQ((*keys[1]->qpos)[1], 8);
  EXPECT_EQ((*keys[2]->qpos)[2], 9);
}

TEST_P(AttachTest, KeyframesOfAnotherSizeAreRefused) {
  *child_->Add<Key>().qpos = {1};
  EXPECT_THROW(AttachTo(frame_, *child_), Error);
  EXPECT_EQ(parent_->world().frames.size(), 1u);
  EXPECT_EQ(child_->world().bodies.size(), 2u);
}

TEST_P(AttachTest, CompilerSettingsOfTheChildHold) {
  static_cast<mjSpec*>(child_)->compiler.degree = 0;
  child_->Find<Joint>("ja")->limited = mjLIMITED_TRUE;
  child_->Find<Joint>("ja")->range[1] = 2;
  AttachTo(frame_, *child_->Find<Body>("a"));
  Release(child_);
  child_ = nullptr;
  const ModelPtr model = Compile(*parent_, nullptr);
  EXPECT_EQ(model->jnt_range[2 * parent_->Find<Joint>("x_ja_y")->id + 1], 2) << "radians stay radians";
}

// Its files are where its own document says.
TEST_P(AttachTest, FilesOfTheChildAreBesideIt) {
  const std::string folder = testing::TempDir() + "/attach_files";
  std::filesystem::create_directories(folder + "/meshes");
  std::ofstream(folder + "/meshes/m.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  *child_->modelfiledir = folder + "/";
  *static_cast<mjSpec*>(child_)->compiler.meshdir = "meshes";
  Mesh& mesh = child_->Add<Mesh>();
  *mesh.file = "m.obj";
  child_->SetName(mesh, "m");
  Geom& geom = child_->Find<Body>("a")->Add<Geom>();
  geom.type = mjGEOM_MESH;
  *geom.meshname = "m";
  AttachTo(frame_, *child_->Find<Body>("a"));
  EXPECT_EQ(Compile(*parent_, nullptr)->nmeshvert, 4);
}

TEST_P(AttachTest, ImpossiblePlaces) {
  Body& body = *child_->Find<Body>("a");
  EXPECT_THROW(AttachTo(parent_->world(), body), Error);
  EXPECT_THROW(AttachTo(*parent_->world().bodies[0]->geoms[0], body), Error);
  EXPECT_THROW(AttachTo(frame_, *body.geoms[0]), Error);
}

TEST_P(AttachTest, TheWorldBecomesABody) {
  Element& attached = AttachTo(frame_, child_->world());
  EXPECT_EQ(attached.name, "x_world_y");
  EXPECT_EQ(attached.parent, &parent_->world());
  EXPECT_EQ(attached.frame, &frame_);
  EXPECT_EQ(parent_->Find<Body>("x_b_y")->parent, &attached);
  EXPECT_EQ(child_->Find<Body>("world"), &child_->world()) << "the child keeps a world";
  EXPECT_EQ(Compile(*parent_, nullptr)->nbody, 5);
}

TEST_P(AttachTest, AssetsAreCalledLikeTheirFiles) {
  *child_->Add<Mesh>().file = "folder/m.stl";
  Geom& geom = *child_->Find<Body>("a")->geoms[0];
  geom.type = mjGEOM_MESH;
  *geom.meshname = "m";
  Element& attached = AttachTo(frame_, *child_->Find<Body>("a"));
  EXPECT_EQ(parent_->List<Mesh>()[0]->name, "x_m_y");
  EXPECT_EQ(*static_cast<Body&>(attached).geoms[0]->meshname, "x_m_y");
}

INSTANTIATE_TEST_SUITE_P(Ways, AttachTest, testing::Bool());

TEST(Attach, ByReferenceMovesTheElements) {
  Spec* parent = new Spec;
  Spec* child = MakeChild().release();
  Frame& frame = parent->world().Add<Frame>();
  Body& body = *child->Find<Body>("a");
  EXPECT_EQ(&Attach(frame, body, {"x_", ""}, false), &body);
  EXPECT_EQ(child->Find<Body>("x_a"), &body);
  EXPECT_EQ(child->Find<Body>("a"), nullptr);
  EXPECT_THROW(Compile(*child, nullptr), Error);
  // Attached again, it is in its own model, and that copies.
  Element& again = Attach(frame, body, {"y_", ""}, false);
  EXPECT_NE(&again, &body);
  EXPECT_EQ(again.name, "y_x_a");
  Release(parent);
  EXPECT_EQ(body.name, "a") << "it is back where it came from";
  Release(child);
}

TEST(Attach, WithinItself) {
  const auto spec = MakeChild();
  Body& body = *spec->Find<Body>("a");
  Frame& frame = body.Add<Frame>();
  Element& copy = Attach(frame, body, {"y_", ""}, true);
  EXPECT_EQ(copy.parent, &body);
  EXPECT_EQ(*static_cast<Body&>(copy).geoms[0]->material, "paint");
  EXPECT_EQ(Compile(*spec, nullptr)->nbody, 4);
}

// In the copy of a keyframe, the copy of the body has the values of the original, which has none.
TEST(Attach, WithinItselfCopiesKeyframes) {
  const auto spec = MakeChild();
  Key& key = spec->Add<Key>();
  spec->SetName(key, "k");
  *key.qpos = {7, 8};
  Attach(spec->world().Add<Frame>(), *spec->Find<Body>("a"), {"y_", ""}, true);
  const ModelPtr model = Compile(*spec, nullptr);
  ASSERT_EQ(model->nkey, 2);
  EXPECT_EQ(spec->List<Key>()[1]->name, "y_k");
  EXPECT_EQ(Numbers(model->key_qpos, model->key_qpos + 6), (Numbers{7, 8, 0, 0, 8, 7}));
}

// The pose of a free body is known to the compiler alone; then it is in the specification too, so that it can be saved.
TEST(Attach, KeyframesAreWholeOnceTheyAreCompiled) {
  Spec parent;
  Body& floating = parent.world().Add<Body>();
  floating.pos[2] = 3;
  floating.Add<Joint>().type = mjJNT_FREE;
  floating.Add<Geom>().size[0] = 1;
  const auto child = MakeChild();
  *child->Add<Key>().qpos = {8, 9};
  Attach(parent.world().Add<Frame>(), *child, {"x_", ""}, true);
  Compile(parent, nullptr);
  EXPECT_EQ(*parent.List<Key>()[0]->qpos, (Numbers{0, 0, 3, 1, 0, 0, 0, 8, 9}));
}

TEST(CopySpec, IsIndependent) {
  auto spec = MakeChild();
  Default& heavy = *spec->main_class().AddChild("heavy");
  spec->Find<Body>("b")->Add<Geom>(&heavy).size[0] = 2;
  const auto copy = CopySpec(*spec);
  const ModelPtr before = Compile(*spec, nullptr);
  spec.reset();
  const ModelPtr after = Compile(*copy, nullptr);
  EXPECT_EQ(after->ngeom, before->ngeom);
  EXPECT_EQ(after->nsensor, before->nsensor);
  EXPECT_EQ(after->signature, before->signature);
  EXPECT_EQ(copy->Find<Body>("b")->geoms[1]->default_class->name, "heavy");
}

TEST(FindSpec, KnowsTheAttachedOnes) {
  Spec parent;
  const auto child = MakeChild();
  Attach(parent.world().Add<Frame>(), *child->Find<Body>("a"), {"x_", ""}, true);
  EXPECT_EQ(FindSpec(parent, "MuJoCo Model"), nullptr) << "it is not attached to itself";
  EXPECT_NE(FindSpec(parent, "child"), nullptr);
  EXPECT_NE(FindSpec(parent, "child"), child.get());
  EXPECT_EQ(FindSpec(parent, "nobody"), nullptr);
}

// ---- deletion

TEST(Delete, ABodyGoesWithWhatRefersToIt) {
  const auto spec = MakeChild();
  *spec->Add<Key>().qpos = {1, 2};
  Body& body = *spec->Find<Body>("a");
  Delete(*spec, body);
  EXPECT_TRUE(body.is_deleted);
  EXPECT_TRUE(body.geoms[0]->is_deleted);
  EXPECT_EQ(spec->Find<Joint>("ja"), nullptr);
  EXPECT_EQ(spec->List<Sensor>().size(), 1u);
  EXPECT_TRUE(spec->List<Exclude>().empty());
  EXPECT_TRUE(spec->List<Key>().empty()) << "keyframes wait for the compilation";
  EXPECT_EQ(*spec->pending_keys[0]->qpos, (Numbers{2}));
  EXPECT_EQ(Compile(*spec, nullptr)->nbody, 2);
  EXPECT_THROW(Delete(*spec, body), Error);
}

TEST(Delete, AJointLeavesWhatRefersToItToTheCompiler) {
  const auto spec = MakeChild();
  Delete(*spec, *spec->Find<Joint>("ja"));
  EXPECT_EQ(spec->List<Sensor>().size(), 2u);
  EXPECT_THROW(Compile(*spec, nullptr), Error);
}

TEST(Delete, AClassLeavesItsValues) {
  Spec spec;
  Default& outer = *spec.main_class().AddChild("outer");
  Default& inner = *outer.AddChild("inner");
  inner.geom->size[0] = 3;
  Geom& geom = spec.world().Add<Geom>(&inner);
  Delete(spec, outer);
  EXPECT_EQ(geom.default_class, &spec.main_class());
  EXPECT_EQ(geom.size[0], 3);
  EXPECT_EQ(spec.main_class().Find("inner"), nullptr);
}

TEST(Delete, WhatCannotGo) {
  Spec spec, other;
  EXPECT_THROW(Delete(spec, spec.world()), Error);
  EXPECT_THROW(Delete(spec, spec.main_class()), Error);
  EXPECT_THROW(Delete(spec, spec), Error);
  EXPECT_THROW(Delete(spec, other.world().Add<Body>()), Error);
}

TEST(BodyToFrame, KeepsWhatStandsInIt) {
  const auto spec = MakeChild();
  Body& body = *spec->Find<Body>("a");
  body.pos[0] = 2;
  EXPECT_THROW(BodyToFrame(body), Error);
  Delete(*spec, *body.joints[0]);
  Delete(*spec, *spec->List<Sensor>()[0]);
  Delete(*spec, *spec->List<Exclude>()[0]);
  Geom& geom = *body.geoms[0];
  Frame& frame = BodyToFrame(body);
  EXPECT_EQ(geom.parent, &spec->world());
  EXPECT_EQ(geom.frame, &frame);
  EXPECT_EQ(frame.pos[0], 2);
  EXPECT_EQ(Compile(*spec, nullptr)->nbody, 2);
}

// Two point masses of 1 and 3 in a distance of 4 and their own inertias: the centre divides the distance as 3 to 1, and
// 1 * 3^2 + 3 * 1^2 = 12 is added across it.
TEST(BodyToFrame, TheGivenInertiaJoinsThatOfTheParent) {
  Spec spec;
  Body& outer = spec.world().Add<Body>();
  Body& inner = outer.Add<Body>();
  outer.Add<Joint>();
  inner.Add<Joint>();
  inner.pos[0] = 4;
  for (Body* body : {&outer, &inner}) {
    body->explicitinertial = 1;
    body->ipos[0] = 0;
    std::fill_n(body->inertia, 3, 1);
  }
  outer.mass = 1;
  inner.mass = 3;
  Compile(spec, nullptr);
  BodyToFrame(inner);
  EXPECT_EQ(outer.joints.size(), 2u) << "joints go along";
  const ModelPtr model = Compile(spec, nullptr);
  EXPECT_EQ(model->body_mass[1], 4);
  EXPECT_EQ(model->body_ipos[3], 3);
  EXPECT_EQ(Numbers(model->body_inertia + 3, model->body_inertia + 6), (Numbers{14, 14, 2}));
}

// A matrix given for the inner body, whose frame is turned by 90 degrees about z, which exchanges x and y.
TEST(BodyToFrame, AFullInertiaMoves) {
  for (const bool compiled : {false, true}) {
    Spec spec;
    Body& outer = spec.world().Add<Body>();
    Body& inner = outer.Add<Body>();
    outer.Add<Joint>();
    inner.quat[0] = inner.quat[3] = std::sqrt(0.5);
    inner.mass = 2;
    inner.explicitinertial = 1;
    inner.ipos[0] = inner.ipos[1] = inner.ipos[2] = 0;
    const double full[] = {1, 2, 2.5, 0.1, 0, 0};
    std::copy_n(full, 6, inner.fullinertia);
    if (compiled) Compile(spec, nullptr);
    BodyToFrame(inner);
    EXPECT_EQ(outer.mass, 2);
    const double turned[] = {2, 1, 2.5, -0.1, 0, 0};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(outer.fullinertia[k], turned[k], 1e-15) << k;
    const ModelPtr model = Compile(spec, nullptr);
    EXPECT_EQ(model->body_mass[1], 2);
    EXPECT_NEAR(model->body_inertia[3], 2.5, 1e-14);
  }
}

// The mass of the geoms of one body is that of the last compilation where the values of the other are given.
TEST(BodyToFrame, MassIsKept) {
  for (const bool inner_is_given : {false, true}) {
    Spec spec;
    Body& outer = spec.world().Add<Body>();
    Body& inner = outer.Add<Body>();
    outer.Add<Joint>();
    Body& given = inner_is_given ? inner : outer;
    Geom& geom = (inner_is_given ? outer : inner).Add<Geom>();
    geom.size[0] = 1;
    geom.mass = 3;
    given.explicitinertial = 1;
    given.mass = 2;
    given.ipos[0] = 0;
    std::fill_n(given.inertia, 3, 1);
    Compile(spec, nullptr);
    BodyToFrame(inner);
    const ModelPtr model = Compile(spec, nullptr);
    EXPECT_DOUBLE_EQ(model->body_mass[1], 5);
    EXPECT_NEAR(model->body_inertia[3], 1 + 0.4 * 3, 1e-12);  // of a sphere of radius 1: 2/5 m
  }
}

TEST(BodyToFrame, GeomsAloneGoOnToCount) {
  Spec spec;
  Body& outer = spec.world().Add<Body>();
  Body& inner = outer.Add<Body>();
  outer.Add<Joint>();
  for (Body* body : {&outer, &inner}) {
    Geom& geom = body->Add<Geom>();
    geom.size[0] = 1;
    geom.mass = 1;
  }
  Compile(spec, nullptr);
  BodyToFrame(inner);
  EXPECT_EQ(outer.explicitinertial, 0);
  EXPECT_EQ(Compile(spec, nullptr)->body_mass[1], 2);
}

// ---- instances of plugins

// Two actuators with an instance each, and an instance that nothing uses.
std::unique_ptr<Spec> MakeWithPlugins() {
  auto spec = MakeChild();
  for (const std::string name : {"a", "b", "idle"}) {
    Plugin& instance = spec->Add<Plugin>();
    spec->SetName(instance, "plugin_" + name);
    if (name == "idle") continue;
    Actuator& actuator = spec->Add<Actuator>();
    spec->SetName(actuator, "act_" + name);
    actuator.trntype = mjTRN_JOINT;
    *actuator.target = "j" + name;
    actuator.plugin.active = 1;
    *actuator.plugin.name = "plugin_" + name;
  }
  return spec;
}

std::vector<std::string> NamesOfPlugins(const Spec& spec) {
  std::vector<std::string> names;
  for (const auto& instance : spec.List<Plugin>()) names.push_back(static_cast<const Element&>(*instance).name);
  return names;
}

TEST(AttachedPlugins, ThoseThatAnAttachedPartUsesTravel) {
  for (const bool by_copy : {true, false}) {
    Spec* parent = new Spec;
    Spec* child = MakeWithPlugins().release();
    Attach(parent->world().Add<Frame>(), *child->Find<Body>("a"), {"x_", ""}, by_copy);
    EXPECT_EQ(NamesOfPlugins(*parent), std::vector<std::string>{"x_plugin_a"});
    EXPECT_EQ(*parent->List<Actuator>()[0]->plugin.name, "x_plugin_a");
    Release(parent);
    Release(child);
  }
}

TEST(AttachedPlugins, ThoseWhoseUserIsDeletedGo) {
  const auto spec = MakeWithPlugins();
  Delete(*spec, *spec->Find<Actuator>("act_a"));
  EXPECT_EQ(NamesOfPlugins(*spec), (std::vector<std::string>{"plugin_b", "plugin_idle"}));
  Delete(*spec, *spec->Find<Body>("b"));
  EXPECT_TRUE(NamesOfPlugins(*spec).empty());
}

// ---- copies

TEST(CopySpec, HasItsOwnOfTheModelsThatTheDocumentNames) {
  Spec spec;
  spec.models.push_back(MakeChild());
  spec.models[0]->named_by = &spec;
  const auto copy = CopySpec(spec);
  Spec* child = FindSpec(*copy, "child");
  ASSERT_NE(child, nullptr);
  EXPECT_NE(child, spec.models[0].get());
  child->Find<Body>("a")->geoms[0]->size[0] = 7;
  EXPECT_EQ(spec.models[0]->Find<Body>("a")->geoms[0]->size[0], 1);
  Attach(copy->world().Add<Frame>(), *child->Find<Body>("a"), {"x_", ""}, true);
  EXPECT_EQ(Compile(*copy, nullptr)->geom_size[0], 7);
}

}  // namespace
}  // namespace sinew
