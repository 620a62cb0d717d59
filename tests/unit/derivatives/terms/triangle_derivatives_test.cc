// Derivatives of steps with contacts of triangles, whose geometry is that of differences, against differences of the
// whole step.
#include <string>

#include "tests/support/mesh_text.h"
#include "tests/unit/derivatives/twin.h"

namespace sinew {
namespace {

// The geometry of contacts is that of central differences over 1e-6, good to 1e-10 / 1e-6 of it.
constexpr double kTolerance = 1e-4, kEps = 1e-5;

TEST(TriangleDerivativesTest, StepsHaveThose) {
  const std::string assets = "<asset><mesh name='block' inertia='exact' collision='triangles' " +
                             testing::BlockWithHole(12, .05, .3, .04).Attributes() +
                             "/><mesh name='ring' inertia='exact' collision='triangles' " +
                             testing::BlockWithHole(8, .06, .09, .02).Attributes() + "/></asset>";
  const struct {
    const char *geom, *place;
  } cases[] = {{"<geom size='.055'/>", "0 .003 .06"},
               {"<geom type='capsule' size='.02 .08'/>", "0 .003 .0575' euler='86 3 0"},
               {"<geom type='cylinder' size='.03 .05'/>", ".2 0 .0925' euler='40 10 0"},
               {"<geom type='box' size='.03 .04 .03'/>", "-.2 0 .0845' euler='32 20 30"},
               {"<geom type='mesh' mesh='ring'/>", "0 0 .0755' euler='20 0 5"}};
  for (const auto& c : cases) {
    World w(ModelFromText("<mujoco><option timestep='.002'/>" + assets +
                          "<worldbody><geom type='mesh' mesh='block'/><body pos='" + c.place + "'><freejoint/>" +
                          c.geom + "</body></worldbody></mujoco>"));
    for (int i = 0; i < 6; ++i) w.d->qvel[i] = .05 * std::sin(i + 1);
    for (int touched = 0; touched < 2 && w.d->time<1; touched += w.d->ncon> 0) mj_step(w.m.get(), w.d.get());
    mj_forward(w.m.get(), w.d.get());
    ASSERT_GT(w.d->ncon, 0) << c.geom;
    ExpectSameDerivatives(w, kEps, kTolerance, c.geom);
  }
}

}  // namespace
}  // namespace sinew
