// Worlds: each is what it would be alone, bad arguments change nothing, and what goes wrong in one is named and stays
// there.
#include "batch/front/worlds.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "tests/unit/batch/front/falling_leg.h"

namespace sinew {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Worlds, EachIsWhatItWouldBeAlone) {
  const auto m = Leg();
  constexpr int kSteps = 150;
  for (const int count : {1, 3, 40}) {
    for (const int threads : {1, 2, 5}) {
      for (const bool persistent : {false, true}) {
        for (const StateLayout layout : {StateLayout::kByWorld, StateLayout::kByComponent}) {
          Worlds worlds(*m, count,
                        {.threads = threads, .persistent = persistent, .layout = layout, .stepping = Stepping::kPacks});
          for (int step = 0; step < kSteps; ++step) {
            SetControls(worlds, step);
            EXPECT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 0);
          }
          for (const int world : {0, count / 2, count - 1}) {
            EXPECT_EQ(StateOf(worlds, world), Alone(m.get(), world, kSteps)) << count << " " << threads;
          }
        }
      }
    }
  }
}

TEST(Worlds, StagesBringOutputsUpToDate) {
  const auto m = Leg();
  Worlds worlds(*m, 4, {.stepping = Stepping::kPacks});
  const WorldArray xpos = worlds.Output("xpos"), ncon = worlds.Output("ncon"), sensors = worlds.Output("sensordata");
  SetControls(worlds, 0);
  worlds.Step({}, 20, mjSTAGE_ACC);
  const DataPtr d(mj_makeData(m.get()));
  d->ctrl[0] = ControlOf(2, 0);
  for (int i = 0; i < 20; ++i) mj_step(m.get(), d.get());
  mj_forward(m.get(), d.get());
  EXPECT_EQ(std::memcmp(static_cast<double*>(xpos.data) + 2 * xpos.size, d->xpos, xpos.size * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(static_cast<double*>(sensors.data) + 2 * sensors.size, d->sensordata, 4 * sizeof(double)), 0);
  EXPECT_EQ(static_cast<int*>(ncon.data)[2], d->ncon);
}

// Contact forces of the last step are there when an output needs them.
TEST(Worlds, ForcesOnBodiesAreThoseOfTheLastStep) {
  const auto m = Leg();
  constexpr int kSteps = 100;
  Worlds worlds(*m, 3, {.complete_outputs = true});
  ASSERT_EQ(worlds.obstacle_to_packs(), nullptr);
  const WorldArray forces = worlds.Output("cfrc_ext");
  SetControls(worlds, 0);
  worlds.Step({}, kSteps, mjSTAGE_NONE);
  double largest = 0;
  for (int world = 0; world < 3; ++world) {
    const DataPtr d(mj_makeData(m.get()));
    d->ctrl[0] = ControlOf(world, 0);
    for (int i = 0; i < kSteps; ++i) mj_step(m.get(), d.get());
    mj_rnePostConstraint(m.get(), d.get());
    const double* actual = static_cast<double*>(forces.data) + static_cast<size_t>(world) * forces.size;
    EXPECT_EQ(std::memcmp(actual, d->cfrc_ext, forces.size * sizeof(double)), 0) << "world " << world;
    for (size_t i = 6; i < forces.size; ++i) largest = std::max(largest, std::abs(actual[i]));
  }
  EXPECT_GT(largest, 1);
}

TEST(Worlds, BadControlsStayInTheirWorldAndAreNamed) {
  const auto m = Leg();
  Worlds worlds(*m, 12, {.threads = 2, .stepping = Stepping::kPacks}),
      healthy(*m, 12, {.threads = 1, .stepping = Stepping::kPacks});
  for (int step = 0; step < 50; ++step) {
    SetControls(worlds, step);
    SetControls(healthy, step);
    *worlds.State(6).of(5) = kNan;
    worlds.Step({}, 1, mjSTAGE_NONE);
    healthy.Step({}, 1, mjSTAGE_NONE);
  }
  for (int world = 0; world < 12; ++world) {
    EXPECT_EQ(worlds.statuses()[world], world == 5 ? static_cast<int>(WorldStatus::kBadControl) : 0);
    if (world != 5) {
      EXPECT_EQ(StateOf(worlds, world), StateOf(healthy, world));
    }
  }
  EXPECT_NE(worlds.CauseOf(5).find("control of actuator 'drive' is no number at t = 0 s"), std::string::npos)
      << worlds.CauseOf(5);
  EXPECT_EQ(worlds.CauseOf(4), "");
}

// Of every hundred worlds one has a control that is no number, one begins in the ground, where its contacts fill the
// arena, and one flies at 1e6 m/s. Packs run all others as if these were not there.
TEST(Worlds, BadOnesAmongThousandsChangeNothing) {
  constexpr int kWorlds = 4096, kSteps = 20;
  std::string text = kLeg;
  std::string spheres;
  for (int i = 0; i < 150; ++i) spheres += "<geom type='sphere' size='.05' pos='" + std::to_string(0.1 * i) + " 0 0'/>";
  text.insert(text.find("<geom name=\"box\""), "<site name=\"s\"/>" + spheres);
  const ModelPtr m = ModelFrom(text);
  enum class Kind { kGood, kControl, kArena, kFast };
  const auto kind_of = [](int world) { return world % 100 < 3 ? Kind{world % 100 + 1} : Kind::kGood; };
  for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
    Worlds worlds(*m, kWorlds, {.precision = precision, .stepping = Stepping::kPacks}),
        healthy(*m, kWorlds, {.precision = precision, .stepping = Stepping::kPacks});
    for (Worlds* each : {&worlds, &healthy}) {
      const bool is_healthy = each == &healthy;
      for (int world = 0; world < kWorlds && !is_healthy; ++world) {
        if (kind_of(world) == Kind::kArena) each->State(1).of(world)[2] = -0.02;
        if (kind_of(world) == Kind::kFast) each->State(2).of(world)[0] = 1e6;
      }
      for (int step = 0; step < kSteps; ++step) {
        SetControls(*each, step);
        for (int world = 0; world < kWorlds && !is_healthy; ++world) {
          if (kind_of(world) == Kind::kControl) *each->State(6).of(world) = kNan;
        }
        ASSERT_EQ(each->Step({}, 1, mjSTAGE_NONE), 0);
      }
    }
    EXPECT_EQ(healthy.UseOfPacks().alone, 0);
    EXPECT_LT(worlds.UseOfPacks().alone, 0.03);
    for (int world = 0; world < kWorlds; ++world) {
      const auto status = WorldStatus{worlds.statuses()[world]};
      switch (kind_of(world)) {
        case Kind::kControl:
          ASSERT_EQ(status, WorldStatus::kBadControl);
          ASSERT_NE(worlds.CauseOf(world).find("control of actuator 'drive' is no number"), std::string::npos);
          break;
        case Kind::kArena:
          ASSERT_EQ(status, WorldStatus::kArenaFull) << world;
          ASSERT_NE(worlds.CauseOf(world).find("arena full, needs "), std::string::npos);
          break;
        case Kind::kFast:
          break;
        case Kind::kGood:
          ASSERT_EQ(StateOf(worlds, world), StateOf(healthy, world));
          ASSERT_EQ(worlds.CauseOf(world), "");
          break;
      }
    }
  }
}

// Worlds that run in a pack, one behind the other on a thread, and each with a cause of its own.
TEST(Worlds, DivergenceNamesTheFieldThatCausedIt) {
  const auto m = Leg();
  constexpr int kWorlds = 16;
  Worlds worlds(*m, kWorlds, {.stepping = Stepping::kPacks});
  worlds.Step({}, 5, mjSTAGE_NONE);
  for (const int world : {3, 4, 9}) worlds.State(7).of(world)[world % 4] = kNan;
  worlds.Step({}, 5, mjSTAGE_NONE);
  for (int world = 0; world < kWorlds; ++world) {
    const bool is_bad = world == 3 || world == 4 || world == 9;
    const std::string field = "qfrc_applied[" + std::to_string(world % 4) + "] of joint";
    EXPECT_EQ(worlds.CauseOf(world).find(field) != std::string::npos, is_bad) << world << ": " << worlds.CauseOf(world);
  }
}

TEST(Worlds, DivergenceNamesJointAndTime) {
  const auto m = Leg();
  Worlds worlds(*m, 3, {.stepping = Stepping::kPacks});
  worlds.Step({}, 10, mjSTAGE_NONE);
  *worlds.State(7).of(1) = 1e30;  // qfrc_applied
  worlds.State(2).of(2)[6] = kNan;
  worlds.Step({}, 2, mjSTAGE_NONE);
  EXPECT_EQ(worlds.statuses()[0], 0);
  EXPECT_EQ(worlds.CauseOf(1),
            "diverged in qacc of joint 0 (body 'trunk') at t = 0.02 s: qfrc_applied[0] of joint 0 is 1e+30");
  EXPECT_EQ(worlds.CauseOf(2), "diverged in qvel of joint 'knee' (body 'shin') at t = 0.02 s");
  worlds.Reset({}, nullptr, mjSTAGE_NONE);
  EXPECT_EQ(worlds.statuses()[2], 0);
}

TEST(Worlds, FullArenaSaysHowMuchIsNeeded) {
  std::string text = "<mujoco><size memory=\"20K\"/><worldbody><geom type=\"plane\" size=\"5 5 .1\"/>";
  for (int i = 0; i < 12; ++i) {
    text += "<body pos=\"" + std::to_string(i) + " 0 .099\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\"/></body>";
  }
  const auto m = ModelFrom(text + "</worldbody></mujoco>");
  Worlds worlds(*m, 2, {.stepping = Stepping::kPacks});
  worlds.Step({}, 1, mjSTAGE_NONE);
  ASSERT_EQ(worlds.statuses()[1], static_cast<int>(WorldStatus::kArenaFull));
  const std::string cause = worlds.CauseOf(1);
  ASSERT_EQ(cause.find("arena full, needs "), 0u) << cause;
  const long long needed = std::stoll(cause.substr(std::strlen("arena full, needs ")));
  EXPECT_GT(needed, m->narena);
  m->narena = needed;  // and that is enough
  Worlds larger(*m, 2, {});
  larger.Step({}, 1, mjSTAGE_NONE);
  EXPECT_EQ(larger.statuses()[1], 0) << larger.CauseOf(1);
}

TEST(Worlds, BadArgumentsAreNamedAndChangeNothing) {
  const auto m = Leg();
  EXPECT_NE(MessageOf([&] { Worlds(*m, 0, {}); }).find("0 worlds"), std::string::npos);
  Worlds worlds(*m, 4, {.stepping = Stepping::kPacks});
  const auto before = StateOf(worlds, 0);
  const int unsorted[] = {2, 1}, beyond[] = {0, 4}, key[] = {0, 0, 7, 0};
  EXPECT_NE(MessageOf([&] { worlds.Step(Selection(unsorted), 1, 0); }).find("ids[1]"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Step(Selection(beyond), 1, 0); }).find("ids[1] is 4"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Step({}, -1, 0); }).find("nstep"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Step({}, 1, 9); }).find("stage is 9"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Reset({}, key, 0); }).find("key[2] is 7"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Output("xpso"); }).find("did you mean 'xpos'"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Output("qpos"); }).find("state"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Output("efc_force"); }).find("another size"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Expand("mesh_vert"); }).find("share"), std::string::npos);
  EXPECT_NE(MessageOf([&] { worlds.Expand("hfield_size"); }).find("share"), std::string::npos);
  EXPECT_EQ(MessageOf([&] { Worlds(*m, 4, {}).Expand("hfield_data"); }), "");
  const auto other = ModelFrom("<mujoco/>");
  const mjModel* models[] = {m.get(), other.get(), m.get(), m.get()};
  EXPECT_NE(MessageOf([&] { worlds.SetModels(models); }).find("models[1]: nq is 0 and not 8"), std::string::npos);
  EXPECT_EQ(StateOf(worlds, 0), before);
}

// More than any machine has: counted before anything is allocated, with what would fit.
TEST(Worlds, WorldsWithoutRoomAreRefusedBeforeAnyIsMade) {
  const auto m = Leg();
  const std::string error = MessageOf([&] { Worlds(*m, std::numeric_limits<int>::max(), {}); });
  EXPECT_NE(error.find("2147483647 worlds take"), std::string::npos) << error;
  EXPECT_NE(error.find("ask for fewer"), std::string::npos) << error;
}

// Arrays of data lie where its model says, also where the sizes of the whole are equal.
TEST(Worlds, DataOfAnotherModelIsRefusedAndStaysAsItIs) {
  const auto m = Leg();
  const auto wide =
      ModelFrom("<mujoco><size nuserdata='8'/><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
  const auto narrow =
      ModelFrom("<mujoco><size nuserdata='1'/><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
  for (const bool persistent : {false, true}) {
    Worlds worlds(*m, 2, {.persistent = persistent});
    for (const auto* other : {wide.get(), narrow.get()}) {
      const DataPtr d(mj_makeData(other));
      const std::vector<char> before(static_cast<char*>(d->buffer), static_cast<char*>(d->buffer) + d->nbuffer);
      EXPECT_NE(MessageOf([&] { worlds.GetData(0, d.get()); }).find("another model"), std::string::npos);
      EXPECT_EQ(std::memcmp(before.data(), d->buffer, before.size()), 0);
    }
    const DataPtr own(mj_makeData(m.get()));
    EXPECT_EQ(MessageOf([&] { worlds.GetData(0, own.get()); }), "");
  }
}

TEST(Worlds, ResetsBySelectionAndKeyframe) {
  const auto m = Leg();
  Worlds worlds(*m, 4, {.stepping = Stepping::kPacks});
  worlds.Step({}, 5, mjSTAGE_NONE);
  const int ids[] = {1, 3}, keys[] = {0, -1};
  worlds.Reset(Selection(ids), keys, mjSTAGE_NONE);
  EXPECT_EQ(worlds.State(1).of(1)[2], 2);
  EXPECT_EQ(worlds.State(1).of(3)[2], 0.6);
  EXPECT_EQ(*worlds.State(0).of(1), 0);
  EXPECT_GT(*worlds.State(0).of(2), 0);
}

// Copied states are those that a world alone is reset to, whoever looks at what follows from them.
TEST(Worlds, ResetsAreThoseOfAWorldAlone) {
  const auto m = Leg();
  const int key = mj_name2id(m.get(), mjOBJ_KEY, "high"), nsensor = static_cast<int>(m->nsensordata);
  const int keys[] = {-1, key, key, -1, key};
  for (const int stage : {mjSTAGE_NONE, mjSTAGE_POS, mjSTAGE_ACC}) {
    for (const bool has_output : {false, true}) {
      for (const bool has_own_start : {false, true}) {
        SCOPED_TRACE(std::to_string(stage) + " " + std::to_string(has_output) + " " + std::to_string(has_own_start));
        Worlds worlds(*m, 5, {.threads = 1, .stepping = Stepping::kPacks});
        const double* sensors = nullptr;
        if (has_output) sensors = static_cast<double*>(worlds.Output("sensordata").data);
        if (has_own_start) worlds.Expand("qpos0");
        worlds.Step({}, 30, mjSTAGE_NONE);
        EXPECT_EQ(worlds.Reset({}, keys, stage), 0);
        for (int w = 0; w < 5; ++w) {
          const DataPtr d(mj_makeData(m.get()));
          mj_resetDataKeyframe(m.get(), d.get(), keys[w]);
          std::vector<double> state(static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_INTEGRATION)));
          mj_getState(m.get(), d.get(), state.data(), mjSTATE_INTEGRATION);
          EXPECT_EQ(StateOf(worlds, w), state) << w;
          if (stage == mjSTAGE_ACC) mj_forward(m.get(), d.get());
          if (stage == mjSTAGE_POS) mj_fwdPosition(m.get(), d.get()), mj_sensorPos(m.get(), d.get());
          for (int i = 0; has_output && i < nsensor; ++i) EXPECT_EQ(sensors[w * nsensor + i], d->sensordata[i]) << w;
        }
      }
    }
  }
}

TEST(Worlds, RolloutsAreStepsWithControlsAndStopAtWarnings) {
  const auto m = Leg();
  constexpr int kSteps = 25;
  Worlds worlds(*m, 3, {.threads = 2, .stepping = Stepping::kPacks}), stepped(*m, 3, {});
  std::vector<double> control, qpos(static_cast<size_t>(3 * kSteps * m->nq));
  std::vector<int> contacts(3 * kSteps);
  for (int i = 0; i < 3; ++i) {
    for (int step = 0; step < kSteps; ++step) control.push_back(i == 1 && step == 10 ? kNan : ControlOf(i, step));
  }
  const RolloutRecord records[] = {{nullptr, mjSTATE_QPOS, qpos.data()}, {"ncon", 0, contacts.data()}};
  EXPECT_EQ(worlds.Rollout({}, kSteps, {.numbers = control.data(), .signature = mjSTATE_CTRL}, records), 0);
  for (int step = 0; step < kSteps; ++step) {
    SetControls(stepped, step);
    stepped.Step({}, 1, mjSTAGE_NONE);
  }
  EXPECT_EQ(StateOf(worlds, 2), StateOf(stepped, 2));
  const size_t last = static_cast<size_t>((1 * kSteps + kSteps - 1) * m->nq);
  const size_t stopped = static_cast<size_t>((1 * kSteps + 10) * m->nq);
  EXPECT_EQ(std::memcmp(&qpos[last], &qpos[stopped], static_cast<size_t>(m->nq) * sizeof(double)), 0);
  EXPECT_EQ(qpos[static_cast<size_t>((2 * kSteps + kSteps - 1) * m->nq + 2)], stepped.State(1).of(2)[2]);
  EXPECT_NEAR(*worlds.State(0).of(1), 11 * m->opt.timestep, 1e-12);
}

// Rollouts run in packs: states, arrays, sensors and counts of every step are those of mj_step.
TEST(Worlds, RolloutsOfManyWorldsRecordWhatStepsAloneLeave) {
  const auto m = Leg();
  constexpr int kSteps = 150, kCount = 11, kChosen[] = {1, 4, 5, 6, 8, 10};  // the leg falls on the floor
  constexpr int kPlaces = static_cast<int>(std::size(kChosen));
  Worlds worlds(*m, kCount, {.threads = 2, .stepping = Stepping::kPacks});
  ASSERT_EQ(worlds.obstacle_to_packs(), nullptr);
  std::vector<double> control;
  for (const int world : kChosen) {
    for (int step = 0; step < kSteps; ++step) control.push_back(ControlOf(world, step));
  }
  const auto rows = static_cast<size_t>(kPlaces * kSteps);
  const auto size = static_cast<size_t>(mj_stateSize(m.get(), mjSTATE_PHYSICS | mjSTATE_CTRL));
  std::vector<double> state(rows * size), xpos(rows * static_cast<size_t>(3 * m->nbody));
  std::vector<double> sensors(rows * static_cast<size_t>(m->nsensordata));
  std::vector<int> contacts(rows), constraints(rows);
  const RolloutRecord records[] = {{nullptr, mjSTATE_PHYSICS | mjSTATE_CTRL, state.data()},
                                   {"xpos", 0, xpos.data()},
                                   {"sensordata", 0, sensors.data()},
                                   {"ncon", 0, contacts.data()},
                                   {"nefc", 0, constraints.data()}};
  EXPECT_EQ(worlds.Rollout(Selection(kChosen), kSteps, {.numbers = control.data(), .signature = mjSTATE_CTRL}, records),
            0);
  EXPECT_GT(worlds.UseOfPacks().lanes, 0);
  int touches = 0;
  for (int place = 0; place < kPlaces; ++place) {
    const DataPtr d(mj_makeData(m.get()));
    for (int step = 0; step < kSteps; ++step) {
      SCOPED_TRACE("world " + std::to_string(kChosen[place]) + ", step " + std::to_string(step));
      d->ctrl[0] = ControlOf(kChosen[place], step);
      mj_step(m.get(), d.get());
      const auto row = static_cast<size_t>(place * kSteps + step);
      std::vector<double> expected(size);
      mj_getState(m.get(), d.get(), expected.data(), mjSTATE_PHYSICS | mjSTATE_CTRL);
      const auto same = [row](const double* records_of, const double* alone, size_t count) {
        return std::memcmp(records_of + row * count, alone, count * sizeof(double)) == 0;
      };
      ASSERT_TRUE(same(state.data(), expected.data(), size));
      ASSERT_TRUE(same(xpos.data(), d->xpos, static_cast<size_t>(3 * m->nbody)));
      ASSERT_TRUE(same(sensors.data(), d->sensordata, static_cast<size_t>(m->nsensordata)));
      ASSERT_EQ(contacts[row], d->ncon);
      ASSERT_EQ(constraints[row], d->nefc);
      touches += d->ncon;
    }
  }
  EXPECT_GT(touches, 100);
  EXPECT_EQ(StateOf(worlds, 4), Alone(m.get(), 4, kSteps));
  EXPECT_EQ(*worlds.State(0).of(2), 0);  // others stay
}

TEST(Worlds, AStepBesideTheCallerIsTheSameStep) {
  const auto m = Leg();
  Worlds worlds(*m, 8, {.threads = 2}), plain(*m, 8, {.threads = 2});
  worlds.StepAsync({}, 10, mjSTAGE_NONE);
  EXPECT_NE(MessageOf([&] { worlds.Step({}, 1, 0); }).find("under way"), std::string::npos);
  EXPECT_EQ(worlds.Wait(), 0);
  EXPECT_NE(MessageOf([&] { worlds.Wait(); }).find("no step"), std::string::npos);
  plain.Step({}, 10, mjSTAGE_NONE);
  EXPECT_EQ(StateOf(worlds, 7), StateOf(plain, 7));
  worlds.StepAsync(Selection(std::span<const int>()), 10, mjSTAGE_NONE);  // no world is selected
  worlds.Wait();
  EXPECT_EQ(StateOf(worlds, 0), StateOf(plain, 0));
}

TEST(Worlds, ErrorsOfOneWorldLeaveItAndTheOthersAlone) {
  const auto m = Leg();
  Worlds worlds(*m, 3, {.threads = 2});
  const auto work = [](const mjModel* model, mjData* d, int world, int) {
    d->qpos[0] = 5;
    if (world == 1) mj_stackAllocByte(d, size_t{1} << 40, 8);
    mj_step(model, d);
  };
  EXPECT_EQ(worlds.Apply({}, work, true), 1);
  EXPECT_EQ(worlds.State(1).of(1)[0], 0);
  EXPECT_NE(std::string(worlds.ErrorOf(1)), "");
  EXPECT_EQ(worlds.State(1).of(2)[0], 5);
  EXPECT_EQ(worlds.Step({}, 1, mjSTAGE_NONE), 0);
  EXPECT_STREQ(worlds.ErrorOf(1), "");
}

}  // namespace
}  // namespace sinew
