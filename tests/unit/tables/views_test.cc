// ModelView and DataView show the memory of mjModel and mjData; for packs, each lane may have its own model.
#include <gtest/gtest.h>

#include <array>

#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew {
namespace {

using Lanes = Pack<double, 2>;

struct SmallModel {
  std::array<int, 2> parent = {0, 0};
  std::array<mjtNum, 6> position = {0, 0, 0, 1, 2, 3};
  std::array<mjtNum, 2> mass = {0, 4};
  mjModel m = {};

  SmallModel() {
    m.nbody = 2;
    m.body_parentid = parent.data();
    m.body_pos = position.data();
    m.body_mass = mass.data();
    m.opt.timestep = 0.002;
    m.opt.gravity[2] = -9.81;
    m.opt.o_solref[1] = 0.5;
  }
};

TEST(ModelView, OneWorldReadsTheModel) {
  const SmallModel small;
  const ModelView<double> m(&small.m);
  EXPECT_EQ(m.nbody(), 2);
  EXPECT_EQ(m.body_parentid(1), 0);
  EXPECT_EQ(m.body_pos(1).y, 2);
  EXPECT_EQ(m.body_mass(1), 4);
  EXPECT_EQ(m.opt_gravity().z, -9.81);
  EXPECT_EQ(m.opt_o_solref()[1], 0.5);
}

TEST(ModelView, PackReadsSharedValuesUnlessItHasItsOwn) {
  const SmallModel small;
  std::array<const Lanes*, static_cast<size_t>(ModelField::kCount)> table = {};
  std::array<Lanes, 2> mass = {Lanes(0.0), Lanes(0.0)};
  mass[1].Set(0, 4);
  mass[1].Set(1, 5);
  table[static_cast<size_t>(ModelField::body_mass)] = mass.data();
  const ModelView<Lanes> m(&small.m, table.data());
  EXPECT_EQ(m.body_pos(1).z[0], 3);  // the model's value in both lanes
  EXPECT_EQ(m.body_pos(1).z[1], 3);
  EXPECT_EQ(m.body_mass(1)[0], 4);  // a value for each lane
  EXPECT_EQ(m.body_mass(1)[1], 5);
  EXPECT_EQ(m.opt_timestep()[1], 0.002);
  EXPECT_EQ(m.opt_o_solref()[1][0], 0.5);
}

TEST(DataView, OneWorldWritesTheData) {
  std::array<mjtNum, 6> xpos = {};
  std::array<mjtNum, 12> cvel = {};
  mjData data = {};
  data.xpos = xpos.data();
  data.cvel = cvel.data();
  const DataView<double> d(&data);
  d.xpos(1) = {1, 2, 3};
  d.cvel(1).lin.z = 7;
  d.time() = 0.5;
  EXPECT_EQ(xpos[4], 2);
  EXPECT_EQ(cvel[11], 7);
  EXPECT_EQ(data.time, 0.5);
  EXPECT_EQ(d.xpos_data(), xpos.data());
}

TEST(DataView, PackWritesItsOwnStorage) {
  std::array<Lanes, 6> xpos = {};
  DataLanes<Lanes> lanes = {};
  lanes.xpos = xpos.data();
  const DataView<Lanes> d(&lanes);
  Lanes x(0.0);
  x.Set(1, 8);
  d.xpos(1).x = x;
  EXPECT_EQ(xpos[3][0], 0);
  EXPECT_EQ(xpos[3][1], 8);
}

}  // namespace
}  // namespace sinew
