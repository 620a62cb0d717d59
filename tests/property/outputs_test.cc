// Every output of a batch in packs is what the same world has alone, or the output is refused: all fields of mjData,
// after steps and after a forward pass, on models that have between them all that fields are about.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "batch/front/worlds.h"
#include "core/error.h"
#include "model/view/fields.h"
#include "tests/testing/models_folder.h"

namespace sinew {
namespace {

constexpr int kWorlds = 9, kSteps = 15;

void StartOf(int world, double* qvel, mjtSize nv) {
  for (mjtSize i = 0; i < nv; ++i) qvel[i] = 0.3 * std::sin(1.3 * world + static_cast<double>(i));
}

// A world that stands alone. `complete`: what stages compute for sensors only, too.
DataPtr Alone(const mjModel& m, int world, int stage, bool complete) {
  DataPtr d(mj_makeData(&m));
  StartOf(world, d->qvel, m.nv);
  for (int step = 0; step < kSteps - 1; ++step) mj_step(&m, d.get());
  const std::vector<double> qvel(d->qvel, d->qvel + m.nv);
  mj_step(&m, d.get());
  if (stage == mjSTAGE_ACC) mj_forward(&m, d.get());
  if (complete) {
    if (stage == mjSTAGE_NONE) std::copy(qvel.begin(), qvel.end(), d->qvel);  // of the same state as all else
    mj_subtreeVel(&m, d.get());
    mj_rnePostConstraint(&m, d.get());
  }
  return d;
}

// Names of outputs whose bytes differ in some world.
std::string Differing(const mjModel& m, int stage, bool complete) {
  std::string differing;
  std::vector<std::string> names = {"ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof"};
  for (const DataArray& array : kDataFields) names.emplace_back(array.name);
  std::vector<DataPtr> alone;
  for (int w = 0; w < kWorlds; ++w) alone.push_back(Alone(m, w, stage, complete));
  for (const std::string& name : names) {
    Worlds worlds(m, kWorlds, {.threads = 1, .complete_outputs = complete, .stepping = Stepping::kPacks});
    WorldArray output;
    try {
      output = worlds.Output(name);
    } catch (const Error&) {
      continue;  // refused: a part of the state, or pointers
    }
    const DataField field = FindDataField(m, name);
    for (int w = 0; w < kWorlds; ++w) StartOf(w, worlds.State(FindStateComponent("qvel")).of(w), m.nv);
    worlds.Step({}, kSteps, stage);
    for (int w = 0; w < kWorlds; ++w) {
      const char* row = static_cast<const char*>(output.data) + static_cast<size_t>(w) * field.Bytes();
      const size_t bytes = field.Bytes();
      if (bytes == 0 || std::memcmp(row, field.In(*alone[static_cast<size_t>(w)]), bytes) == 0) continue;
      differing += name + " ";
      break;
    }
  }
  return differing;
}

class Outputs : public ::testing::TestWithParam<const char*> {};

TEST_P(Outputs, AreThoseOfAWorldAlone) {
  const std::string path = ModelsFile(GetParam());
  char error[1000] = "";
  const ModelPtr m(mj_loadXML(path.c_str(), nullptr, error, sizeof(error)));
  ASSERT_TRUE(m) << error;
  for (const bool complete : {false, true}) {
    SCOPED_TRACE(complete);
    EXPECT_EQ(Differing(*m, mjSTAGE_NONE, complete), "");
    EXPECT_EQ(Differing(*m, mjSTAGE_ACC, complete), "");
  }
}

// Contacts that are kept, with their forces, have the bits of a world alone.
TEST_P(Outputs, ContactsAreThoseOfAWorldAlone) {
  const std::string path = ModelsFile(GetParam());
  char error[1000] = "";
  const ModelPtr m(mj_loadXML(path.c_str(), nullptr, error, sizeof(error)));
  ASSERT_TRUE(m) << error;
  for (const mjtStage stage : {mjSTAGE_NONE, mjSTAGE_ACC}) {
    Worlds worlds(*m, kWorlds, {.threads = 1, .complete_outputs = true, .stepping = Stepping::kPacks});
    worlds.KeepContacts(true);
    for (int w = 0; w < kWorlds; ++w) StartOf(w, worlds.State(FindStateComponent("qvel")).of(w), m->nv);
    worlds.Step({}, kSteps, stage);
    const auto compare = [&](int world, std::span<const KeptContact> contacts) {
      const DataPtr d = Alone(*m, world, stage, /*complete=*/false);
      ASSERT_EQ(contacts.size(), static_cast<size_t>(d->ncon)) << "world " << world;
      for (int i = 0; i < d->ncon; ++i) {
        const KeptContact& kept = contacts[static_cast<size_t>(i)];
        double force[6];
        mj_contactForce(m.get(), d.get(), i, force);
        const bool same = std::equal(force, force + 6, kept.force) && kept.dist == d->contact[i].dist &&
                          std::equal(kept.geom, kept.geom + 2, d->contact[i].geom) &&
                          std::equal(kept.frame, kept.frame + 9, d->contact[i].frame);
        EXPECT_TRUE(same) << "contact " << i << " of world " << world << ", stage " << stage;
      }
    };
    worlds.ForEachContacts({}, compare);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Outputs,
                         ::testing::Values("humanoid.xml", "sensors.xml", "robots/quadruped.xml",
                                           "robots/cylinder_quadruped.xml", "robots/hull_humanoid.xml",
                                           "robots/terrain_quadruped.xml", "hands/cube_hand.xml",
                                           "hands/clutter_arm.xml", "muscle/wrapping.xml", "compliant/hop.xml"));

}  // namespace
}  // namespace sinew
