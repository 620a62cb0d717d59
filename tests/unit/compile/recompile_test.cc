#include "compile/recompile.h"

#include <gtest/gtest.h>

#include <cstring>

#include "compile/compile.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/data.h"
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
