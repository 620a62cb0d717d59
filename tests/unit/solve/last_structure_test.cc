#include "solve/last_structure.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <vector>

#include "core/lasting_memory.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// A rope that folds onto itself: contacts join vertices that were not joined before.
ModelPtr Rope() {
  return ModelFromText(
      "<mujoco><option timestep='.002' integrator='implicitfast'/><size memory='10M'/><worldbody>"
      "<geom type='plane' size='2 2 .1'/><geom type='capsule' size='.03' fromto='0 -.2 .2 0 .2 .2'/>"
      "<flexcomp name='rope' type='grid' dim='1' count='40 1 1' spacing='.012 .01 .01' pos='.02 0 .3'"
      " euler='0 60 0' radius='.004' mass='.1'><edge equality='true' damping='.02'/>"
      "<contact selfcollide='auto'/></flexcomp></worldbody></mujoco>");
}

// Numbers of the state, bit for bit.
std::vector<double> State(const mjModel* m, const mjData* d) {
  std::vector<double> state(d->qpos, d->qpos + m->nq);
  state.insert(state.end(), d->qvel, d->qvel + m->nv);
  return state;
}

int KeptDofs(const mjData* d) {
  const LastingMemory memory = LastingMemoryOf(d);
  return memory.bytes > 0 ? *reinterpret_cast<const int*>(memory.begin) : -1;
}

bool TouchesItself(const mjData* d) {
  return std::any_of(d->contact, d->contact + d->ncon, [](const mjContact& c) { return c.flex[0] == c.flex[1]; });
}

// Whether a structure is kept or found anew does not show: a world that moves to new memory before each step has none.
TEST(KeptStructure, DoesNotShowInResults) {
  const ModelPtr m = Rope();
  const DataPtr d(mj_makeData(m.get()));
  DataPtr fresh(mj_makeData(m.get()));
  int self_contacts = 0;
  for (int i = 0; i < 400; ++i) {
    DataPtr next(mj_copyData(nullptr, m.get(), fresh.get()));
    fresh = std::move(next);
    ASSERT_EQ(KeptDofs(fresh.get()), 0);
    mj_step(m.get(), d.get());
    mj_step(m.get(), fresh.get());
    ASSERT_EQ(State(m.get(), d.get()), State(m.get(), fresh.get())) << "step " << i;
    self_contacts += TouchesItself(d.get());
  }
  EXPECT_EQ(KeptDofs(d.get()), m->nv);
  EXPECT_GT(self_contacts, 0);
}

// Models without flexes keep nothing.
TEST(KeptStructure, NeedsMemoryForFlexesOnly) {
  const ModelPtr m =
      ModelFromText("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  const DataPtr d(mj_makeData(m.get()));
  EXPECT_EQ(LastingMemoryOf(d.get()).bytes, 0u);
}

}  // namespace
}  // namespace sinew
