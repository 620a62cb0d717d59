// Which elements meet each other: the sweep and the bound of the gap leave out none that touch.
#include "collision/flex/element_pairs.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <random>
#include <set>
#include <string>
#include <utility>

#include "collision/flex/element_gap_kernel.h"
#include "collision/flex/geom_element.h"
#include "simd/four.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Pair = std::pair<int, int>;

class Random {
 public:
  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3<double> Point() { return {Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)}; }

 private:
  std::mt19937 engine_{7};
};

// A point of a simplex, by random weights.
template <int kCorners>
Vec3<double> PointOf(const Vec3<double> (&corner)[kCorners], Random& random) {
  Vec3<double> sum = Zero3<double>();
  double total = 0;
  for (const Vec3<double>& c : corner) {
    const double weight = random.Uniform(0, 1);
    sum += c * weight;
    total += weight;
  }
  return sum * (1 / total);
}

// What is said to be apart has no two points nearer than that; most that are far apart are said to be.
template <int kA, int kB>
void CheckGap() {
  Random random;
  int far = 0, told = 0;
  for (int round = 0; round < 2000; ++round) {
    Vec3<double> a[kA], b[kB];
    const Vec3<double> offset = random.Point() * 2;
    for (auto& corner : a) corner = random.Point() * 0.5;
    for (auto& corner : b) corner = random.Point() * 0.5 + offset;
    const double reach = random.Uniform(0, 0.3);
    const bool apart = AreApart(a, b, reach);
    for (int i = 0; apart && i < 20; ++i) EXPECT_GT(Norm(PointOf(a, random) - PointOf(b, random)), reach);
    if (Norm(offset) > 2 + reach) ++far, told += apart;  // balls of radius 0.87 around both do not meet

    // lanes hold this pair and three others
    Vec3<Four> lanes_a[kA], lanes_b[kB];
    for (int lane = 0; lane < 4; ++lane) {
      for (int i = 0; i < kA; ++i) {
        for (int k = 0; k < 3; ++k) lanes_a[i][k].Set(lane, lane == 2 ? a[i][k] : random.Uniform(-1, 1));
      }
      for (int i = 0; i < kB; ++i) {
        for (int k = 0; k < 3; ++k) lanes_b[i][k].Set(lane, lane == 2 ? b[i][k] : random.Uniform(-1, 1));
      }
    }
    EXPECT_EQ(LaneBits(AreApart(lanes_a, lanes_b, InAllLanes(reach))) >> 2 & 1, apart ? 1u : 0u);
  }
  EXPECT_GT(far, 100);
  EXPECT_GT(told, far * 9 / 10);
}

TEST(ElementGap, NothingThatTouchesIsApart) {
  CheckGap<3, 3>();
  CheckGap<3, 4>();
  CheckGap<4, 4>();
}

// Two crumpled sheets, or solids, of which every vertex is free.
World Crumpled(int dim, const std::string& selfcollide) {
  const std::string count = dim == 3 ? "3 3 2" : "5 5 1";
  const auto flex = [&](const std::string& name) {
    return "<flexcomp name='" + name + "' type='grid' dim='" + std::to_string(dim) + "' count='" + count +
           "' spacing='.1 .1 .1' radius='.004' mass='1'><contact selfcollide='" + selfcollide +
           "' internal='false'/></flexcomp>";
  };
  return World(
      ModelFromText("<mujoco><size memory='20M'/><worldbody>" + flex("a") + flex("b") + "</worldbody></mujoco>"));
}

// Every pair of elements of active layers that have no body in common and touch, without any bounds.
std::set<Pair> AllTouching(const mjModel* m, mjData* d, int flex1, int flex2) {
  StackFrame frame(d);
  StackList<ContactPoint<double>> points(frame);
  std::set<Pair> found;
  for (int e1 = 0; e1 < m->flex_elemnum[flex1]; ++e1) {
    for (int e2 = flex1 == flex2 ? e1 + 1 : 0; e2 < m->flex_elemnum[flex2]; ++e2) {
      const FlexElement a(m, d, flex1, e1), b(m, d, flex2, e2);
      bool share = false;
      for (int i = 0; i < a.corners; ++i) {
        for (int j = 0; j < b.corners; ++j) share |= flex1 == flex2 && a.vertex[i] == b.vertex[j];
      }
      if (share || !IsActive(m, flex1, e1) || !IsActive(m, flex2, e2)) continue;
      CollideElements(m->opt, a, b, 0, points);
      if (points.size() > 0) found.insert({e1, e2});
      points.Truncate(0);
    }
  }
  return found;
}

TEST(ElementPairs, AreThoseThatTouchWithoutBounds) {
  for (const int dim : {2, 3}) {
    for (const char* selfcollide : {"auto", "bvh", "narrow"}) {
      const World world = Crumpled(dim, selfcollide);
      const mjModel* m = world.m.get();
      mjData* d = world.d.get();
      Random random;
      int touching = 0;
      for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < m->nv; ++i) d->qpos[i] = random.Uniform(-0.02, 0.02) * (1 + round % 4);
        for (int i = static_cast<int>(m->nv) / 2; i < m->nv; ++i) d->qpos[i] += 0.05;
        mj_fwdPosition(m, d);
        std::set<Pair> found[2][2], all[2][2];
        int count[2][2] = {};
        for (int i = 0; i < d->ncon; ++i) {
          const mjContact& contact = d->contact[i];
          if (contact.flex[0] < 0) continue;
          Pair pair(contact.elem[0], contact.elem[1]);
          if (contact.flex[0] == contact.flex[1] && pair.second < pair.first) std::swap(pair.first, pair.second);
          found[contact.flex[0]][contact.flex[1]].insert(pair);
          ++count[contact.flex[0]][contact.flex[1]];
        }
        for (const Pair& flexes : {Pair(0, 0), Pair(1, 1), Pair(0, 1)}) {
          const auto [f, g] = flexes;
          all[f][g] = AllTouching(m, d, f, g);
          if (all[f][g].size() > mjMAXCONPAIR) {
            EXPECT_EQ(count[f][g], mjMAXCONPAIR);
            for (const Pair& pair : found[f][g]) EXPECT_TRUE(all[f][g].count(pair));
          } else {
            EXPECT_EQ(found[f][g], all[f][g]) << selfcollide << ", dim " << dim << ", round " << round;
          }
          touching += static_cast<int>(all[f][g].size());
        }
      }
      EXPECT_GT(touching, 100) << "the test compares something";
    }
  }
}

// Two triangles across each other, the second of which begins `earlier` along x, in which the flex is longest; and the
// elements of their contact.
Pair SidesOf(const std::string& selfcollide, const std::string& earlier) {
  const World world(ModelFromText(R"(
    <mujoco><worldbody>
      <flexcomp name="f" type="direct" dim="2" element="0 1 2 3 4 5" radius=".01" mass="1"
                point="0 0 0  1 0 0  0 .5 0  )" +
                                  earlier + " .2 -.2  .9 .2 .2  .9 .2 .3" + R"(">
        <contact internal="false" selfcollide=")" +
                                  selfcollide + R"("/></flexcomp>
    </worldbody></mujoco>)"));
  mj_forward(world.m.get(), world.d.get());
  EXPECT_EQ(world.d->ncon, 1);
  return {world.d->contact[0].elem[0], world.d->contact[0].elem[1]};
}

// As MuJoCo 3.8.0 has it.
TEST(ElementPairs, FirstSideIsTheOneThatIsFoundFirst) {
  EXPECT_EQ(SidesOf("narrow", "-.1"), Pair(0, 1));
  EXPECT_EQ(SidesOf("narrow", ".1"), Pair(0, 1));
  EXPECT_EQ(SidesOf("bvh", "-.1"), Pair(1, 0));
  EXPECT_EQ(SidesOf("bvh", ".1"), Pair(0, 1));
  EXPECT_EQ(SidesOf("sap", "-.1"), Pair(1, 0));
  EXPECT_EQ(SidesOf("sap", ".1"), Pair(0, 1));
  EXPECT_EQ(SidesOf("auto", "-.1"), Pair(1, 0));
  EXPECT_EQ(SidesOf("sap", "-.000000000000001"), Pair(0, 1)) << "they begin in one place";
}

}  // namespace
}  // namespace sinew
