#include "model/storage/model.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "core/error.h"
#include "core/memory.h"
#include "model/view/fields.h"
#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

TEST(ModelTest, ArraysAreAlignedDisjointAndInsideTheBuffer) {
  const ModelPtr m = MakeSmallModel();
  const char* end = static_cast<const char*>(m->buffer);
  for (const ModelArray& array : kModelFields) {
    const char* begin = static_cast<const char*>(array.Pointer(*m));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(begin) % kMemoryAlignment, 0) << array.name;
    EXPECT_GE(begin, end) << array.name;
    end = begin + array.Bytes(*m);
  }
  EXPECT_EQ(end - static_cast<const char*>(m->buffer), m->nbuffer);
}

TEST(ModelTest, StartsWithZeros) {
  const ModelPtr m(MakeModel(SmallSizes()));
  const char* bytes = static_cast<const char*>(m->buffer);
  for (mjtSize i = 0; i < m->nbuffer; ++i) ASSERT_EQ(bytes[i], 0) << i;
}

TEST(ModelTest, RefusesSizesThatCannotBe) {
  for (const mjtSize size : {mjtSize{-1}, mjtSize{1} << 31, std::numeric_limits<mjtSize>::max()}) {
    mjModel sizes = SmallSizes();
    sizes.ngeom = size;
    EXPECT_THROW(MakeModel(sizes), Error) << size;
  }
}

TEST(ModelTest, RefusesAProductOfSizesThatOverflows) {
  mjModel sizes = SmallSizes();
  sizes.nbody = sizes.nuser_body = std::numeric_limits<int>::max();
  EXPECT_THROW(MakeModel(sizes), Error);
}

TEST(ModelTest, CopyIsEqualAndIndependent) {
  const ModelPtr m = MakeSmallModel();
  const ModelPtr copy(CopyModel(nullptr, *m));
  EXPECT_EQ(copy->opt.timestep, m->opt.timestep);
  for (const ModelArray& array : kModelFields) {
    ASSERT_EQ(array.Bytes(*copy), array.Bytes(*m));
    EXPECT_EQ(std::memcmp(array.Pointer(*copy), array.Pointer(*m), array.Bytes(*m)), 0) << array.name;
  }
  copy->qpos0[0] = 9;
  EXPECT_EQ(m->qpos0[0], 0.25);
}

TEST(ModelTest, CopyIntoAModelOfOtherSizesIsRefused) {
  const ModelPtr m = MakeSmallModel();
  mjModel sizes = SmallSizes();
  ++sizes.nkey;
  const ModelPtr other(MakeModel(sizes));
  EXPECT_THROW(CopyModel(other.get(), *m), Error);
}

TEST(ModelTest, SceneCopyLeavesOutWhatAScenedoesNotRead) {
  const ModelPtr m = MakeSmallModel();
  const ModelPtr copy(MakeModel(*m));
  m->geom_fluid[0] = 1;
  CopyModelForScene(copy.get(), *m);
  EXPECT_EQ(copy->geom_type[0], m->geom_type[0]);
  EXPECT_EQ(copy->geom_fluid[0], 0);
}

TEST(ModelTest, ScalesMassesToATotal) {
  const ModelPtr m = MakeSmallModel();
  EXPECT_EQ(TotalMass(*m), 2);
  SetTotalMass(m.get(), 6);
  EXPECT_EQ(m->body_mass[1], 6);
  EXPECT_EQ(m->body_inertia[3], 1.5);
}

}  // namespace
}  // namespace sinew
