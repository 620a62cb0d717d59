// Masks of batches through the C++ face: nothing at all selects all worlds, a mask of zeros none.
#include <gtest/gtest.h>
#include <sinew/sinew.h>
#include <sinew/worlds.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace {

constexpr int kWorlds = 5;
using Mask = sinew::Batch::Mask;

// Everything that a batch has of its worlds.
std::vector<double> NumbersOf(sinew::Batch& batch) {
  std::vector<double> all;
  for (const char* name : {"time", "qpos", "qvel", "ctrl"}) {
    const auto part = batch.State(name).all();
    all.insert(all.end(), part.begin(), part.end());
  }
  const auto places = batch.Output<double>("xpos").all();
  all.insert(all.end(), places.begin(), places.end());
  return all;
}

TEST(MasksTest, OfZerosSelectNoWorld) {
  const sinew::Model model = sinew::Model::FromXmlText(R"(
    <mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
    </worldbody><actuator><motor joint="a"/></actuator></mujoco>)");
  const std::vector<unsigned char> none(kWorlds, 0);
  const std::pair<const char*, std::function<size_t(sinew::Batch&, Mask)>> calls[] = {
      {"Step", [](sinew::Batch& b, Mask mask) { return static_cast<size_t>(b.Step(3, mask)); }},
      {"Forward", [](sinew::Batch& b, Mask mask) { return static_cast<size_t>(b.Forward(mask)); }},
      {"Reset", [](sinew::Batch& b, Mask mask) { return static_cast<size_t>(b.Reset(mask)); }},
      {"Linearize", [](sinew::Batch& b, Mask mask) { return b.Linearize(false, mask).A.size(); }},
      {"SmoothedLinearize", [](sinew::Batch& b, Mask mask) { return b.SmoothedLinearize(0.1, mask).A.size(); }},
      {"RolloutGradient", [](sinew::Batch& b, Mask mask) { return b.RolloutGradient({}, {}, {}, mask).start.size(); }},
  };
  for (const auto& [name, call] : calls) {
    SCOPED_TRACE(name);
    sinew::Batch batch(model, kWorlds);
    std::ranges::fill(batch.State("qvel").all(), 0.5);
    NumbersOf(batch);  // outputs are filled from the first time on that somebody asks for them
    const std::vector<double> before = NumbersOf(batch);
    EXPECT_EQ(call(batch, none), 0u);
    EXPECT_EQ(NumbersOf(batch), before);
  }
  sinew::Batch batch(model, kWorlds);
  batch.Step();
  EXPECT_EQ(std::ranges::count(batch.State("time").all(), 0.0), 0);
}

}  // namespace
