#include "render/world_renderer.h"

#include <gtest/gtest.h>
#include <sinew/sinew.h>

#include <string>
#include <vector>

#include "core/error.h"

namespace sinew {
namespace {

TEST(WorldRenderer, AModelWithoutLightsIsSeen) {
  const Model model = Model::FromXmlText("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  Data data(model);
  data.Forward();
  const mjModel* m = model;
  mjvOption option;
  mjv_defaultOption(&option);
  mjvCamera camera;
  mjv_defaultFreeCamera(m, &camera);
  WorldRenderer renderer(*m, 8, 8, Sampling::kOne);
  std::vector<uint8_t> rgb(3 * 64);
  mjData* worlds[] = {data};
  renderer.Draw(*m, worlds, 1, option, camera, {.rgb = rgb.data()});
  EXPECT_GT(rgb[3 * 28], 20) << "the light at the camera";
}

TEST(WorldRenderer, ASceneThatDoesNotFitIsAnError) {
  const Model model = Model::FromXmlText(
      "<mujoco><worldbody><replicate count='20' offset='1 0 0'><geom size='.1'/></replicate></worldbody></mujoco>");
  Data data(model);
  data.Forward();
  const mjModel* m = model;
  mjvOption option;
  mjv_defaultOption(&option);
  mjvCamera camera;
  mjv_defaultFreeCamera(m, &camera);
  std::vector<uint8_t> rgb(3 * 64);
  mjData* worlds[] = {data};
  WorldRenderer fits(*m, 8, 8, Sampling::kOne, 20);
  EXPECT_NO_THROW(fits.Draw(*m, worlds, 1, option, camera, {.rgb = rgb.data()}));
  WorldRenderer small(*m, 8, 8, Sampling::kOne, 19);
  try {
    small.Draw(*m, worlds, 1, option, camera, {.rgb = rgb.data()});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("19 geoms"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sinew
