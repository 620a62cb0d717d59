#include "compile/copy_back/recompile.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "compile/compile.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/storage/data.h"
#include "spec/edit.h"

namespace sinew {
namespace {

class RecompileTest : public testing::Test {
 protected:
  RecompileTest() {
    AddBody("first");
    AddBody("second");
    model_ = Compile(spec_, nullptr);
    data_.reset(MakeData(*model_));
    data_->time = 3;
    data_->qpos[0] = .25;
    data_->qpos[1] = .5;
  }
  Body& AddBody(const char* name) {
    Body& body = spec_.world().Add<Body>();
    spec_.SetName(body, name);
    body.Add<Joint>();
    body.Add<Geom>().size[0] = 1;
    return body;
  }

  Spec spec_;
  ModelPtr model_;
  DataPtr data_;
};

TEST_F(RecompileTest, StateFollowsTheElement) {
  Delete(spec_, *spec_.Find<Body>("first"));
  spec_.SetName(*spec_.Find<Body>("second"), "renamed");
  AddBody("third").joints[0]->type = mjJNT_FREE;
  Recompile(spec_, nullptr, model_.get(), data_.get());
  ASSERT_EQ(model_->nq, 8);
  EXPECT_EQ(data_->time, 3);
  EXPECT_EQ(data_->qpos[0], .5) << "of the second body";
  EXPECT_EQ(data_->qpos[4], 1) << "the free body is at its initial orientation";
}

TEST_F(RecompileTest, AJointOfAnotherTypeStartsAnew) {
  spec_.Find<Body>("first")->joints[0]->type = mjJNT_BALL;
  Recompile(spec_, nullptr, model_.get(), data_.get());
  EXPECT_EQ(data_->qpos[0], 1);
  EXPECT_EQ(data_->qpos[4], .5);
}

// The state that a simulation goes on from, each part by the element that it belongs to.
TEST_F(RecompileTest, AllThatASimulationGoesOnFromStays) {
  Spec spec;
  spec.nuserdata = 2;
  const std::string names[] = {"a", "b"};
  for (const std::string& name : names) {
    Body& body = spec.world().Add<Body>();
    spec.SetName(body, name);
    spec.SetName(body.Add<Joint>(), name);
    body.Add<Geom>().size[0] = 1;
    Equality& equality = spec.Add<Equality>();
    equality.type = mjEQ_JOINT;
    equality.objtype = mjOBJ_JOINT;
    *equality.name1 = name;
  }
  Actuator& actuator = spec.Add<Actuator>();
  actuator.trntype = mjTRN_JOINT;
  *actuator.target = names[1];
  actuator.nsample = 3;
  actuator.delay = 0.01;
  ModelPtr model = Compile(spec, nullptr);
  DataPtr data(MakeData(*model));
  data->qfrc_applied[1] = 2;
  data->qacc_warmstart[1] = 3;
  data->xfrc_applied[6 * 2 + 4] = 4;
  data->userdata[1] = 5;
  data->eq_active[0] = 0;
  ASSERT_GT(model->nhistory, 0);
  for (int i = 0; i < model->nhistory; ++i) data->history[i] = i;

  spec.world().Add<Body>().Add<Geom>().size[0] = 1;
  std::swap(spec.world().bodies.front(), spec.world().bodies.back());  // the new one is the first
  Recompile(spec, nullptr, model.get(), data.get());
  const int dof = spec.Find<Joint>("b")->id, body = spec.Find<Body>("b")->id;
  EXPECT_EQ(data->qfrc_applied[dof], 2);
  EXPECT_EQ(data->qacc_warmstart[dof], 3);
  EXPECT_EQ(data->xfrc_applied[6 * body + 4], 4);
  EXPECT_EQ(data->userdata[1], 5);
  EXPECT_EQ(data->eq_active[0], 0);
  EXPECT_EQ(data->eq_active[1], 1);
  for (int i = 0; i < model->nhistory; ++i) EXPECT_EQ(data->history[i], i);

  // What the specification has switched is switched.
  spec.List<Equality>()[0]->active = 0;
  spec.List<Equality>()[1]->active = 0;
  Recompile(spec, nullptr, model.get(), data.get());
  EXPECT_EQ(data->eq_active[1], 0);
  spec.List<Equality>()[0]->active = 1;
  Recompile(spec, nullptr, model.get(), data.get());
  EXPECT_EQ(data->eq_active[0], 1);
}

TEST_F(RecompileTest, AnErrorChangesNothing) {
  spec_.Find<Body>("first")->geoms[0]->size[0] = -1;
  EXPECT_THROW(Recompile(spec_, nullptr, model_.get(), data_.get()), Error);
  EXPECT_EQ(model_->nq, 2);
  EXPECT_EQ(data_->qpos[1], .5);
}

TEST_F(RecompileTest, TheModelMayBeEmptyMemory) {
  auto* memory = static_cast<mjModel*>(AllocateMemory(sizeof(mjModel)));
  std::memset(static_cast<void*>(memory), 0xAB, sizeof(mjModel));
  memory->buffer = nullptr;
  AddBody("third");
  Recompile(spec_, nullptr, memory, data_.get());
  const ModelPtr made(memory);
  ASSERT_EQ(made->nq, 3);
  EXPECT_EQ(data_->qpos[1], .5);
}

TEST_F(RecompileTest, NeedsACompilation) {
  Spec fresh;
  EXPECT_THROW(Recompile(fresh, nullptr, model_.get(), data_.get()), Error);
}

}  // namespace
}  // namespace sinew
