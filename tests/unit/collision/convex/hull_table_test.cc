// Tables of a hull: what they find is the maximum over all vertices, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "collision/analytic/mesh_feet_kernel.h"
#include "collision/convex/hull_support.h"
#include "simd/dispatch.h"
#include "simd/functions.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// A model with one mesh on a geom that may collide. Points inside of the hull are no vertices of it.
ModelPtr MeshOf(const std::vector<Vec>& points) {
  std::string vertices;
  char text[100];
  for (const Vec& p : points) {
    std::snprintf(text, sizeof(text), "%.9g %.9g %.9g ", p.x, p.y, p.z);
    vertices += text;
  }
  return ModelFromText(
      "<mujoco><compiler boundmass='1' boundinertia='1'/><asset><mesh name='m' inertia='shell' vertex='" + vertices +
      "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
}

std::vector<Vec> Ball(int count, const Vec& half, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Vec> points;
  for (int i = 0; i < count; ++i) {
    const Vec u = Normalized(Vec{normal(random), normal(random), normal(random)});
    points.push_back({half.x * u.x, half.y * u.y, half.z * u.z});
  }
  return points;
}

// Two regular polygons, one over the other: the faces at both ends have all of their vertices in one plane.
std::vector<Vec> Prism(int sides, double radius, double height) {
  std::vector<Vec> points;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * kPi * i / sides;
    for (const double z : {-height, height}) points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
  }
  return points;
}

// A cube of points on its faces' grids, so that many vertices are equally far along the axes.
std::vector<Vec> Lattice(int n) {
  std::vector<Vec> points;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      const double a = 2.0 * i / (n - 1) - 1, b = 2.0 * k / (n - 1) - 1;
      for (const double c : {-1.0, 1.0}) {
        points.push_back({a, b, c});
        points.push_back({a, c, b});
        points.push_back({c, a, b});
      }
    }
  }
  return points;
}

std::vector<Vec> Cone(int sides) {
  std::vector<Vec> points = Prism(sides, 1, 0);
  points.push_back({0, 0, 2});
  points.push_back({0, 0, -1e-4});
  return points;
}

struct Shape {
  const char* name;
  std::function<std::vector<Vec>()> points;
};
const Shape kShapes[] = {
    {"box", [] { return Lattice(2); }},
    {"few vertices",
     [] {
       return Ball(30, {1, 1, 1}, 1);
     }},
    {"ball",
     [] {
       return Ball(200, {.1, .1, .1}, 2);
     }},
    {"large ball",
     [] {
       return Ball(3000, {1, .8, 1.2}, 3);
     }},
    {"plate",
     [] {
       return Ball(400, {1, 1, 1e-3}, 4);
     }},
    {"needle",
     [] {
       return Ball(400, {1e-3, 1e-3, 1}, 5);
     }},
    {"far from the origin",
     [] {
       std::vector<Vec> points = Ball(300, {.1, .1, .1}, 6);
       for (Vec& p : points) p += Vec{10, -20, 5};
       return points;
     }},
    {"kilometres",
     [] {
       return Ball(300, {1e3, 2e3, 3e3}, 7);
     }},
    {"micrometres",
     [] {
       return Ball(300, {1e-5, 2e-5, 3e-5}, 8);
     }},
    {"prism", [] { return Prism(500, 1, 1); }},
    {"disc", [] { return Prism(300, 1, 1e-4); }},
    {"lattice", [] { return Lattice(9); }},
    {"cone", [] { return Cone(400); }},
};

double Most(const Hull& hull, const Vec& u) {
  double most = -kInfinity;
  for (int i = 0; i < hull.Count(); ++i) most = Max(most, Dot(u, hull.Vertex(i)));
  return most;
}

class HullTableTest : public testing::TestWithParam<Shape> {
 protected:
  void ExpectIsFarthest(const Vec& u) {
    const HullVertex found = hull_.FindSupport(u);
    const Hull& hull = hull_.hull();
    ASSERT_TRUE(found.id >= 0 && found.id < hull.Count());
    EXPECT_EQ(Norm(found.point - hull.Vertex(found.id)), 0);
    EXPECT_EQ(Dot(u, found.point), Most(hull, u)) << u.x << " " << u.y << " " << u.z;
    EXPECT_EQ(found.id, hull.SearchAll(u)) << "the first of equal ones";
  }

  ModelPtr m_ = MeshOf(GetParam().points());
  HullWithLists hull_{m_.get(), 0};
  const HullLists& lists_ = *HullListsOf(*m_, 0);
};

TEST_P(HullTableTest, RandomDirections) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 5000; ++i) {
    Vec u = {normal(random), normal(random), normal(random)};
    if (i % 10 == 1) u[i / 10 % 3] *= 1e-9;
    if (i % 10 == 2) u = u * 1e-200;
    if (i % 10 == 3) u = u * 1e200;
    ExpectIsFarthest(u);
  }
}

TEST_P(HullTableTest, AxesDiagonalsAndBordersOfCells) {
  const double cells = lists_.cells > 0 ? lists_.cells : 4;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      for (int i = 0; i <= cells; ++i) {
        for (int k = 0; k <= cells; ++k) {
          for (const double off : {0.0, 1e-16, -1e-16, 1e-9, -1e-9}) {
            Vec u;
            u[axis] = sign;
            u[(axis + 1) % 3] = 2 * i / cells - 1 + off;
            u[(axis + 2) % 3] = 2 * k / cells - 1 - off;
            ExpectIsFarthest(u);
          }
        }
      }
    }
  }
  for (int i = 0; i < 27; ++i) {
    if (i != 13) ExpectIsFarthest({i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0});
  }
}

// Where the vertex changes: across edges, and along normals of faces.
TEST_P(HullTableTest, NormalsOfEdgesAndFaces) {
  const Hull& hull = hull_.hull();
  if (!hull.HasGraph()) return;
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int v = 0; v < hull.Count(); v += hull.Count() / 100 + 1) {
    Vec before = Zero3<double>();
    for (HullNeighbours next(hull, v); !next.AtEnd(); next.Advance()) {
      const Vec edge = hull.Vertex(next.Get()) - hull.Vertex(v);
      if (Norm(before) > 0) {
        ExpectIsFarthest(Cross(edge, before));
        ExpectIsFarthest(Cross(before, edge));
      }
      ExpectIsFarthest(Cross(edge, {normal(random), normal(random), normal(random)}));
      before = edge;
    }
  }
}

// Lanes ask for directions of their own, and only some of them.
TEST_P(HullTableTest, LanesReachAsFar) {
  using Lanes = Pack<double, 4>;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 200; ++i) {
    Vec u[4];
    Vec3<Lanes> directions = {Lanes(0), Lanes(0), Lanes(0)};
    for (int lane = 0; lane < 4; ++lane) {
      for (int k = 0; k < 3; ++k) directions[k].Set(lane, u[lane][k] = normal(random));
    }
    const Lanes reach = ReachOfHull(lists_, directions, 0b1011);
    for (int lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(reach[lane], lane == 2 ? kInfinity : Most(hull_.hull(), u[lane]));
    }
  }
}

TEST_P(HullTableTest, BlocksHaveEachVertexOnceWithinTheirBalls) {
  const BlocksInBalls blocks = lists_.whole->all();
  std::vector<int> seen;
  for (int i = 0; i < blocks.count; ++i) {
    const PointBlock& block = blocks.block[i];
    const BallBlock& balls = blocks.ball[i / 8];
    for (int k = 0; k < (i + 1 < blocks.count ? 8 : blocks.size_of_last); ++k) {
      const Vec v = {block.x[k], block.y[k], block.z[k]};
      EXPECT_EQ(Norm(v - hull_.hull().Vertex(block.name[k])), 0);
      EXPECT_LT(Norm(v - Vec{balls.x[i % 8], balls.y[i % 8], balls.z[i % 8]}), balls.radius[i % 8]);
      seen.push_back(block.name[k]);
    }
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(static_cast<int>(seen.size()), hull_.hull().Count());
  for (int i = 0; i < hull_.hull().Count(); ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

// The vertices that complete the polygon of a task, each found among all of them.
std::vector<int> FurtherFeetOneByOne(const Hull& hull, const FeetTask& task) {
  const PlaneUnderMesh plane = {LoadVec3(task.down), LoadVec3(task.first), LoadVec3(task.second), task.centre};
  const Foot lowest = plane.At(LoadVec3(task.foot[0]));
  std::vector<int> touching, feet;
  double width = 0;
  for (int i = 0; i < hull.Count(); ++i) {
    if (!(task.centre - Dot(plane.down, hull.Vertex(i)) < task.margin)) continue;
    touching.push_back(i);
    width = std::max(width, std::sqrt(SquareOfDistance(plane.At(hull.Vertex(i)), lowest)));
  }
  const double tolerance = std::max(0.05 * width, 0.01 * task.radius);
  SupportPolygon<1> polygon(&lowest, 1);
  while (feet.size() < 7) {
    double most = tolerance * tolerance;
    int farthest = -1;
    for (const int i : touching) {
      const double beyond = polygon.SquareBeyond(plane.At(hull.Vertex(i)));
      if (beyond <= most) continue;
      most = beyond;
      farthest = i;
    }
    if (farthest < 0) break;
    feet.push_back(farthest);
    polygon.Add(plane.At(hull.Vertex(farthest)));
  }
  return feet;
}

// Planes that cut off none, some or all vertices: blocks, with their balls and without, show what each vertex shows, on
// every instruction set.
TEST_P(HullTableTest, FeetOnPlanes) {
  const Hull& hull = hull_.hull();
  std::vector<CompleteFeet> functions = {kCompleteFeet};
#if defined(__x86_64__)
  if (CanRun(InstructionSet::kAvx2)) functions.push_back(kCompleteFeetAvx2);
  if (CanRun(InstructionSet::kAvx512)) functions.push_back(kCompleteFeetAvx512);
#endif
  std::vector<double> room(static_cast<size_t>(NumbersForFeet(hull.Count())));
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 300; ++i) {
    const Vec down = Normalized(Vec{normal(random), normal(random), normal(random)});
    const Vec first = Normalized(Cross(down, Vec{normal(random), normal(random), normal(random)}));
    const double lowest = -Most(hull, down), highest = Most(hull, -down);
    FeetTask task = {};
    StoreVec3(down, task.down);
    StoreVec3(first, task.first);
    StoreVec3(Cross(down, first), task.second);
    task.margin = lowest + (i % 10 == 0 ? 1.1 : 0.002 * i) * (highest - lowest);
    task.radius = 0.1 * i / 300;
    StoreVec3(hull.Vertex(hull.SearchAll(down)), task.foot[0]);
    task.count = 1;
    task.room = room.data();
    const std::vector<int> expected = FurtherFeetOneByOne(hull, task);
    for (const CompleteFeet complete : functions) {
      for (const bool has_balls : {true, false}) {
        task.blocks = lists_.whole->all();
        if (!has_balls) task.blocks.ball = nullptr;
        int vertices[kMaxFeet];
        const int found = complete(task, vertices);
        EXPECT_EQ(std::vector<int>(vertices, vertices + found), expected) << "plane " << i;
      }
    }
  }
}

TEST_P(HullTableTest, NoDirectionGivesSomeVertex) {
  const double nan = std::nan(""), inf = kInfinity;
  for (const Vec& u : {Vec{0, 0, 0}, Vec{nan, 0, 1}, Vec{nan, nan, nan}, Vec{inf, 0, 1}, Vec{inf, -inf, inf}}) {
    const HullVertex found = hull_.FindSupport(u);
    EXPECT_TRUE(found.id >= 0 && found.id < hull_.hull().Count());
  }
}

TEST_P(HullTableTest, MemoryIsBounded) {
  const HullTable table(hull_.hull());
  EXPECT_LE(table.Bytes(),
            std::max(HullTable::kMaxBytes, size_t{32} * static_cast<size_t>(hull_.hull().Count())) + 100000);
}

INSTANTIATE_TEST_SUITE_P(Shapes, HullTableTest, testing::ValuesIn(kShapes));

// A program that changes vertices gets the supports of the mesh as it is.
TEST(HullTables, ChangedVerticesCount) {
  const ModelPtr m = MeshOf(Ball(300, {1, 1, 1}, 1));
  const Vec u = {.3, -.5, .4};
  const HullVertex before = HullWithLists(m.get(), 0).FindSupport(u);
  for (int i = 0; i < 3 * m->nmeshvert; ++i) m->mesh_vert[i] *= 2;
  const HullWithLists hull(m.get(), 0);
  EXPECT_EQ(hull.FindSupport(u).id, before.id);
  EXPECT_EQ(Norm(hull.FindSupport(u).point - before.point * 2), 0);

  // A copy of the changed model has tables of its own.
  const ModelPtr copy(mj_copyModel(nullptr, m.get()));
  EXPECT_NE(HullListsOf(*copy, 0), HullListsOf(*m, 0));
  EXPECT_EQ(Norm(HullWithLists(copy.get(), 0).FindSupport(u).point - before.point * 2), 0);
}

TEST(HullTables, CopiesShareThem) {
  ModelPtr m = MeshOf(Ball(300, {1, 1, 1}, 1));
  const HullLists* lists = HullListsOf(*m, 0);
  const ModelPtr copy(mj_copyModel(nullptr, m.get())), another(mj_copyModel(nullptr, copy.get()));
  EXPECT_EQ(HullListsOf(*copy, 0), lists);
  m.reset();
  EXPECT_EQ(HullListsOf(*another, 0), lists);
  EXPECT_EQ(lists->first[0], 0u) << "they live as long as one of the models";
}

// An older copy whose arrays are overwritten has the tables of what it now holds.
TEST(HullTables, FollowTheModelThatIsCopiedOver) {
  const ModelPtr a = MeshOf(Prism(100, 1, 1)), b = MeshOf(Prism(100, 2, 1));
  const HullLists *of_a = HullListsOf(*a, 0), *of_b = HullListsOf(*b, 0);
  ASSERT_NE(of_a, of_b);
  mj_copyModel(b.get(), a.get());
  EXPECT_EQ(HullListsOf(*b, 0), of_a);
}

TEST(HullTables, ThreadsThatComeAtOnceShareThem) {
  for (int round = 0; round < 20; ++round) {
    ModelPtr m = MeshOf(Ball(100, {1, 1, 1}, 1));
    const HullLists* found[4];
    std::vector<std::thread> threads;
    for (const HullLists*& lists : found)
      threads.emplace_back([&lists, model = m.get()] { lists = HullListsOf(*model, 0); });
    for (std::thread& thread : threads) thread.join();
    for (const HullLists* lists : found) EXPECT_EQ(lists, found[0]);
  }
}

}  // namespace
}  // namespace sinew
