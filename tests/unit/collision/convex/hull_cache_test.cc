// Hulls that are loaded once for many pairs.
#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>

#include "collision/convex/hull.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// Meshes of eight random vertices.
ModelPtr ManyMeshes(int count) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  std::ostringstream assets, geoms;
  for (int i = 0; i < count; ++i) {
    assets << "<mesh name='" << i << "' vertex='";
    for (int k = 0; k < 24; ++k) assets << coordinate(random) << " ";
    assets << "'/>";
    geoms << "<geom type='mesh' mesh='" << i << "'/>";
  }
  return ModelFromText("<mujoco><asset>" + assets.str() + "</asset><worldbody>" + geoms.str() +
                       "</worldbody></mujoco>");
}

void ExpectIsHullOf(const mjModel* m, int mesh, const LoadedHull& loaded) {
  const Hull hull(m, mesh);
  ASSERT_EQ(loaded.hull.Count(), hull.Count()) << mesh;
  for (int i = 0; i < hull.Count(); ++i) {
    const Vec3<double> vertex = hull.Vertex(i);
    const HullVertex support = loaded.columns.FindSupport(vertex);
    EXPECT_GE(Dot(support.point, vertex), Dot(vertex, vertex) * (1 - 1e-12)) << mesh << " " << i;
    EXPECT_EQ(Norm(support.point - hull.Vertex(support.id)), 0);
  }
}

// More meshes than there are places, so that all of them are displaced by others.
TEST(HullCache, GivesTheHullThatIsAskedFor) {
  const int count = 70;
  const ModelPtr m = ManyMeshes(count);
  HullCache hulls(m.get());
  for (int step : {1, 31, 32, 33}) {
    for (int i = 0; i < count; ++i) {
      const int mesh = i * step % count;
      ExpectIsHullOf(m.get(), mesh, hulls.Get(mesh));
    }
  }
}

// The hull beside which another is used stays, wherever the other would be.
TEST(HullCache, KeepsTheOneBeside) {
  const int count = 70;
  const ModelPtr m = ManyMeshes(count);
  HullCache hulls(m.get());
  for (int first = 0; first < count; first += 3) {
    const LoadedHull& hull = hulls.Get(first);
    for (int second = 0; second < count; ++second) {
      ExpectIsHullOf(m.get(), second, hulls.Get(second, &hull));
      if (HasFailure()) return;
    }
    ExpectIsHullOf(m.get(), first, hull);
  }
}

}  // namespace
}  // namespace sinew
