#include "collision/convex/box_face.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "math/quat.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// A box, an ellipsoid and a hull of many vertices.
constexpr char kScene[] =
    R"(<mujoco><asset><mesh name="stone" builtin="supersphere" params="14 .9 .8" scale=".1 .08 .05"/></asset>
  <worldbody><geom type="ellipsoid" size=".1 .07 .04"/><geom type="box" size=".3 .2 .1"/>
  <geom type="mesh" mesh="stone"/></worldbody></mujoco>)";
constexpr int kEllipsoid = 0, kBox = 1, kHull = 2;

class BoxFaceTest : public testing::Test {
 protected:
  double Number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  Quat<double> Turn() {
    std::normal_distribution<double> normal;
    Quat<double> turn = {normal(generator_), normal(generator_), normal(generator_), normal(generator_)};
    Normalize(turn);
    return turn;
  }
  // Puts a geom at random near the surface of the box.
  void PlaceNearBox(int geom) {
    mjData& d = *world_.d;
    const Mat3<double> axes = ToMat3(Turn());
    const int axis = std::uniform_int_distribution<int>(0, 2)(generator_);
    const double half[3] = {.3, .2, .1};
    Vec at;
    for (int k = 0; k < 3; ++k) at[k] = k == axis ? half[k] + Number(0, .12) : Number(-1.1, 1.1) * half[k];
    if (Number(0, 1) < .5) at = -at;
    Place(kBox, Zero3<double>(), axes);
    Place(geom, axes * at, ToMat3(Turn()));
    A_.emplace(world_.m.get(), &d, std::min(geom, kBox));
    B_.emplace(world_.m.get(), &d, std::max(geom, kBox));
  }
  void Place(int geom, const Vec& pos, const Mat3<double>& mat) {
    StoreVec3(pos, world_.d->geom_xpos + 3 * geom);
    for (int i = 0; i < 9; ++i) world_.d->geom_xmat[9 * geom + i] = mat.m[i];
  }

  World world_{ModelFromText(kScene)};
  std::optional<ConvexShape> A_, B_;
  std::mt19937 generator_{3};
};

// What the face tells is what the search finds.
TEST_F(BoxFaceTest, AgreesWithTheSearch) {
  mjOption option = world_.m->opt;
  int contacts[3] = {0, 0, 0}, apart = 0;
  for (int i = 0; i < 20000; ++i) {
    const int geom = i % 2 == 0 ? kEllipsoid : kHull;
    PlaceNearBox(geom);
    const double margin = i % 3 == 0 ? .01 : 0;
    ConvexContact at_face, found;
    const AtBoxFace answer = AskBoxFace(option, *A_, *B_, margin, at_face);
    if (answer == AtBoxFace::kUnknown) continue;
    const bool touches = FindConvexContact(option, *A_, *B_, margin, found);
    ASSERT_EQ(answer == AtBoxFace::kContact, touches) << "pose " << i;
    apart += !touches;
    if (!touches) continue;
    ++contacts[geom];
    const double tolerance = 2 * option.ccd_tolerance;
    ASSERT_NEAR(at_face.point.dist, found.point.dist, tolerance) << "pose " << i;
    ASSERT_LT(Norm(at_face.point.normal - found.point.normal), .02) << "pose " << i;  // the root of tolerance over size
    if (geom == kHull && margin == 0) {
      ASSERT_LT(Norm(at_face.point.pos - found.point.pos), 1e-9) << "pose " << i;
      ASSERT_TRUE(at_face.has_face);
      for (const DifferencePoint& corner : at_face.penetration.face) {
        ASSERT_EQ(corner.vertex_b, found.penetration.face[0].vertex_b) << "pose " << i;
        ASSERT_NEAR(Dot(at_face.point.normal, corner.w), -at_face.point.dist, 1e-12) << "pose " << i;
      }
    }
  }
  EXPECT_GT(contacts[kEllipsoid], 500);
  EXPECT_GT(contacts[kHull], 500);
  EXPECT_GT(apart, 2000);
}

// Another algorithm finds its own contacts, and a shape that is no hull or ellipsoid has formulas.
TEST_F(BoxFaceTest, IsAskedForHullsAndEllipsoidsAlone) {
  mjOption option = world_.m->opt;
  Place(kBox, Zero3<double>(), Identity3<double>());
  Place(kHull, Zero3<double>(), ToMat3(Turn()));
  const ConvexShape box(world_.m.get(), world_.d.get(), kBox);
  ConvexShape hull(world_.m.get(), world_.d.get(), kHull);
  const double lowest = hull.Support({0, 0, -1}).z;
  hull.Place({0, 0, .095 - lowest}, hull.geom().mat);
  ConvexContact out;
  EXPECT_EQ(AskBoxFace(option, box, hull, 0, out), AtBoxFace::kContact);
  EXPECT_NEAR(out.point.dist, -.005, 1e-12);
  EXPECT_EQ(AskBoxFace(option, box, box, 0, out), AtBoxFace::kUnknown);
  option.disableflags |= mjDSBL_NATIVECCD;
  EXPECT_EQ(AskBoxFace(option, box, hull, 0, out), AtBoxFace::kUnknown);
}

}  // namespace
}  // namespace sinew
