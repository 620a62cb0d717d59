// Pairs that have formulas, for packs: every lane has the same pair in another pose, and equals the scalar run bit for
// bit.
#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <random>

#include "collision/analytic/capsule_box_kernel.h"
#include "collision/analytic/capsule_capsule_kernel.h"
#include "collision/analytic/capsule_cylinder_kernel.h"
#include "collision/analytic/cylinder_box_kernel.h"
#include "collision/analytic/cylinder_cylinder_kernel.h"
#include "collision/analytic/plane_kernel.h"
#include "collision/analytic/sphere_box_kernel.h"
#include "collision/analytic/sphere_capsule_kernel.h"
#include "collision/analytic/sphere_cylinder_kernel.h"
#include "collision/analytic/sphere_sphere_kernel.h"
#include "math/quat.h"
#include "simd/pack.h"
#include "tests/unit/collision/lanes.h"

namespace sinew {
namespace {

constexpr int kLanes = 4, kTrials = 500;
using Lanes = Pack<double, kLanes>;

void ExpectSameBits(double a, double b) { EXPECT_EQ(std::memcmp(&a, &b, sizeof(a)), 0) << a << " " << b; }

// Random geoms close together; every fourth pair is parallel or at one place.
template <class Kernel>
void CheckLanes(Kernel kernel) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> size(.05, .3), coordinate(-1, 1);
  const auto random = [&](auto& distribution) {
    return Vec3<double>{distribution(generator), distribution(generator), distribution(generator)};
  };
  const auto geom = [&] {
    const Vec3<double> axis = random(coordinate);
    return PlacedGeom<double>{random(coordinate) * .3,
                              ToMat3(Normalized(Quat<double>{coordinate(generator), axis.x, axis.y, axis.z})),
                              random(size)};
  };
  int hits = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    PlacedGeom<double> first[kLanes], second[kLanes];
    const Vec3<double> shared = random(size);  // sizes are those of the model: the same in all lanes
    for (int lane = 0; lane < kLanes; ++lane) {
      first[lane] = geom();
      second[lane] = geom();
      first[lane].size = second[lane].size = shared;
      if (trial % 4 == 0) second[lane].mat = first[lane].mat;
      if (trial % 8 == 1) second[lane].pos = first[lane].pos;
    }
    const auto packed = kernel(Gather(first), Gather(second), Lanes(.01));
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto scalar = kernel(first[lane], second[lane], .01);
      for (size_t i = 0; i < std::size(scalar.point); ++i) {
        ASSERT_EQ(packed.hit[i].Lane(lane), scalar.hit[i]) << "trial " << trial << " lane " << lane;
        if (!scalar.hit[i]) continue;
        ++hits;
        ExpectSameBits(packed.point[i].dist[lane], scalar.point[i].dist);
        for (int k = 0; k < 3; ++k) {
          ExpectSameBits(packed.point[i].pos[k][lane], scalar.point[i].pos[k]);
          ExpectSameBits(packed.point[i].normal[k][lane], scalar.point[i].normal[k]);
        }
      }
    }
  }
  EXPECT_GT(hits, kTrials);
}

TEST(PairLanes, Plane) {
  CheckLanes([](const auto& a, const auto& b, auto margin) { return PlaneSphere(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return PlaneCapsule(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return PlaneEllipsoid(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return PlaneCylinder(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return PlaneBox(a, b, margin); });
}

TEST(PairLanes, Sphere) {
  CheckLanes([](const auto& a, const auto& b, auto margin) { return SphereSphere(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return SphereCapsule(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return SphereCylinder(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return SphereBox(a, b, margin); });
}

TEST(PairLanes, Capsules) {
  CheckLanes([](const auto& a, const auto& b, auto margin) { return CapsuleBox(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return CapsuleCapsule(a, b, margin); });
}

TEST(PairLanes, Cylinders) {
  CheckLanes([](const auto& a, const auto& b, auto margin) { return CapsuleCylinder(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return CylinderCylinder(a, b, margin); });
  CheckLanes([](const auto& a, const auto& b, auto margin) { return CylinderBox(a, b, margin); });
}

}  // namespace
}  // namespace sinew
