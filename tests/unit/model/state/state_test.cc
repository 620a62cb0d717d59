#include "model/state/state.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "core/error.h"
#include "model/storage/data.h"
#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

class StateTest : public testing::Test {
 protected:
  std::vector<double> Get(int signature) const {
    std::vector<double> state(static_cast<size_t>(StateSize(*m, signature)));
    GetState(*m, *d, state.data(), signature);
    return state;
  }

  const ModelPtr m = MakeSmallModel();
  const DataPtr d{MakeData(*m)};
};

TEST_F(StateTest, SizesAddUp) {
  EXPECT_EQ(StateSize(*m, 0), 0);
  EXPECT_EQ(StateSize(*m, mjSTATE_TIME), 1);
  EXPECT_EQ(StateSize(*m, mjSTATE_PHYSICS), 1 + 1 + 1 + 8);
  EXPECT_EQ(StateSize(*m, mjSTATE_XFRC_APPLIED), 18);
  int sum = 0;
  for (int part = 0; part < mjNSTATE; ++part) sum += StateSize(*m, 1 << part);
  EXPECT_EQ(StateSize(*m, mjSTATE_INTEGRATION), sum);
}

TEST_F(StateTest, PartsStandInTheOrderOfTheirBits) {
  d->time = 1;
  d->qpos[0] = 2;
  d->ctrl[0] = 3;
  EXPECT_EQ(Get(mjSTATE_CTRL | mjSTATE_TIME | mjSTATE_QPOS | mjSTATE_EQ_ACTIVE), (std::vector<double>{1, 2, 3, 0, 1}));
}

TEST_F(StateTest, SetUndoesGetForEverySignature) {
  std::vector<double> state(static_cast<size_t>(StateSize(*m, mjSTATE_INTEGRATION)));
  std::iota(state.begin(), state.end(), 1);
  SetState(*m, d.get(), state.data(), mjSTATE_INTEGRATION);
  for (int signature = 0; signature < 1 << mjNSTATE; signature += 7) {
    const std::vector<double> part = Get(signature);
    const DataPtr other(MakeData(*m));
    SetState(*m, other.get(), part.data(), signature);
    std::vector<double> again(part.size());
    GetState(*m, *other, again.data(), signature);
    ASSERT_EQ(part, again) << signature;
  }
}

TEST_F(StateTest, CopyMovesTheChosenPartsOnly) {
  d->qpos[0] = 2;
  d->qvel[0] = 3;
  d->eq_active[0] = 1;
  const DataPtr other(MakeData(*m));
  CopyState(*m, *d, other.get(), mjSTATE_QPOS | mjSTATE_EQ_ACTIVE);
  EXPECT_EQ(other->qpos[0], 2);
  EXPECT_EQ(other->eq_active[0], 1);
  EXPECT_EQ(other->qvel[0], 0);
}

TEST_F(StateTest, ExtractPicksParts) {
  d->time = 1;
  d->qpos[0] = 2;
  d->qvel[0] = 3;
  const int all = mjSTATE_TIME | mjSTATE_QPOS | mjSTATE_QVEL, some = mjSTATE_TIME | mjSTATE_QVEL;
  const std::vector<double> source = Get(all);
  std::vector<double> part(2);
  ExtractState(*m, source.data(), all, part.data(), some);
  EXPECT_EQ(part, (std::vector<double>{1, 3}));
  EXPECT_THROW(ExtractState(*m, source.data(), some, part.data(), all), Error);
}

TEST_F(StateTest, UnknownBitsAreRefused) {
  EXPECT_THROW(StateSize(*m, -1), Error);
  EXPECT_THROW(StateSize(*m, 1 << mjNSTATE), Error);
}

}  // namespace
}  // namespace sinew
