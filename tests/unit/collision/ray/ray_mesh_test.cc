#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/ray/ray_geom.h"
#include "model/storage/model.h"

namespace sinew {
namespace {

// Every face is seen from both sides, with the normal of its vertices' order.
TEST(RayGeom, MeshByItsFaces) {
  mjModel sizes = {};
  sizes.nmesh = 1;
  sizes.nmeshvert = sizes.nmeshface = 4;
  const ModelPtr m(MakeModel(sizes));
  const int faces[4][3] = {
      {1, 2, 3}, {0, 2, 1}, {0, 1, 3}, {0, 3, 2}};  // vertex 0 is the origin, k the k-th unit vector
  for (int k = 0; k < 3; ++k) m->mesh_vert[3 * (k + 1) + k] = 1;
  std::copy_n(faces[0], 12, m->mesh_face);
  m->mesh_vertnum[0] = m->mesh_facenum[0] = 4;
  m->mesh_bvhadr[0] = -1;

  const RayHit out = RayMesh(m.get(), 0, {{.25, .25, .25}, {1, 1, 1}});
  const RayHit in = RayMesh(m.get(), 0, {{1, 1, 1}, {-1, -1, -1}});
  EXPECT_NEAR(out.x, 1.0 / 12, 1e-12);  // to the face x + y + z = 1
  EXPECT_NEAR(in.x, 2.0 / 3, 1e-12);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(out.normal[k], std::sqrt(1.0 / 3), 1e-12);
    EXPECT_EQ(in.normal[k], out.normal[k]);
  }
  EXPECT_FALSE(RayMesh(m.get(), 0, {{1, 1, 1}, {1, 1, 1}}));
}

}  // namespace
}  // namespace sinew
