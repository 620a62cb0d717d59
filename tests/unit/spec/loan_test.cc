// Parts that were attached by reference come back when they are deleted from the model that has them, or when that
// goes: then the model that has given them is as it was.
#include "spec/loan.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "core/error.h"
#include "spec/attach.h"
#include "spec/edit.h"

namespace sinew {
namespace {

using Numbers = std::vector<double>;

// Two bodies "a" and "b" with a joint and a geom each, of a class and a material with a texture; a sensor on each
// joint, an exclude of both, and a keyframe.
Spec* MakeChild() {
  Spec* spec = new Spec;
  *spec->modelname = "child";
  Default& heavy = *spec->main_class().AddChild("heavy");
  heavy.geom->density = 5000;
  Texture& texture = spec->Add<Texture>();
  spec->SetName(texture, "wood");
  texture.type = mjTEXTURE_2D;
  texture.builtin = mjBUILTIN_FLAT;
  texture.width = texture.height = 2;
  Material& material = spec->Add<Material>();
  spec->SetName(material, "paint");
  (*material.textures)[mjTEXROLE_RGB] = "wood";
  for (const std::string name : {"a", "b"}) {
    Body& body = spec->world().Add<Body>();
    spec->SetName(body, name);
    spec->SetName(body.Add<Joint>(), "j" + name);
    Geom& geom = body.Add<Geom>(&heavy);
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
  Key& key = spec->Add<Key>();
  spec->SetName(key, "home");
  *key.qpos = {0.1, 0.2};
  return spec;
}

Spec* MakeParent() {
  Spec* spec = new Spec;
  Body& body = spec->world().Add<Body>();
  body.Add<Joint>();
  body.Add<Geom>().size[0] = 1;
  return spec;
}

Element& AttachTo(Spec& parent, Element& what, const std::string& prefix = "x_", bool by_copy = false) {
  return Attach(parent.world().Add<Frame>(), what, {prefix, ""}, by_copy);
}

std::uint64_t SignatureOf(Spec& spec) { return Compile(spec, nullptr)->signature; }

// The signature of a model is a hash of all its structure and names.
class LoanTest : public testing::Test {
 protected:
  LoanTest() : before_(SignatureOf(*child_)) {}
  ~LoanTest() override {
    if (parent_) Release(parent_);
    Release(child_);
  }

  void ExpectAsBefore() {
    const ModelPtr model = Compile(*child_, nullptr);
    EXPECT_EQ(model->signature, before_);
    EXPECT_DOUBLE_EQ(model->key_qpos[0], 0.1);
    EXPECT_DOUBLE_EQ(model->key_qpos[1], 0.2);
    EXPECT_EQ(child_->Find<Body>("a")->geoms[0]->default_class->name, "heavy");
    EXPECT_EQ(*child_->Find<Body>("a")->geoms[0]->material, "paint");
    EXPECT_EQ(child_->family, nullptr) << "it shares nothing any more";
  }

  Spec* parent_ = MakeParent();
  Spec* child_ = MakeChild();
  const std::uint64_t before_;
};

TEST_F(LoanTest, ABodyComesBackWhenItIsDeleted) {
  const std::uint64_t alone = SignatureOf(*parent_);
  Element& part = AttachTo(*parent_, *child_->Find<Body>("a"));
  EXPECT_EQ(Compile(*parent_, nullptr)->nmat, 1);
  EXPECT_THROW(Compile(*child_, nullptr), Error);
  Delete(*parent_, part);
  EXPECT_EQ(Compile(*parent_, nullptr)->signature, alone) << "nothing of the part is left, its keyframe included";
  EXPECT_FALSE(part.is_deleted);
  EXPECT_EQ(part.name, "a");
  ExpectAsBefore();
}

TEST_F(LoanTest, AWholeModelComesBackWithItsFrame) {
  Delete(*parent_, AttachTo(*parent_, *child_));
  ExpectAsBefore();
}

TEST_F(LoanTest, TheWorldComesBack) {
  Element& part = AttachTo(*parent_, child_->world());
  EXPECT_EQ(part.name, "x_world");
  Delete(*parent_, part);
  EXPECT_EQ(child_->world().bodies.size(), 2u);
  ExpectAsBefore();
}

TEST_F(LoanTest, ItIsFreeWhenTheParentGoes) {
  AttachTo(*parent_, *child_->Find<Body>("b"));
  AttachTo(*parent_, *child_->Find<Body>("a"), "y_");
  Release(parent_);
  parent_ = nullptr;
  ExpectAsBefore();
}

TEST_F(LoanTest, ItIsFreeOnceAllItsPartsAreBack) {
  Element& a = AttachTo(*parent_, *child_->Find<Body>("a"));
  Element& b = AttachTo(*parent_, *child_->Find<Body>("b"), "y_");
  Delete(*parent_, a);
  EXPECT_THROW(Compile(*child_, nullptr), Error) << "the other one is still away";
  EXPECT_EQ(Compile(*parent_, nullptr)->nmat, 1) << "and needs the assets";
  Delete(*parent_, b);
  ExpectAsBefore();
}

TEST_F(LoanTest, APartComesBackWithTheBodyThatItHangsOn) {
  Body& arm = parent_->world().Add<Body>();
  arm.Add<Joint>();
  arm.Add<Geom>().size[0] = 1;
  Attach(arm.Add<Frame>(), *child_->Find<Body>("a"), {"x_", ""}, false);
  Delete(*parent_, arm);
  ExpectAsBefore();
}

TEST_F(LoanTest, AttachedAgainAndAgain) {
  for (int round = 0; round < 3; ++round) {
    Element& part = AttachTo(*parent_, *child_->Find<Body>("a"));
    const ModelPtr model = Compile(*parent_, nullptr);
    EXPECT_EQ(model->nkey, 1);
    EXPECT_DOUBLE_EQ(model->key_qpos[1], 0.1);
    Delete(*parent_, part);
  }
  ExpectAsBefore();
}

// What was deleted one by one is gone for both.
TEST_F(LoanTest, WhatWasDeletedInThePartStaysAway) {
  Body& body = *child_->Find<Body>("a");
  body.Add<Geom>().size[0] = 2;
  AttachTo(*parent_, body);
  Delete(*parent_, *body.geoms.back());
  Delete(*parent_, body);
  EXPECT_EQ(body.geoms.size(), 1u);
  ExpectAsBefore();
}

TEST_F(LoanTest, WhatWasAddedToThePartComesAlong) {
  Body& body = *child_->Find<Body>("a");
  AttachTo(*parent_, body);
  body.Add<Site>();
  Delete(*parent_, body);
  EXPECT_EQ(body.sites[0]->spec, child_);
  EXPECT_EQ(Compile(*child_, nullptr)->nsite, 1);
}

// The parent keeps what it has come to use: a copy, with what that needs.
TEST_F(LoanTest, AssetsThatTheParentUsesAreCopied) {
  Element& part = AttachTo(*parent_, *child_->Find<Body>("a"));
  *parent_->world().bodies[0]->geoms[0]->material = "x_paint";
  Delete(*parent_, part);
  const ModelPtr model = Compile(*parent_, nullptr);
  EXPECT_EQ(model->nmat, 1);
  EXPECT_EQ(model->ntex, 1);
  ExpectAsBefore();
}

TEST_F(LoanTest, APartOfAPartGoesBackToWhereItIsFrom) {
  Spec* inner = MakeChild();
  const std::uint64_t inner_before = SignatureOf(*inner);
  Body& body = *child_->Find<Body>("a");
  Element& hand = Attach(body.Add<Frame>(), *inner->Find<Body>("a"), {"h_", ""}, false);
  AttachTo(*parent_, body);
  EXPECT_EQ(hand.name, "x_h_a");
  Delete(*parent_, hand);
  EXPECT_EQ(SignatureOf(*inner), inner_before);
  Delete(*parent_, body);
  Delete(*child_, *body.frames[0]);
  ExpectAsBefore();
  Release(inner);
}

TEST_F(LoanTest, APartOfAPartComesBackWithIt) {
  Spec* inner = MakeChild();
  const std::uint64_t inner_before = SignatureOf(*inner);
  Body& body = *child_->Find<Body>("a");
  Attach(body.Add<Frame>(), *inner->Find<Body>("a"), {"h_", ""}, false);
  const std::uint64_t together = SignatureOf(*child_);
  AttachTo(*parent_, body);
  Delete(*parent_, body);
  EXPECT_EQ(SignatureOf(*child_), together);
  Release(child_);  // it has the part of the other
  EXPECT_EQ(SignatureOf(*inner), inner_before);
  child_ = inner;
}

// A child that its program has released goes when its parts come back.
TEST_F(LoanTest, AReleasedOneGoes) {
  Spec* other = MakeChild();
  Element& part = AttachTo(*parent_, *other->Find<Body>("a"));
  Release(other);
  EXPECT_EQ(Compile(*parent_, nullptr)->nbody, 3);
  Delete(*parent_, part);
  EXPECT_EQ(Compile(*parent_, nullptr)->nbody, 2);
  EXPECT_EQ(parent_->family->members.size(), 1u);
}

// Copies bring assets, classes and keyframes that go with them, however often.
TEST_F(LoanTest, CopiesLeaveNothing) {
  const std::uint64_t alone = SignatureOf(*parent_);
  for (int round = 0; round < 3; ++round) {
    Element& part = AttachTo(*parent_, *child_, "x_", true);
    const ModelPtr model = Compile(*parent_, nullptr);
    EXPECT_EQ(model->nmat, 1);
    EXPECT_EQ(model->nkey, 1);
    Delete(*parent_, part);
    EXPECT_EQ(SignatureOf(*parent_), alone);
    EXPECT_TRUE(parent_->main_class().children.empty());
  }
}

TEST_F(LoanTest, DeletedElementsAreKeptForAWhile) {
  for (int round = 0; round < 1000; ++round) {
    Geom& geom = parent_->world().Add<Geom>();
    Delete(*parent_, geom);
    EXPECT_TRUE(geom.is_deleted);
  }
  EXPECT_LT(parent_->deleted.size(), 200u);
}

}  // namespace
}  // namespace sinew
