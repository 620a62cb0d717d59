#include "kinematics/jacobian.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "kinematics/apply.h"
#include "kinematics/kinematics.h"
#include "kinematics/object.h"
#include "kinematics/tendon.h"
#include "kinematics/velocity.h"
#include "tests/support/tree_model.h"
#include "tests/support/two_links.h"

namespace sinew::testing {
namespace {

using Matrix = std::vector<double>;

// A random mechanism in a random state, through the position and velocity stages.
struct World {
  explicit World(unsigned seed) : random(seed), m(MakeTree(RandomTree(random, 10))), d(MakeData(*m)) {
    RandomState(*m, d.get(), random);
    Update();
  }
  void Update() {
    Kinematics(m.get(), d.get());
    ComPos(m.get(), d.get());
    ComVel(m.get(), d.get());
  }
  int nv() const { return static_cast<int>(m->nv); }

  // Moves the positions along the velocities for a short time.
  void Advance(double h) {
    for (int j = 0; j < m->njnt; ++j) {
      double* q = d->qpos + m->jnt_qposadr[j];
      const double* v = d->qvel + m->jnt_dofadr[j];
      const int type = m->jnt_type[j];
      if (type == mjJNT_FREE) {
        for (int k = 0; k < 3; ++k) q[k] += h * v[k];
        StoreQuat(LoadQuat(q + 3) * ExpRotation(LoadVec3(v + 3), h), q + 3);
      } else if (type == mjJNT_BALL) {
        StoreQuat(LoadQuat(q) * ExpRotation(LoadVec3(v), h), q);
      } else {
        q[0] += h * v[0];
      }
    }
    Update();
  }

  std::mt19937 random;
  ModelPtr m;
  DataPtr d;
};

Vector Multiply(const Matrix& J, const double* v, int nv) {
  Vector result = {0, 0, 0};
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < nv; ++i) result[row] += J[row * nv + i] * v[i];
  }
  return result;
}

void ExpectNear(const Vector& a, const Vector& b, double tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance);
}

// Central differences with step h are wrong by h^2 and by rounding / h: 1e-10 and 1e-11, times rates of up to a
// thousand.
constexpr double kStep = 1e-5, kDifference = 2e-7;

TEST(Jacobian, IsTheVelocityOfASite) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    World world(seed);
    const int nv = world.nv(), site = static_cast<int>(seed);
    Matrix J(3 * nv);
    JacSite(world.m.get(), world.d.get(), J.data(), nullptr, site);
    const Vector velocity = Multiply(J, world.d->qvel, nv);

    world.Advance(kStep);
    const Vector after = LoadVec3(world.d->site_xpos + 3 * site);
    world.Advance(-2 * kStep);
    const Vector before = LoadVec3(world.d->site_xpos + 3 * site);
    ExpectNear(velocity, (after - before) * (0.5 / kStep), kDifference);
  }
}

TEST(Jacobian, DotIsItsRateOfChange) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    World world(seed);
    const int nv = world.nv(), site = 9, body = world.m->site_bodyid[site];
    Matrix dot_p(3 * nv), dot_r(3 * nv), after_p(3 * nv), after_r(3 * nv), before_p(3 * nv), before_r(3 * nv);
    JacDot(world.m.get(), world.d.get(), dot_p.data(), dot_r.data(), world.d->site_xpos + 3 * site, body);
    world.Advance(kStep);
    JacSite(world.m.get(), world.d.get(), after_p.data(), after_r.data(), site);
    world.Advance(-2 * kStep);
    JacSite(world.m.get(), world.d.get(), before_p.data(), before_r.data(), site);
    for (int k = 0; k < 3 * nv; ++k) {
      EXPECT_NEAR(dot_p[k], (after_p[k] - before_p[k]) * (0.5 / kStep), kDifference);
      EXPECT_NEAR(dot_r[k], (after_r[k] - before_r[k]) * (0.5 / kStep), kDifference);
    }
  }
}

TEST(Jacobian, DotOfWorkedModel) {
  const TwoLinks links;
  Matrix dot(12);
  JacDot(links.m.get(), links.d.get(), dot.data(), nullptr, links.d->site_xpos + 3, 2);
  const double row0[] = {-.025453804609, -.141991333737, .163921869453, -.021930535716};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(dot[i], row0[i], kTwelveDecimals);
}

TEST(Jacobian, SparseColumnsAreTheDenseOnes) {
  World world(1);
  const int nv = world.nv();
  std::vector<int> chain(nv);
  for (int body = 0; body < world.m->nbody; ++body) {
    const double point[] = {0.1, 0.2, 0.3};
    Matrix dense_p(3 * nv), dense_r(3 * nv);
    Jac(world.m.get(), world.d.get(), dense_p.data(), dense_r.data(), point, body);
    const int n = BodyChain(world.m.get(), body, chain.data());
    Matrix p(3 * n), r(3 * n), rebuilt(3 * nv);
    JacSparse(world.m.get(), world.d.get(), p.data(), r.data(), point, body, n, chain.data());
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < n; ++k) rebuilt[row * nv + chain[k]] = p[row * n + k];
      for (int k = 0; k < n; ++k) EXPECT_EQ(r[row * n + k], dense_r[row * nv + chain[k]]);
    }
    EXPECT_EQ(rebuilt, dense_p);
  }
}

TEST(Jacobian, ChainsOfPairs) {
  // 1 - 2 and 1 - 3, one hinge each
  TreeSpec spec;
  for (int parent : {0, 1, 1}) {
    BodySpec body;
    body.parent = parent;
    body.joints = {JointSpec{}};
    spec.bodies.push_back(body);
  }
  const ModelPtr m = MakeTree(spec);
  int chain[3];
  EXPECT_EQ(PairChain(m.get(), 2, 3, chain, false), 3);
  EXPECT_TRUE(chain[0] == 0 && chain[1] == 1 && chain[2] == 2);
  EXPECT_EQ(PairChain(m.get(), 2, 3, chain, true), 2);
  EXPECT_TRUE(chain[0] == 1 && chain[1] == 2);
  EXPECT_EQ(PairChain(m.get(), 1, 3, chain, true), 1);
  EXPECT_EQ(chain[0], 2);
  EXPECT_EQ(PairChain(m.get(), 2, 2, chain, true), 0);
  EXPECT_EQ(BodyChain(m.get(), 0, chain), 0);
}

TEST(Jacobian, AngularMomentum) {
  World world(4);
  SubtreeVel(world.m.get(), world.d.get());
  for (int body = 0; body < world.m->nbody; ++body) {
    Matrix mat(3 * world.nv()), mean(3 * world.nv());
    AngularMomentumMatrix(world.m.get(), world.d.get(), mat.data(), body);
    JacSubtreeCom(world.m.get(), world.d.get(), mean.data(), body);
    // sums of ten bodies' momenta
    ExpectNear(Multiply(mat, world.d->qvel, world.nv()), LoadVec3(world.d->subtree_angmom + 3 * body), 1e-11);
    ExpectNear(Multiply(mean, world.d->qvel, world.nv()), LoadVec3(world.d->subtree_linvel + 3 * body), 1e-12);
  }
}

TEST(Jacobian, AppliedForceIsItsTranspose) {
  World world(2);
  const int nv = world.nv(), body = 7;
  const double force[] = {1, -2, 3}, torque[] = {0.5, 0.2, -1}, point[] = {0.3, 0.1, -0.2};
  Matrix p(3 * nv), r(3 * nv), qfrc(nv, 1.0);
  Jac(world.m.get(), world.d.get(), p.data(), r.data(), point, body);
  ApplyFT(world.m.get(), world.d.get(), force, torque, point, body, qfrc.data());
  for (int i = 0; i < nv; ++i) {
    double expected = 1;
    for (int row = 0; row < 3; ++row) expected += p[row * nv + i] * force[row] + r[row * nv + i] * torque[row];
    EXPECT_NEAR(qfrc[i], expected, 1e-13);
  }
  Matrix unchanged = qfrc;
  ApplyFT(world.m.get(), world.d.get(), nullptr, nullptr, point, body, qfrc.data());
  EXPECT_EQ(qfrc, unchanged);
}

TEST(Object, VelocityOfASiteInBothFrames) {
  World world(5);
  const int site = 6, nv = world.nv();
  double global[6], local[6];
  ObjectVelocity(world.m.get(), world.d.get(), mjOBJ_SITE, site, global, false);
  ObjectVelocity(world.m.get(), world.d.get(), mjOBJ_SITE, site, local, true);
  Matrix p(3 * nv), r(3 * nv);
  JacSite(world.m.get(), world.d.get(), p.data(), r.data(), site);
  ExpectNear(LoadVec3(global), Multiply(r, world.d->qvel, nv), 1e-12);
  ExpectNear(LoadVec3(global + 3), Multiply(p, world.d->qvel, nv), 1e-12);
  const Mat3<double> R = LoadMat3(world.d->site_xmat + 9 * site);
  ExpectNear(R * LoadVec3(local), LoadVec3(global), 1e-12);
}

TEST(Object, RefusesWhatHasNoFrame) {
  World world(5);
  double res[6];
  const auto velocity = [&](int type, int id) { ObjectVelocity(world.m.get(), world.d.get(), type, id, res, false); };
  EXPECT_THROW(velocity(mjOBJ_TENDON, 0), Error);
  EXPECT_THROW(velocity(mjOBJ_SITE, -1), Error);
  EXPECT_THROW(velocity(mjOBJ_BODY, static_cast<int>(world.m->nbody)), Error);
}

}  // namespace
}  // namespace sinew::testing
