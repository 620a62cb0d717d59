// Boxes and tetrahedra against tetrahedra: what the axes in lanes decide equals the distance of convex shapes.
#include "collision/flex/solid_pairs.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <random>

#include "collision/convex/convex_pair.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr int kRounds = 2000;
constexpr double kTolerance = 3e-6;  // that of the convex pair: ccd_tolerance, 1e-6, of the depth of rounded shapes

class Random {
 public:
  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3<double> Point(double size) { return {Uniform(-size, size), Uniform(-size, size), Uniform(-size, size)}; }

 private:
  std::mt19937 engine_{11};
};

// A box, and two solids of four tetrahedra; the corners of all are set by the test.
class SolidPairs : public testing::Test {
 protected:
  static World Make() {
    const std::string flex =
        "type='direct' dim='3' radius='.01' mass='1' element='0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'";
    const std::string points =
        " point='0 0 0 1 0 0 0 1 0 0 0 1  2 0 0 3 0 0 2 1 0 2 0 1  4 0 0 5 0 0 4 1 0 4 0 1  6 0 0 7 0 0 6 1 0 6 0 1'/>";
    return World(ModelFromText("<mujoco><worldbody><geom type='box' size='.3 .2 .1'/><flexcomp name='a' " + flex +
                               points + "<flexcomp name='b' " + flex + points + "</worldbody></mujoco>"));
  }

  mjModel* m() { return world_.m.get(); }
  mjData* d() { return world_.d.get(); }

  // The corners of an element, about a point.
  void Place(int flex, int elem, const Vec3<double>& about, double size) {
    for (int i = 0; i < 4; ++i) {
      const int vertex = m()->flex_elem[m()->flex_elemdataadr[flex] + 4 * elem + i];
      StoreVec3(about + random_.Point(size), d()->flexvert_xpos + 3 * (m()->flex_vertadr[flex] + vertex));
    }
  }

  // The contact of four pairs against that of each alone; counts what is decided and what touches.
  template <class AloneFn>
  void Compare(const FourContacts& four, double margin, const AloneFn& alone) {
    for (int lane = 0; lane < 4; ++lane) {
      ConvexContact expected;
      const bool hit = alone(lane, expected) && expected.point.dist < margin;
      touching_ += hit;
      if (!(four.known >> lane & 1)) continue;
      decided_ += hit;
      if ((four.count[lane] > 0) != hit) {
        // the rounding of a distance that is the margin
        const double dist = hit ? expected.point.dist : four.point[lane][0].dist;
        EXPECT_NEAR(dist, margin, kTolerance);
        continue;
      }
      if (!hit) continue;
      const ContactPoint<double>& found = four.point[lane][0];
      EXPECT_NEAR(found.dist, expected.point.dist, kTolerance);
      EXPECT_NEAR(Norm(found.normal), 1, 1e-12);
      // Two directions may be as deep to the tolerance; otherwise the normal is good to its root, by the size of
      // things.
      if (Dot(found.normal, expected.point.normal) > 0.99) {
        EXPECT_LT(Norm(found.pos - expected.point.pos), 0.01);
        ++alike_;
      }
    }
  }

  World world_ = Make();
  Random random_;
  int touching_ = 0, decided_ = 0, alike_ = 0;
};

TEST_F(SolidPairs, BoxAndTetrahedraAreAsFarApartAsConvexShapes) {
  for (int round = 0; round < kRounds; ++round) {
    for (int e = 0; e < 4; ++e) Place(0, e, random_.Point(0.4), round % 2 == 0 ? 0.15 : 0.05);
    double quat[4] = {random_.Uniform(-1, 1), random_.Uniform(-1, 1), random_.Uniform(-1, 1), random_.Uniform(-1, 1)};
    mju_normalize4(quat);
    mju_quat2Mat(d()->geom_xmat, quat);
    const double margin = round % 3 == 0 ? 0.02 : 0;
    const FlexElement tetra[4] = {{m(), d(), 0, 0}, {m(), d(), 0, 1}, {m(), d(), 0, 2}, {m(), d(), 0, 3}};
    const ConvexShape box(m(), d(), 0);
    Compare(CollideBoxTetrahedra(box.geom(), tetra, margin), margin, [&](int lane, ConvexContact& expected) {
      return FindConvexContact(m()->opt, box, tetra[lane].AsConvex(), margin, expected);
    });
  }
  EXPECT_GT(touching_, kRounds);
  EXPECT_GT(decided_, touching_ * 8 / 10);
  EXPECT_GT(alike_, decided_ * 98 / 100);
}

TEST_F(SolidPairs, TetrahedraAreAsFarApartAsConvexShapes) {
  for (int round = 0; round < kRounds; ++round) {
    for (int e = 0; e < 4; ++e) {
      const Vec3<double> middle = random_.Point(1);
      Place(0, e, middle, 0.15);
      Place(1, e, middle + random_.Point(0.15), 0.1);
    }
    const double margin = round % 3 == 0 ? 0.02 : 0;
    const FlexElement a[4] = {{m(), d(), 0, 0}, {m(), d(), 0, 1}, {m(), d(), 0, 2}, {m(), d(), 0, 3}};
    const FlexElement b[4] = {{m(), d(), 1, 0}, {m(), d(), 1, 1}, {m(), d(), 1, 2}, {m(), d(), 1, 3}};
    Compare(CollideTetrahedra(a, b, margin), margin, [&](int lane, ConvexContact& expected) {
      return FindConvexContact(m()->opt, a[lane].AsConvex(), b[lane].AsConvex(), margin, expected);
    });
  }
  EXPECT_GT(touching_, kRounds);
  EXPECT_GT(decided_, touching_ * 8 / 10);
  EXPECT_GT(alike_, decided_ * 98 / 100);
}

// A tetrahedron that lies on the box touches it at a corner, at a depth without error.
TEST_F(SolidPairs, ATetrahedronOnTheFaceOfABox) {
  const double corners[4][3] = {{0.1, 0.05, 0.1}, {0.15, 0.05, 0.1}, {0.1, 0.1, 0.1}, {0.1, 0.05, 0.15}};
  for (const double height : {-0.005, 0.0, 0.008}) {
    for (int e = 0; e < 4; ++e) {
      for (int i = 0; i < 4; ++i) {
        const int vertex = m()->flex_elem[m()->flex_elemdataadr[0] + 4 * e + i];
        const Vec3<double> at = {corners[i][0], corners[i][1], corners[i][2] + height};
        StoreVec3(at, d()->flexvert_xpos + 3 * (m()->flex_vertadr[0] + vertex));
      }
    }
    const FlexElement tetra[4] = {{m(), d(), 0, 0}, {m(), d(), 0, 1}, {m(), d(), 0, 2}, {m(), d(), 0, 3}};
    const PlacedGeom<double> box = {Zero3<double>(), Identity3<double>(), {0.3, 0.2, 0.1}};
    const FourContacts four = CollideBoxTetrahedra(box, tetra, 0);
    ASSERT_EQ(four.count[2], 1);
    EXPECT_NEAR(four.point[2][0].dist, height - 0.01, 1e-15);
    EXPECT_NEAR(four.point[2][0].normal.z, 1, 1e-15);
    EXPECT_NEAR(four.point[2][0].pos.z, 0.1 + 0.5 * (height - 0.01), 1e-15);
  }
}

// Flat ones have no inside that their faces could look away from: they are left to others.
TEST_F(SolidPairs, FlatTetrahedraAreUndecided) {
  for (int i = 0; i < 4; ++i) {
    const int vertex = m()->flex_elem[m()->flex_elemdataadr[0] + 4 + i];
    StoreVec3<double>({0.1 * i, 0.02 * i * i, 0.105}, d()->flexvert_xpos + 3 * (m()->flex_vertadr[0] + vertex));
  }
  const FlexElement tetra[4] = {{m(), d(), 0, 0}, {m(), d(), 0, 1}, {m(), d(), 0, 2}, {m(), d(), 0, 3}};
  const PlacedGeom<double> box = {Zero3<double>(), Identity3<double>(), {0.3, 0.2, 0.1}};
  EXPECT_FALSE(CollideBoxTetrahedra(box, tetra, 0).known >> 1 & 1);
  EXPECT_FALSE(CollideTetrahedra(tetra, tetra, 0).known >> 1 & 1);
}

}  // namespace
}  // namespace sinew
