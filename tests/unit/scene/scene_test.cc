#include "scene/scene.h"

#include <gtest/gtest.h>

#include "compile/compile.h"
#include "core/error.h"
#include "read/read_xml.h"

namespace sinew {
namespace {

TEST(Scene, IsMadeFreedAndMadeAgain) {
  const auto model = Compile(*ReadXmlText("<mujoco/>", "", nullptr), nullptr);
  mjvScene scene;
  SetDefaults(&scene);
  EXPECT_EQ(scene.geoms, nullptr);
  MakeScene(model.get(), &scene, 10);
  EXPECT_EQ(scene.maxgeom, 10);
  EXPECT_EQ(scene.scale, 1);
  EXPECT_EQ(scene.rotate[0], 1);
  const mjtByte flags[mjNRNDFLAG] = {1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < mjNRNDFLAG; ++i) EXPECT_EQ(scene.flags[i], flags[i]) << mjRNDSTRING[i][0];
  scene.status = 1;
  MakeScene(model.get(), &scene, 20);
  EXPECT_EQ(scene.maxgeom, 20);
  EXPECT_EQ(scene.status, 0);
  EXPECT_THROW(MakeScene(model.get(), &scene, -1), Error);
  FreeScene(&scene);
  EXPECT_EQ(scene.geoms, nullptr);
  EXPECT_EQ(scene.maxgeom, 0);
}

TEST(Scene, WithoutAModelHoldsGeomsAlone) {
  mjvScene scene;
  SetDefaults(&scene);
  MakeScene(nullptr, &scene, 3);
  EXPECT_EQ(scene.maxgeom, 3);
  EXPECT_NE(scene.geoms, nullptr);
  EXPECT_EQ(scene.nflex, 0);
  EXPECT_EQ(scene.nskin, 0);
  FreeScene(&scene);
}

}  // namespace
}  // namespace sinew
