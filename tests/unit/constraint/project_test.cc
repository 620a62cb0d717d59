#include "constraint/project.h"

#include <cmath>

#include "tests/unit/constraint/models.h"
#include "tests/unit/constraint/world.h"

namespace sinew {
namespace {

std::vector<double> DenseAR(const mjModel* m, const mjData* d) {
  const int n = d->nefc;
  if (!mj_isSparse(m)) return Values(d->efc_AR, n * n);
  std::vector<double> A(n * n, 0.0);
  for (int i = 0; i < n; ++i) {
    for (int c = d->efc_AR_rowadr[i]; c < d->efc_AR_rowadr[i] + d->efc_AR_rownnz[i]; ++c) {
      A[i * n + d->efc_AR_colind[c]] = d->efc_AR[c];
    }
  }
  return A;
}

class Project : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Jacobian, Project, testing::Values("dense", "sparse"));

TEST_P(Project, GivesInverseInertiaInConstraintSpace) {
  StagedWorld world(std::string(kLinked) + "<option solver='PGS' jacobian='" + GetParam() + "'/>");
  world.Position();
  ProjectConstraint(world.m(), world.d());
  const mjModel* m = world.m();
  const mjData* d = world.d();
  const int n = d->nefc, nv = static_cast<int>(m->nv);
  const std::vector<double> A = DenseAR(m, d);
  for (int j = 0; j < n; ++j) {
    const std::vector<double> Jj = world.J(j);
    std::vector<double> MinvJj(nv);
    mj_solveM(m, world.d(), MinvJj.data(), Jj.data(), 1);
    for (int i = 0; i < n; ++i) {
      const std::vector<double> Ji = world.J(i);
      double expected = i == j ? d->efc_R[i] : 0;
      for (int k = 0; k < nv; ++k) expected += Ji[k] * MinvJj[k];
      // two ways to solve with the factor of M, entries up to 1e4
      EXPECT_NEAR(A[i * n + j], expected, 1e-9 * (1 + std::fabs(expected))) << i << " " << j;
    }
  }
}

TEST_P(Project, DoesNothingForPrimalSolvers) {
  StagedWorld world(std::string(kLinked) + "<option solver='Newton' jacobian='" + GetParam() + "'/>");
  world.Position();
  ProjectConstraint(world.m(), world.d());
  EXPECT_EQ(world.d()->nA, 0);
  world.m()->opt.noslip_iterations = 1;
  ProjectConstraint(world.m(), world.d());
  EXPECT_GT(world.d()->nA, 0);
}

}  // namespace
}  // namespace sinew
