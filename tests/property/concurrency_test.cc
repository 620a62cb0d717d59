// A program's own threads: each may do anything with models and worlds of its own, and step worlds of a model that all
// of them share, as a rollout does. Nobody notices the others. What this holds, a run under the thread sanitizer shows.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr int kThreads = 4;

// What every thread does must come to the same numbers.
template <class Work>
void ExpectSameInThreads(const Work& work) {
  std::vector<std::vector<double>> results(kThreads);
  std::vector<std::thread> threads;
  for (std::vector<double>& result : results) threads.emplace_back([&] { result = work(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& result : results) {
    EXPECT_FALSE(result.empty());
    EXPECT_EQ(result, results[0]);
  }
}

std::vector<double> Positions(const mjModel* m, const mjData* d) { return {d->qpos, d->qpos + m->nq}; }

// Meshes go through the cache that all share, and are compiled by threads of the compiler.
constexpr char kMeshes[] = R"(
  <mujoco><asset>
      <mesh name="ball" builtin="sphere" params="2"/><mesh name="cone" builtin="cone" params="8 .5"/>
      <texture name="t" type="2d" builtin="checker" width="32" height="32"/><material name="m" texture="t"/>
    </asset>
    <worldbody><geom type="plane" size="5 5 .1" material="m"/>
      <replicate count="3" offset=".5 0 0">
        <body pos="0 0 .3"><freejoint/><geom type="mesh" mesh="ball" mass="1"/><geom type="mesh" mesh="cone" mass="1"/></body></replicate>
      <body name="arm" pos="0 2 1"><joint name="j" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
        <site name="tip" pos=".3 0 0"/></body>
    </worldbody>
    <actuator><position joint="j" kp="3"/></actuator>
    <sensor><rangefinder site="tip"/><accelerometer site="tip"/></sensor>
  </mujoco>)";

TEST(Concurrency, ModelsAreCompiledSavedAndLoaded) {
  ExpectSameInThreads([] {
    std::vector<double> all;
    for (int round = 0; round < 3; ++round) {
      const ModelPtr compiled = ModelFromText(kMeshes);
      std::vector<char> file(static_cast<size_t>(mj_sizeModel(compiled.get())));
      mj_saveModel(compiled.get(), nullptr, file.data(), static_cast<int>(file.size()));
      const ModelPtr loaded(mj_loadModelBuffer(file.data(), static_cast<int>(file.size())));
      all.insert(all.end(), loaded->body_inertia, loaded->body_inertia + 3 * loaded->nbody);
    }
    return all;
  });
}

TEST(Concurrency, ErrorsStayInTheirThread) {
  std::atomic<int> number{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const std::string name = "element" + std::to_string(number++);
      for (int round = 0; round < 20; ++round) {
        char message[500] = "";
        const std::string text = "<mujoco><worldbody><" + name + "/></worldbody></mujoco>";
        mjSpec* spec = mj_parseXMLString(text.c_str(), nullptr, message, sizeof(message));
        EXPECT_EQ(spec, nullptr);
        EXPECT_NE(std::string(message).find(name), std::string::npos) << message;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Concurrency, WorldsOfOneModel) {
  const ModelPtr humanoid = ModelFromFile("humanoid.xml"), meshes = ModelFromText(kMeshes);
  for (const mjModel* m : {humanoid.get(), meshes.get()}) {
    ExpectSameInThreads([m] {
      const DataPtr d(mj_makeData(m)), copy(mj_makeData(m));
      for (int i = 0; i < 100; ++i) mj_step(m, d.get());
      mj_copyData(copy.get(), m, d.get());
      mj_inverse(m, copy.get());

      const size_t state = static_cast<size_t>(2 * m->nv + m->na);
      std::vector<double> A(state * state);
      mjd_transitionFD(m, d.get(), 1e-6, 1, A.data(), nullptr, nullptr, nullptr);

      std::vector<double> all = Positions(m, d.get());
      all.insert(all.end(), A.begin(), A.end());
      all.insert(all.end(), copy->qfrc_inverse, copy->qfrc_inverse + m->nv);
      return all;
    });
  }
}

// Each world counts its own warnings; the handler hears of all.
TEST(Concurrency, Warnings) {
  static std::atomic<int> heard{0};
  heard = 0;
  mju_user_warning = [](const char*) { ++heard; };
  const ModelPtr m = ModelFromFile("humanoid.xml");
  ExpectSameInThreads([&] {
    const DataPtr d(mj_makeData(m.get()));
    for (int i = 0; i < 5; ++i) {
      d->qvel[0] = std::numeric_limits<double>::quiet_NaN();
      mj_step(m.get(), d.get());
    }
    return std::vector<double>{static_cast<double>(d->warning[mjWARN_BADQVEL].number)};
  });
  mju_user_warning = nullptr;
  EXPECT_GE(heard, kThreads);
}

}  // namespace
}  // namespace sinew
