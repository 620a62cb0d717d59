#include "constraint/update.h"

#include <cmath>

#include "constraint/jacobian_product.h"
#include "tests/unit/constraint/models.h"
#include "tests/unit/constraint/world.h"

namespace sinew {
namespace {

// Sparse and dense Jacobians describe the same system.
TEST(Update, SparseEqualsDense) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    const std::string xml = std::string(kLinked) + "<option cone='" + cone + "' jacobian='";
    StagedWorld dense(xml + "dense'/>"), sparse(xml + "sparse'/>");
    for (StagedWorld* world : {&dense, &sparse}) {
      for (int i = 0; i < world->m()->nv; ++i) world->d()->qvel[i] = std::sin(1.0 + i);
      world->Velocity();
    }
    const int nefc = dense.d()->nefc, nv = static_cast<int>(dense.m()->nv);
    ASSERT_EQ(sparse.d()->nefc, nefc);
    // sums of at most nv products in two orders
    ExpectNear(Values(sparse.d()->efc_vel, nefc), Values(dense.d()->efc_vel, nefc), 1e-12);
    ExpectNear(Values(sparse.d()->efc_aref, nefc), Values(dense.d()->efc_aref, nefc), 1e-9);

    std::vector<double> jar(nefc);
    for (int r = 0; r < nefc; ++r) {
      EXPECT_EQ(sparse.J(r), dense.J(r)) << "row " << r;
      jar[r] = std::sin(2.0 * r);
    }
    double cost_dense = 0, cost_sparse = 0;
    ConstraintUpdate(dense.m(), dense.d(), jar.data(), &cost_dense, false);
    ConstraintUpdate(sparse.m(), sparse.d(), jar.data(), &cost_sparse, false);
    EXPECT_EQ(cost_sparse, cost_dense);
    ExpectNear(Values(sparse.d()->qfrc_constraint, nv), Values(dense.d()->qfrc_constraint, nv), 1e-9);
  }
}

// Forces are minus the gradient of the cost.
TEST(Update, ForceIsTheGradientOfTheCost) {
  StagedWorld world(std::string(kLinked) + "<option cone='elliptic'/>");
  world.Position();
  mjData* d = world.d();
  std::vector<double> jar(d->nefc);
  for (int r = 0; r < d->nefc; ++r) jar[r] = std::sin(2.0 * r);
  ConstraintUpdate(world.m(), d, jar.data(), nullptr, false);
  const std::vector<double> force = Values(d->efc_force, d->nefc);

  const double h = 1e-6;
  for (int r = 0; r < d->nefc; ++r) {
    double plus, minus;
    const double center = jar[r];
    jar[r] = center + h;
    ConstraintUpdate(world.m(), d, jar.data(), &plus, false);
    jar[r] = center - h;
    ConstraintUpdate(world.m(), d, jar.data(), &minus, false);
    jar[r] = center;
    // rounding of a cost of size 1e3 divided by h
    EXPECT_NEAR(force[r], -(plus - minus) / (2 * h), 1e-5 * (1 + std::fabs(force[r]))) << "row " << r;
  }
}

TEST(Update, WithoutRowsCostsNothing) {
  StagedWorld world("<worldbody><body><joint type='slide'/><geom size='.1' mass='1'/></body></worldbody>");
  world.Position();
  world.d()->qfrc_constraint[0] = 5;
  double cost = 1;
  ConstraintUpdate(world.m(), world.d(), nullptr, &cost, false);
  EXPECT_EQ(cost, 0);
  EXPECT_EQ(world.d()->qfrc_constraint[0], 5);
}

}  // namespace
}  // namespace sinew
