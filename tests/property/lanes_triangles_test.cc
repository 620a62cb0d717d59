// Meshes that collide by their triangles, in packs: every lane equals the run of its world alone, bit for bit.
#include <string>

#include "tests/support/lane_steps.h"
#include "tests/support/mesh_text.h"

namespace sinew::testing {
namespace {

class TrianglesOfLanes : public Lanes {};

// A ring lies on a rod, a ball, a can and a box in and on a block with a hole: contacts of faces, edges and corners,
// whose number differs from lane to lane.
TEST_P(TrianglesOfLanes, WorldsEqualWorldsAlone) {
  const std::string text =
      "<asset><mesh name='block' inertia='exact' collision='triangles' " +
      BlockWithHole(12, .05, .3, .04).Attributes() + "/><mesh name='ring' inertia='exact' collision='triangles' " +
      BlockWithHole(8, .06, .09, .02).Attributes() +
      R"(/></asset><default><geom friction='.7'/></default><worldbody><geom type='mesh' mesh='block'/>
<body pos='0 .01 .06'><freejoint/><geom size='.055'/></body>
<body pos='.2 0 .09' euler='20 10 0'><freejoint/><geom type='cylinder' size='.03 .05'/></body>
<body pos='-.2 0 .08' euler='0 20 30'><freejoint/><geom type='box' size='.03 .04 .03'/></body>
<body pos='0 0 .12' euler='10 0 5'><freejoint/><geom type='mesh' mesh='ring'/></body></worldbody></mujoco>)";
  for (const char* option : {"", "cone='elliptic' integrator='implicitfast'", "stick='enable'"}) {
    SCOPED_TRACE(option);
    const ModelPtr m = ReadModel(std::string("<mujoco><option timestep='.002' ") + option + "/>" + text);
    ASSERT_EQ(ObstacleToLanes(*m), nullptr);
    ExpectStepsEqualAlone(*m, *GetParam());
    if (HasFatalFailure()) return;
  }
}

SINEW_ON_ALL_LANES(TrianglesOfLanes);

}  // namespace
}  // namespace sinew::testing
