// Contacts of convex meshes with a plane against all of their vertices: random hulls, prisms, plates and rods in poses
// that are random, deep, or nearly flush with a face. SINEW_SWEEP=1000000 makes sweeps as long as that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "math/quat.h"
#include "tests/testing/longer.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr size_t kMostContacts = 8;
constexpr int kShapes = 60;
// What may touch outside of the contacts' polygon, over the width of all that touches and over the bounding radius, as
// docs/how/collision.md says.
constexpr double kUncovered = .05, kOfRadius = .01;

class MeshOnPlane : public testing::Test {
 protected:
  double Number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  int Index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(generator_); }
  Vec Direction() {
    std::normal_distribution<double> normal;
    return Normalized(Vec{normal(generator_), normal(generator_), normal(generator_)});
  }

  std::string Vertices() {
    const Vec half = {Number(.02, .3), Number(.02, .3), std::pow(10, Number(-2.5, -.5))};
    std::string text;
    const auto add = [&](const Vec& v) {
      for (int k = 0; k < 3; ++k) text.append(std::to_string(v[k] * half[k])).append(1, ' ');
    };
    if (Index(2) == 0) {
      for (int i = 5 + Index(Index(2) == 0 ? 8 : 120); i > 0; --i) add(Direction());
      return text;
    }
    const int sides = 3 + Index(14);
    const double turn = Number(0, 2), narrow = Number(.2, 1);
    for (int i = 0; i < sides; ++i) {
      const double angle = turn + 2 * M_PI * i / sides;
      add({std::cos(angle), std::sin(angle), -1});
      add({narrow * std::cos(angle), narrow * std::sin(angle), 1});
    }
    return text;
  }

  // Bodies 1 to kShapes have a mesh each.
  World Shapes() {
    std::string assets, bodies;
    for (int i = 0; i < kShapes; ++i) {
      std::string name = "m";  // built by appending: GCC 12 takes the sum for overlapping texts
      name += std::to_string(i);
      assets += "<mesh name='" + name + "' inertia='shell' vertex='" + Vertices() + "'/>";
      bodies += "<body><freejoint/><geom type='mesh' mesh='" + name + "'/></body>";
    }
    return World(ModelFromText("<mujoco><asset>" + assets + "</asset><worldbody><geom type='plane' size='1 1 1'/>" +
                               bodies + "</worldbody></mujoco>"));
  }

  // A unit vector that points down: at random, or out of a face of the mesh and tilted by up to 0.01 rad.
  Vec Down(const mjModel& m, int mesh) {
    if (Index(3) == 0) return Direction();
    const int* face = m.mesh_face + 3 * (m.mesh_faceadr[mesh] + Index(m.mesh_facenum[mesh]));
    const auto at = [&](int k) { return Vertex(m, mesh, face[k]); };
    Vec out = Cross(at(1) - at(0), at(2) - at(0));
    if (!(Normalize(out) > 0)) return Direction();
    static constexpr double kTilts[] = {0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2};
    return Normalized(out + Direction() * kTilts[Index(8)]);
  }

  static Vec Vertex(const mjModel& m, int mesh, int i) {
    const float* v = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + i);
    return {v[0], v[1], v[2]};
  }

  std::mt19937 generator_{11};
};

struct Point {
  double x, y;
};

double FromSegment(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double t = square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0., 1.) : 0;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// How far a point is outside of the convex hull of others: the largest distance, over lines through two of them that
// have all others on one side, beyond such a line; by all pairs, as there are at most eight.
double Outside(const Point& p, const std::vector<Point>& feet) {
  double nearest = INFINITY;
  bool is_outside = feet.size() < 3;
  for (const Point& a : feet) {
    for (const Point& b : feet) {
      nearest = std::min(nearest, FromSegment(p, a, b));
      const auto side = [&](const Point& q) { return (b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x); };
      const bool is_edge = std::all_of(feet.begin(), feet.end(), [&](const Point& q) { return side(q) >= 0; });
      is_outside = is_outside || (is_edge && side(p) < 0);
    }
  }
  return is_outside ? nearest : 0;
}

// How much of a round face of that width its contacts may leave outside if there are as many as there can be: the
// corner of a regular polygon that stands between two of n others is 1 - cos(2 pi / n) of the radius beyond them. The
// first three contacts of eight may lie inside, where a mesh is deep in the plane.
double LeftByCorners(const std::vector<Point>& feet, double width) {
  if (feet.size() < kMostContacts) return 0;
  int corners = 0;
  for (size_t i = 0; i < feet.size(); ++i) {
    std::vector<Point> others = feet;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    corners += Outside(feet[i], others) > 0;
  }
  EXPECT_GE(corners, 5);
  return .5 * (1 - std::cos(2 * M_PI / corners)) * width;
}

// The first contact is at the lowest vertex; all are at vertices that touch, as deep as these are; and what touches is
// inside of their polygon but for a small part.
TEST_F(MeshOnPlane, StandsOnAllThatTouches) {
  const World world = Shapes();
  mjModel& m = *world.m;
  mjData& d = *world.d;
  mj_forward(&m, &d);
  const int poses = CountOr("SINEW_SWEEP", 6000);
  mjContact con[mjMAXCONPAIR];
  int several = 0;
  for (int pose = 0; pose < poses; ++pose) {
    const int geom = 1 + Index(kShapes), mesh = m.geom_dataid[geom], count = m.mesh_vertnum[mesh];
    // rows of the rotation: two directions across, and the one that is up
    const Vec up = -Down(m, mesh), first = Normalized(Cross(up, std::fabs(up.x) < .7 ? Vec{1, 0, 0} : Vec{0, 1, 0})),
              second = Cross(up, first);
    double lowest = INFINITY;
    for (int i = 0; i < count; ++i) lowest = std::min(lowest, Dot(up, Vertex(m, mesh, i)));
    const double depth = Index(4) == 0 ? Number(0, .1) : std::pow(10, Number(-7, -2));
    const Vec pos = {Number(-1, 1), Number(-1, 1), -lowest - depth};
    const Vec* rows[] = {&first, &second, &up};
    for (int r = 0; r < 3; ++r) StoreVec3(*rows[r], d.geom_xmat + 9 * geom + 3 * r);
    StoreVec3(pos, d.geom_xpos + 3 * geom);
    const double radius = m.geom_rbound[geom], rounding = 1e-12;
    SCOPED_TRACE("pose " + std::to_string(pose) + " of geom " + std::to_string(geom));

    const int contacts = mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_MESH](&m, &d, con, 0, geom, 0);
    ASSERT_GE(contacts, 1);
    ASSERT_LE(static_cast<size_t>(contacts), kMostContacts);
    several += contacts > 2;
    std::vector<Point> touching, feet;
    for (int i = 0; i < count; ++i) {
      const Vec v = Vertex(m, mesh, i);
      if (pos.z + Dot(up, v) < 0) touching.push_back({pos.x + Dot(first, v), pos.y + Dot(second, v)});
    }
    for (int i = 0; i < contacts; ++i) {
      ASSERT_GE(con[i].dist, -depth - rounding);
      ASSERT_LE(con[i].dist, rounding);
      ASSERT_NEAR(con[i].frame[2], 1, rounding) << "the normal is that of the plane";
      ASSERT_NEAR(con[i].pos[2], .5 * con[i].dist, rounding) << "midway between vertex and plane";
      const Point foot = {con[i].pos[0], con[i].pos[1]};
      ASSERT_TRUE(std::any_of(touching.begin(), touching.end(), [&](const Point& p) {
        return std::hypot(p.x - foot.x, p.y - foot.y) < rounding;
      })) << "no vertex there touches";
      for (const Point& other : feet) ASSERT_GT(std::hypot(other.x - foot.x, other.y - foot.y), rounding) << "twice";
      feet.push_back(foot);
    }
    ASSERT_NEAR(con[0].dist, -depth, rounding) << "the lowest vertex comes first";
    double width = 0;
    for (const Point& p : touching) {
      for (const Point& q : touching) width = std::max(width, std::hypot(p.x - q.x, p.y - q.y));
    }
    const double most = std::max({kUncovered * width, kOfRadius * radius, LeftByCorners(feet, width)});
    for (const Point& p : touching) ASSERT_LE(Outside(p, feet), most + rounding);
  }
  EXPECT_GT(several, poses / 5);
}

}  // namespace
}  // namespace sinew
