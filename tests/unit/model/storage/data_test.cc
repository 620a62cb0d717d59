#include "model/storage/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/error.h"
#include "core/memory.h"
#include "core/stack.h"
#include "model/state/awake.h"
#include "model/view/fields.h"
#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

class DataTest : public testing::Test {
 protected:
  // Puts something else than the initial value into every array and counter.
  void Disturb() {
    std::memset(d->buffer, 1, static_cast<size_t>(d->nbuffer));
    d->time = 5;
    d->energy[0] = 6;
    d->warning[mjWARN_BADQPOS].number = 2;
    d->timer[mjTIMER_STEP].number = 3;
    d->solver_niter[0] = 4;
    AllocArena(d.get(), 1000, 64);
    d->ncon = 1;
    d->nefc = 2;
  }

  const ModelPtr m = MakeSmallModel();
  const DataPtr d{MakeData(*m)};
};

void ExpectInitialState(const mjModel& m, const mjData& d) {
  EXPECT_EQ(d.time, 0);
  EXPECT_EQ(d.qpos[0], m.qpos0[0]);
  EXPECT_EQ(d.qvel[0], 0);
  EXPECT_EQ(d.act[0], 0);
  EXPECT_EQ(d.ctrl[0], 0);
  EXPECT_EQ(d.xfrc_applied[5], 0);
  EXPECT_EQ(d.qacc_warmstart[0], 0);
  EXPECT_EQ(d.userdata[2], 0);
  EXPECT_TRUE(std::equal(d.mocap_pos, d.mocap_pos + 3, m.body_pos + 6));
  EXPECT_TRUE(std::equal(d.mocap_quat, d.mocap_quat + 4, m.body_quat + 8));
  EXPECT_EQ(d.eq_active[0], 0);
  EXPECT_EQ(d.eq_active[1], 1);
  EXPECT_EQ(d.ncon, 0);
  EXPECT_EQ(d.nefc, 0);
  EXPECT_EQ(d.parena, 0);
  EXPECT_EQ(d.maxuse_arena, 0);
  EXPECT_EQ(d.warning[mjWARN_BADQPOS].number, 0);
  EXPECT_EQ(d.timer[mjTIMER_STEP].number, 0);
  EXPECT_EQ(d.solver_niter[0], 0);
  EXPECT_EQ(static_cast<void*>(d.contact), d.arena);
  EXPECT_EQ(d.efc_J, nullptr);
}

TEST_F(DataTest, StartsInTheInitialState) {
  ExpectInitialState(*m, *d);
  EXPECT_EQ(d->narena, m->narena);
}

TEST_F(DataTest, ArraysAreAlignedAndInsideTheBuffer) {
  for (const DataArray& array : kDataFields) {
    const char* begin = static_cast<const char*>(array.Pointer(*d));
    const mjtSize offset = begin - static_cast<const char*>(d->buffer);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(begin) % kMemoryAlignment, 0) << array.name;
    EXPECT_LE(offset + static_cast<mjtSize>(array.Bytes(*m, *d)), d->nbuffer) << array.name;
  }
}

TEST_F(DataTest, ResetRestoresTheInitialStateAndClearsResults) {
  Disturb();
  ResetData(*m, d.get());
  ExpectInitialState(*m, *d);
  EXPECT_EQ(d->xpos[3], 0);
  EXPECT_EQ(d->energy[0], 0);
}

TEST_F(DataTest, DebugResetMarksWhatAStepMustCompute) {
  Disturb();
  ResetDataDebug(*m, d.get(), 0x41);
  ExpectInitialState(*m, *d);
  EXPECT_EQ(*reinterpret_cast<const unsigned char*>(d->xpos), 0x41);
  EXPECT_EQ(*reinterpret_cast<const unsigned char*>(d->sensordata), 0x41);
  EXPECT_EQ(d->qM[0], 0);
}

TEST_F(DataTest, ResetWakesEverything) {
  d->tree_asleep[0] = 0;
  UpdateAwake(*m, d.get());
  EXPECT_EQ(d->nv_awake, 0);
  EXPECT_EQ(d->body_awake[1], mjS_ASLEEP);
  EXPECT_EQ(d->nbody_awake, 2);
  EXPECT_EQ(d->nparent_awake, 2);
  ResetData(*m, d.get());
  EXPECT_EQ(d->tree_asleep[0], kFullyAwake);
  EXPECT_EQ(d->ntree_awake, 1);
  EXPECT_EQ(d->nv_awake, 1);
  EXPECT_EQ(d->nbody_awake, 3);
  EXPECT_EQ(d->body_awake[0], mjS_STATIC);
  EXPECT_EQ(d->body_awake[1], mjS_AWAKE);
  EXPECT_EQ(d->body_awake[2], mjS_AWAKE) << "a mocap body may move at any time";
}

TEST_F(DataTest, HistoryStartsAsIfZerosHadBeenRecorded) {
  const double h = m->opt.timestep;
  const double expected[] = {0, 2, -3 * h, -2 * h, -h, 0, 0, 0};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(d->history[i], expected[i]) << i;
}

TEST_F(DataTest, HistoryNeedsATimeStep) {
  m->opt.timestep = 0;
  EXPECT_THROW(ResetData(*m, d.get()), Error);
}

// Programs may write to the arrays of the model: a reset follows none out of the arrays of the world.
TEST_F(DataTest, ResetRefusesOverwrittenPlaces) {
  int* const places[] = {m->body_mocapid, m->body_treeid, m->body_rootid, m->body_parentid, m->dof_treeid};
  for (int* place : places) {
    const int before = place[0];
    for (const int nonsense : {1000000000, -2}) {
      place[0] = nonsense;
      EXPECT_THROW(ResetData(*m, d.get()), Error) << nonsense;
      EXPECT_THROW(MakeData(*m), Error) << nonsense;
    }
    place[0] = before;
  }
  m->actuator_historyadr[0] = static_cast<int>(m->nhistory);
  EXPECT_THROW(ResetData(*m, d.get()), Error);
  m->actuator_historyadr[0] = 0;
  m->actuator_history[0] = 1000000000;
  EXPECT_THROW(ResetData(*m, d.get()), Error);
}

TEST_F(DataTest, KeyframeSetsTheState) {
  SetToKeyframe(*m, d.get(), 0);
  EXPECT_EQ(d->time, 7);
  EXPECT_EQ(d->qpos[0], 1);
  EXPECT_EQ(d->qvel[0], 2);
  EXPECT_EQ(d->act[0], 3);
  EXPECT_EQ(d->ctrl[0], 4);
  EXPECT_EQ(d->mocap_quat[0], 1);
}

TEST_F(DataTest, KeyframeOutOfRangeIsNone) {
  for (const int key : {-1, 1}) {
    Disturb();
    ResetData(*m, d.get());
    SetToKeyframe(*m, d.get(), key);
    ExpectInitialState(*m, *d);
  }
}

TEST_F(DataTest, SetKeyframeStoresTheState) {
  d->time = 11;
  d->qvel[0] = 12;
  d->mocap_pos[2] = 13;
  SetKeyframe(m.get(), *d, 0);
  EXPECT_EQ(m->key_time[0], 11);
  EXPECT_EQ(m->key_qvel[0], 12);
  EXPECT_EQ(m->key_mpos[2], 13);
  EXPECT_THROW(SetKeyframe(m.get(), *d, -1), Error);
  EXPECT_THROW(SetKeyframe(m.get(), *d, 1), Error);
}

TEST_F(DataTest, CopyIsEqualAndIndependent) {
  d->qpos[0] = 3;
  d->time = 4;
  mjContact* contact = static_cast<mjContact*>(AllocArena(d.get(), sizeof(mjContact), alignof(mjContact)));
  contact->dist = -0.5;
  d->ncon = 1;
  const DataPtr copy(CopyData(nullptr, *m, *d));
  EXPECT_EQ(copy->qpos[0], 3);
  EXPECT_EQ(copy->time, 4);
  ASSERT_NE(copy->contact, d->contact);
  EXPECT_EQ(copy->contact[0].dist, -0.5);
  EXPECT_EQ(copy->parena, d->parena);
  copy->qpos[0] = 5;
  copy->contact[0].dist = 1;
  EXPECT_EQ(d->qpos[0], 3);
  EXPECT_EQ(d->contact[0].dist, -0.5);
}

TEST_F(DataTest, CopyIntoAnExistingWorldKeepsItsMemory) {
  const DataPtr other(MakeData(*m));
  void* const buffer = other->buffer;
  d->qpos[0] = 3;
  EXPECT_EQ(CopyData(other.get(), *m, *d), other.get());
  EXPECT_EQ(other->buffer, buffer);
  EXPECT_EQ(other->qpos[0], 3);
}

TEST_F(DataTest, SceneCopyLeavesOutWhatASceneDoesNotRead) {
  const DataPtr other(MakeData(*m));
  d->xpos[3] = 2;
  d->qLD[0] = 3;
  CopyDataForScene(other.get(), *m, *d);
  EXPECT_EQ(other->xpos[3], 2);
  EXPECT_EQ(other->qLD[0], 0);
}

TEST_F(DataTest, CopyIsRefusedWhileTheStackIsInUse) {
  const StackFrame frame(d.get());
  EXPECT_THROW(CopyData(nullptr, *m, *d), Error);
}

TEST_F(DataTest, CopyBetweenWorldsOfDifferentModelsIsRefused) {
  mjModel sizes = SmallSizes();
  sizes.nuserdata = 300;
  sizes.nhistory = sizes.nu = 0;
  const ModelPtr other_model(MakeModel(sizes));
  const DataPtr other(MakeData(*other_model));
  EXPECT_THROW(CopyData(other.get(), *m, *d), Error);
}

}  // namespace
}  // namespace sinew
