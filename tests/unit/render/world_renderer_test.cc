#include "render/world_renderer.h"

#include <gtest/gtest.h>
#include <sinew/sinew.h>

#include <string>
#include <vector>

#include "core/error.h"

namespace sinew {
namespace {

// A world before a free camera, in pictures of 8 x 8 pixels.
struct View {
  explicit View(const char* xml) : model(Model::FromXmlText(xml)), data(model) {
    data.Forward();
    mjv_defaultOption(&option);
    mjv_defaultFreeCamera(model, &camera);
  }
  void Draw(WorldRenderer& renderer) {
    mjData* worlds[] = {data};
    renderer.Draw(*m(), worlds, 1, option, camera, {.rgb = rgb.data()});
  }
  const mjModel* m() const { return model; }

  Model model;
  Data data;
  mjvOption option;
  mjvCamera camera;
  std::vector<uint8_t> rgb = std::vector<uint8_t>(3 * 64);
};

TEST(WorldRenderer, AModelWithoutLightsIsSeen) {
  const char* xml = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>";
  View view(xml);
  WorldRenderer renderer(*view.m(), 8, 8, rays::Sampling::kOne);
  view.Draw(renderer);
  EXPECT_GT(view.rgb[3 * 28], 20) << "the light at the camera";
}

TEST(WorldRenderer, ASceneThatDoesNotFitIsAnError) {
  const char* xml =
      "<mujoco><worldbody><replicate count='20' offset='1 0 0'><geom size='.1'/></replicate></worldbody></mujoco>";
  View view(xml);
  WorldRenderer fits(*view.m(), 8, 8, rays::Sampling::kOne, 20);
  EXPECT_NO_THROW(view.Draw(fits));
  WorldRenderer small(*view.m(), 8, 8, rays::Sampling::kOne, 19);
  try {
    view.Draw(small);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("19 geoms"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sinew
