// Trees of bodies against a world of planes: nodes that hold everything are passed over.
#include "collision/broad/tree_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// Five planes, the floor and the four walls of a bowl, and bodies in it.
std::string Bowl(const char* more_of_world) {
  std::ostringstream text;
  text << "<mujoco><worldbody><geom type='plane' size='0 0 1'/>";
  for (const char* wall : {"pos='.3 0 0' zaxis='-3 0 2'", "pos='-.3 0 0' zaxis='3 0 2'", "pos='0 .3 0' zaxis='0 -3 2'",
                           "pos='0 -.3 0' zaxis='0 3 2'"}) {
    text << "<geom type='plane' size='0 0 1' " << wall << "/>";
  }
  text << more_of_world;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> across(-.4, .4), up(0, .5), angle(0, 360);
  const char* shapes[] = {"type='sphere' size='.06'", "type='capsule' size='.05 .06'", "type='box' size='.04 .05 .06'"};
  for (int i = 0; i < 40; ++i) {
    text << "<body pos='" << across(random) << " " << across(random) << " " << up(random) << "' euler='"
         << angle(random) << " " << angle(random) << " 0'><freejoint/><geom " << shapes[i % 3] << " margin='"
         << (i % 4 == 0 ? .01 : 0) << "'/></body>";
  }
  text << "</worldbody></mujoco>";
  return text.str();
}

// Detects contacts, and returns those with the world.
std::vector<double> ContactsOfWorld(World& w) {
  mj_fwdPosition(w.m.get(), w.d.get());
  std::vector<double> numbers;
  for (int i = 0; i < w.d->ncon; ++i) {
    const mjContact& c = w.d->contact[i];
    if (w.m->geom_bodyid[c.geom1] != 0 && w.m->geom_bodyid[c.geom2] != 0) continue;
    numbers.insert(numbers.end(), {1.0 * c.geom1, 1.0 * c.geom2, c.dist, c.pos[0], c.pos[1], c.pos[2]});
  }
  return numbers;
}

// Without the midphase, every geom is compared with every plane.
void ExpectNoContactIsLost(World& w) {
  const std::vector<double> found = ContactsOfWorld(w);
  EXPECT_GT(found.size(), 100u);
  w.m->opt.disableflags |= mjDSBL_MIDPHASE;
  EXPECT_EQ(ContactsOfWorld(w), found);
}

TEST(TreePairs, NoContactIsLost) {
  World w(ModelFromText(Bowl("").c_str()));
  ExpectNoContactIsLost(w);
}

// The margin of all contacts (mjENBL_OVERRIDE) counts once.
TEST(TreePairs, OverriddenMargin) {
  World w(ModelFromText(Bowl("").c_str()));
  w.m->opt.enableflags |= mjENBL_OVERRIDE;
  w.m->opt.o_margin = .03;
  ExpectNoContactIsLost(w);
}

// Nodes that a visualization shows as active: all inner ones of the planes' tree, and the planes that something is
// near.
TEST(TreePairs, MarkWhatIsNear) {
  World w(
      ModelFromText("<mujoco><worldbody><geom type='plane' size='0 0 1'/><geom type='plane' size='0 0 1' pos='1 0 0' "
                    "zaxis='-1 0 1'/><geom type='plane' size='0 0 1' pos='-1 0 0' zaxis='1 0 1'/>"
                    "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"));
  mj_fwdPosition(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 1);
  for (int node = 0; node < w.m->body_bvhnum[0]; ++node) {
    const bool is_near = !IsBvhLeaf(w.m.get(), node) || w.m->bvh_nodeid[node] == 0;
    EXPECT_EQ(w.d->bvh_active[node], is_near) << node;
  }
  EXPECT_EQ(w.d->bvh_active[w.m->body_bvhadr[1]], 1);
}

// What stands between the planes is compared with every body.
TEST(TreePairs, OtherGeomsOfTheWorld) {
  World w(ModelFromText(Bowl("<geom size='.1' pos='.1 0 .2'/><geom type='box' size='.1 .02 .2'/>").c_str()));
  ExpectNoContactIsLost(w);
}

}  // namespace
}  // namespace sinew
