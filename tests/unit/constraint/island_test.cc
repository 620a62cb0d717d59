#include "constraint/island.h"

#include "tests/unit/constraint/models.h"
#include "tests/unit/constraint/world.h"

namespace sinew {
namespace {

// Trees: a sphere in the air, two slides, a sphere on the plane, a hinge with friction loss, a slide that is connected
// to the two slides, a sphere on the other sphere.
constexpr char kSixTrees[] = R"(
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 5"><freejoint/><geom size=".1" mass="1"/></body>
    <body name="t1" pos="1 0 1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
      <geom size=".1" mass="1" contype="0" conaffinity="0"/></body>
    <body pos="2 0 .099"><freejoint/><geom size=".1" mass="1"/></body>
    <body pos="3 0 1"><joint axis="0 1 0" frictionloss=".1"/>
      <geom size=".1" mass="1" pos=".3 0 0" contype="0" conaffinity="0"/></body>
    <body name="t4" pos="4 0 1"><joint type="slide" axis="0 0 1"/>
      <geom size=".1" mass="1" contype="0" conaffinity="0"/></body>
    <body pos="2 0 .298"><freejoint/><geom size=".1" mass="1"/></body>
  </worldbody>
  <equality><connect body1="t1" body2="t4" anchor="0 0 0"/></equality>)";

class IslandTest : public testing::TestWithParam<const char*> {
 protected:
  StagedWorld world_{std::string("<option jacobian='") + GetParam() + "'/>" + kSixTrees};
};
INSTANTIATE_TEST_SUITE_P(Jacobian, IslandTest, testing::Values("dense", "sparse"));

using Ints = std::vector<int>;

TEST_P(IslandTest, MapsAreAsDocumented) {
  world_.Position();
  Island(world_.m(), world_.d());
  const mjData* d = world_.d();
  ASSERT_EQ(d->nisland, 3);
  EXPECT_EQ(d->nidof, 16);
  EXPECT_EQ(Values(d->tree_island, 6), (Ints{-1, 0, 1, 2, 0, 1}));
  EXPECT_EQ(Values(d->island_nv, 3), (Ints{3, 12, 1}));
  EXPECT_EQ(Values(d->map_itree2tree, 6), (Ints{1, 4, 2, 5, 3, 0}));
  EXPECT_EQ(Values(d->island_idofadr, 3), (Ints{0, 3, 15}));
  EXPECT_EQ(Values(d->island_dofadr, 3), (Ints{6, 8, 14}));
  EXPECT_EQ(Values(d->map_dof2idof, 22),
            (Ints{16, 17, 18, 19, 20, 21, 0, 1, 3, 4, 5, 6, 7, 8, 15, 2, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(Values(d->island_ne, 3), (Ints{3, 0, 0}));
  EXPECT_EQ(Values(d->island_nf, 3), (Ints{0, 0, 1}));
  EXPECT_EQ(Values(d->island_nefc, 3), (Ints{3, 8, 1}));
  EXPECT_EQ(Values(d->efc_island, 12), (Ints{0, 0, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(Values(d->map_efc2iefc, 12), (Ints{0, 1, 2, 11, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(Values(d->iefc_type, 12), (Ints{0, 0, 0, 6, 6, 6, 6, 6, 6, 6, 6, 1}));
}

// Row `i` of the islands' Jacobian in all nv columns.
std::vector<double> IslandRow(StagedWorld& world, int i) {
  const mjData* d = world.d();
  const int k = d->efc_island[d->map_iefc2efc[i]], first = d->island_idofadr[k], nv = d->island_nv[k];
  std::vector<double> row(world.m()->nv, 0.0);
  if (mj_isSparse(world.m())) {
    for (int c = d->iefc_J_rowadr[i]; c < d->iefc_J_rowadr[i] + d->iefc_J_rownnz[i]; ++c) {
      row[d->map_idof2dof[first + d->iefc_J_colind[c]]] = d->iefc_J[c];
    }
    return row;
  }
  const double* source = d->iefc_J + d->nidof * d->island_iefcadr[k] + (i - d->island_iefcadr[k]) * nv;
  for (int c = 0; c < nv; ++c) row[d->map_idof2dof[first + c]] = source[c];
  return row;
}

TEST_P(IslandTest, CopiesRowsAndInertia) {
  world_.Position();
  Island(world_.m(), world_.d());
  const mjModel* m = world_.m();
  const mjData* d = world_.d();
  for (int i = 0; i < d->nefc; ++i) {
    const int row = d->map_iefc2efc[i];
    EXPECT_EQ(IslandRow(world_, i), world_.J(row)) << "row " << row;
    EXPECT_EQ(d->iefc_R[i], d->efc_R[row]);
    EXPECT_EQ(d->iefc_frictionloss[i], d->efc_frictionloss[row]);
  }
  for (int i = 0; i < d->nidof; ++i) {
    const int dof = d->map_idof2dof[i], first = d->island_idofadr[d->dof_island[dof]];
    ASSERT_EQ(d->iM_rownnz[i], m->M_rownnz[dof]);
    EXPECT_EQ(d->iLDiagInv[i], d->qLDiagInv[dof]);
    for (int c = 0; c < d->iM_rownnz[i]; ++c) {
      const int to = d->iM_rowadr[i] + c, from = m->M_rowadr[dof] + c;
      EXPECT_EQ(d->map_idof2dof[first + d->iM_colind[to]], m->M_colind[from]);
      EXPECT_EQ(d->iM[to], d->M[from]);
      EXPECT_EQ(d->iLD[to], d->qLD[from]);
    }
  }
}

TEST(Islands, AreAbsentWhenDisabledOrWithoutRows) {
  StagedWorld world(kSixTrees);
  world.m()->opt.disableflags = mjDSBL_ISLAND;
  world.Position();
  Island(world.m(), world.d());
  EXPECT_EQ(world.d()->nisland, 0);
  EXPECT_EQ(world.d()->nidof, 0);

  world.m()->opt.disableflags = mjDSBL_CONSTRAINT;
  world.Position();
  Island(world.m(), world.d());
  EXPECT_EQ(world.d()->nisland, 0);
}

// A tendon over two trees joins them where its Jacobian has an entry: in sparse mode even when the entry is zero.
TEST(Islands, OfATendonFollowTheStoredEntries) {
  const std::string xml = R"(
    <worldbody><body><joint name="a" type="slide"/><geom size=".1" mass="1"/></body>
      <body pos="1 0 0"><joint name="b" type="slide"/><geom size=".1" mass="1"/></body></worldbody>
    <tendon><fixed frictionloss="1"><joint joint="a" coef="1"/><joint joint="b" coef="0"/></fixed></tendon>)";
  StagedWorld dense("<option jacobian='dense'/>" + xml), sparse("<option jacobian='sparse'/>" + xml);
  for (StagedWorld* world : {&dense, &sparse}) {
    world->Position();
    Island(world->m(), world->d());
  }
  EXPECT_EQ(Values(dense.d()->tree_island, 2), (Ints{0, -1}));
  EXPECT_EQ(Values(sparse.d()->tree_island, 2), (Ints{0, 0}));
}

}  // namespace
}  // namespace sinew
