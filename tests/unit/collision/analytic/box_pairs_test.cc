// Boxes in lanes: each lane equals the scalar run bit for bit, and what pairs have in common with others in a batch
// changes nothing.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "collision/analytic/box_box.h"
#include "collision/analytic/box_edge_kernel.h"
#include "collision/analytic/box_face_kernel.h"
#include "collision/analytic/box_pair_kernel.h"
#include "math/quat.h"
#include "tests/unit/collision/lanes.h"
#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

using Lanes = Pack<double, 4>;

// Boxes close together: apart, deep, aligned, almost aligned, stacked.
class RandomBoxes {
 public:
  PlacedGeom<double> First() { return {Zero3<double>(), Rotation(), Size()}; }
  PlacedGeom<double> Second(const PlacedGeom<double>& first) {
    const int kind = static_cast<int>(random_() % 4);
    PlacedGeom<double> box = {Vector(.25), Rotation(), Size()};
    if (kind > 0) box.mat = first.mat;
    if (kind == 2) box.mat = first.mat * ToMat3(Normalized(Quat<double>{1, 1e-6 * Number(), 1e-6 * Number(), 0}));
    if (kind == 3) box.pos = first.pos + first.mat.Column(2) * (first.size.z + box.size.z - 1e-3);
    return box;
  }

 private:
  double Number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  Vec3<double> Vector(double size) { return {size * Number(), size * Number(), size * Number()}; }
  Vec3<double> Size() { return Vec3<double>{.1, .1, .1} + Vector(.05); }
  Mat3<double> Rotation() { return ToMat3(Normalized(Quat<double>{Number(), Number(), Number(), Number()})); }

  std::mt19937 random_{5};
};

void ExpectSameBits(double a, double b) { ASSERT_EQ(std::memcmp(&a, &b, sizeof(a)), 0) << a << " " << b; }

template <class S>
struct Candidates {
  std::vector<MaskOf<S>> hit;
  std::vector<S> dist;
  std::vector<Vec3<S>> pos;
};

template <class S, class Contacts>
Candidates<S> Complete(const Contacts& contacts) {
  Candidates<S> out;
  contacts.ForEachCandidate([&](MaskOf<S> where, const S& dist, const Vec3<S>& p) {
    Vec3<S> pos = p;
    out.hit.push_back(where & contacts.reference().Complete(pos));
    out.dist.push_back(dist);
    out.pos.push_back(pos);
  });
  return out;
}

void ExpectLaneIs(const Candidates<Lanes>& lanes, int lane, const Candidates<double>& alone, int* hits) {
  // edges and vertices that no lane has are not looked at
  size_t at = 0;
  for (size_t i = 0; i < alone.hit.size(); ++i) {
    if (!alone.hit[i]) continue;
    while (at < lanes.hit.size() && !lanes.hit[at].Lane(lane)) ++at;
    ASSERT_LT(at, lanes.hit.size());
    ExpectSameBits(lanes.dist[at][lane], alone.dist[i]);
    for (int k = 0; k < 3; ++k) ExpectSameBits(lanes.pos[at][k][lane], alone.pos[i][k]);
    ++at;
    ++*hits;
  }
  for (; at < lanes.hit.size(); ++at) ASSERT_FALSE(lanes.hit[at].Lane(lane));
}

TEST(BoxPairs, LanesEqualScalars) {
  RandomBoxes random;
  int faces = 0, edges = 0, hits = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    PlacedGeom<double> first[4], second[4];
    for (int lane = 0; lane < 4; ++lane) {
      first[lane] = random.First();
      second[lane] = random.Second(first[lane]);
    }
    const double margin = trial % 3 == 0 ? .01 : 0;
    const PlacedGeom<Lanes> box1 = Gather(first), box2 = Gather(second);
    const BoxPair<Lanes> pairs(box1, box2);
    const BoxSeparation<Lanes> together = FindLeastOverlap(pairs, Lanes(margin));
    const auto by_face =
        Complete<Lanes>(BoxFaceContacts<Lanes>(box1, box2, pairs, together.face, together.overlap, Lanes(margin)));
    const auto by_edges = Complete<Lanes>(
        BoxEdgeContacts<Lanes>(box1, pairs, together.edges, together.axis, together.overlap, Lanes(margin)));
    for (int lane = 0; lane < 4; ++lane) {
      const BoxPair<double> pair(first[lane], second[lane]);
      const BoxSeparation<double> alone = FindLeastOverlap(pair, margin);
      ASSERT_EQ(together.apart.Lane(lane), alone.apart);
      if (alone.apart) continue;
      ExpectSameBits(together.overlap[lane], alone.overlap);
      ASSERT_EQ(together.face[lane], alone.face);
      if (alone.face >= 0) {
        const BoxFaceContacts<double> contacts(first[lane], second[lane], pair, alone.face, alone.overlap, margin);
        ExpectLaneIs(by_face, lane, Complete<double>(contacts), &hits);
        ++faces;
      } else {
        ASSERT_EQ(together.edges[lane], alone.edges);
        const BoxEdgeContacts<double> contacts(first[lane], pair, alone.edges, alone.axis, alone.overlap, margin);
        ExpectLaneIs(by_edges, lane, Complete<double>(contacts), &hits);
        ++edges;
      }
    }
  }
  EXPECT_GT(faces, 1000);
  EXPECT_GT(edges, 200);
  EXPECT_GT(hits, 5000);
}

// More pairs than a batch holds, with pairs of other geoms in between, and some of which nothing is asked.
TEST(BoxPairs, PairsOfABatchEqualThoseAlone) {
  RandomBoxes random;
  std::vector<GeomSpec> geoms;
  for (int i = 0; i < 30; ++i) {
    const PlacedGeom<double> first = random.First(), box = random.Second(first);
    geoms.push_back({i % 7 == 6 ? mjGEOM_SPHERE : mjGEOM_BOX, box.size, box.pos, {1, .1 * i, 0, .3}, i});
  }
  Scene scene(geoms);
  std::vector<ItemPair> pairs;
  for (int g1 = 0; g1 < 30; ++g1) {
    for (int g2 = g1 + 1; g2 < 30; ++g2) pairs.push_back({GeomItem(g1), GeomItem(g2), -1, .001 * (g1 % 3)});
  }
  BoxPairs batch(scene.m(), scene.d(), pairs);
  int contacts = 0, number = 0;
  for (const ItemPair& pair : pairs) {
    const auto is_box = [&](int geom) { return scene.m()->geom_type[geom] == mjGEOM_BOX; };
    const int g1 = pair.first.id, g2 = pair.second.id;
    if (!is_box(g1) || !is_box(g2) || ++number % 5 == 0) continue;
    mjContact found[mjMAXCONPAIR];
    const int count = batch.Collide(found, pair);
    ASSERT_EQ(count, scene.Collide(g1, g2, pair.margin)) << g1 << " " << g2;
    for (int i = 0; i < count; ++i) {
      ExpectSameBits(found[i].dist, scene.con(i).dist);
      for (int k = 0; k < 3; ++k) {
        ExpectSameBits(found[i].pos[k], scene.con(i).pos[k]);
        ExpectSameBits(found[i].frame[k], scene.con(i).frame[k]);
      }
    }
    contacts += count;
  }
  EXPECT_GT(contacts, 200);
}

}  // namespace
}  // namespace sinew
