// Every call of the batches that selects worlds, with masks of none, some and all: worlds that are not selected keep
// each of their numbers, the others get what a call on all worlds gives them, and results fill the rows of the selected
// worlds and no more.
#include <gtest/gtest.h>
#include <mujoco/mjbatch.h>
#include <sinew/gradients.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "model/storage/model.h"
#include "tests/testing/models_folder.h"

namespace sinew {
namespace {

constexpr int kWorlds = 11, kSteps = 3, kWidth = 12, kHeight = 8;

// Contacts, friction, a limit, a motor, a sensor and a keyframe: small enough for packs and for derivatives.
constexpr char kScene[] = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1"/>
      <body pos=".2 0 0"><joint name="a" axis="0 1 0" range="-60 60"/><geom type="capsule" size=".03 .1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="a"/></actuator>
  <sensor><jointpos joint="a"/></sensor>
  <keyframe><key qpos="0 0 1 1 0 0 0 .3"/></keyframe>
</mujoco>)";

// Worlds in all three ways in which calls select them.
struct Chosen {
  std::vector<int> worlds;
  std::vector<unsigned char> mask;
  bool all;  // by null

  explicit Chosen(const std::vector<int>& of) : worlds(of), mask(kWorlds), all(false) {
    for (const int world : of) mask[static_cast<size_t>(world)] = 1;
  }
  static Chosen All() {
    std::vector<int> worlds;
    for (int world = 0; world < kWorlds; ++world) worlds.push_back(world);
    Chosen chosen(worlds);
    chosen.all = true;
    return chosen;
  }
  const unsigned char* bytes() const { return all ? nullptr : mask.data(); }
  // An empty list has an address, since null stands for all worlds.
  const int* ids() const {
    static constexpr int kNone = 0;
    return all ? nullptr : worlds.empty() ? &kNone : worlds.data();
  }
  int count() const { return static_cast<int>(worlds.size()); }
};

// An array that a call writes, with room for all worlds, in which a byte tells what was not written.
class Rows {
 public:
  Rows(size_t row, unsigned char unwritten) : row_(row), unwritten_(unwritten), bytes_(row * kWorlds, unwritten) {}

  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes_.data());
  }
  std::string Row(int place) const {
    return {reinterpret_cast<const char*>(bytes_.data()) + row_ * static_cast<size_t>(place), row_};
  }
  std::string Unwritten() const { return std::string(row_, static_cast<char>(unwritten_)); }

 private:
  size_t row_;
  unsigned char unwritten_;
  std::vector<unsigned char> bytes_;
};

using Results = std::vector<Rows>;

// What a world has in an array over all worlds.
struct PerWorld {
  const char* data;
  ptrdiff_t stride;
  size_t bytes;

  std::string Of(int world) const { return {data + stride * world, bytes}; }
};

struct Variant {
  const char* name;
  bool persistent, parameters;
};

double ControlOf(int world, int step) { return 0.3 * world - 0.7 * step; }

// Controls of the selected worlds, one behind the other.
std::vector<double> ControlsOf(const Chosen& chosen) {
  std::vector<double> controls;
  controls.reserve(kWorlds * kSteps);  // never without an address, since null is another way to give controls
  for (const int world : chosen.worlds) {
    for (int step = 0; step < kSteps; ++step) controls.push_back(ControlOf(world, step));
  }
  return controls;
}

ModelPtr Scene() {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "scene.xml", kScene, sizeof(kScene) - 1);
  char error[500] = "";
  ModelPtr m(mj_loadXML("scene.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  EXPECT_NE(m.get(), nullptr) << error;
  return m;
}

// A start that differs from world to world.
void SetStart(int world, double* qvel, int nv, double* ctrl) {
  for (int i = 0; i < nv; ++i) qvel[i] = 0.2 * std::sin(i + 3 * world);
  *ctrl = ControlOf(world, 0);
}

// A batch of <sinew/batch.h>.
class Extended {
 public:
  using Call = std::function<int(Extended&, const Chosen&, Results&)>;

  Extended(const mjModel* m, const Variant& variant) : m_(m), batch_(nullptr, sinew_batch_delete) {
    const sinewBatchConfig config = {2, variant.persistent, sinewDOUBLE, 0, sinewALWAYS};
    batch_.reset(sinew_batch_make(m, kWorlds, &config, error, sizeof(error)));
    EXPECT_NE(batch_.get(), nullptr) << error;
    const auto add = [&](auto find, const char* name) {
      sinewBatchArray array;
      EXPECT_EQ(find(b(), name, &array, error, static_cast<int>(sizeof(error))), 0) << error;
      arrays_.push_back({static_cast<char*>(array.data), static_cast<ptrdiff_t>(array.stride),
                         static_cast<size_t>(array.size * array.elemsize)});
      return array;
    };
    for (const char* name : {"time", "qpos", "act", "qacc_warmstart", "qfrc_applied"}) add(sinew_batch_state, name);
    const sinewBatchArray qvel = add(sinew_batch_state, "qvel"), ctrl = add(sinew_batch_state, "ctrl");
    for (const char* name : {"xpos", "ncon", "sensordata", "qfrc_constraint"}) add(sinew_batch_output, name);
    if (variant.parameters) {
      const sinewBatchArray mass = add(sinew_batch_parameter, "body_mass");
      add(sinew_batch_parameter, "body_subtreemass");
      for (int i = 0; i < kWorlds; ++i) static_cast<double*>(mass.data)[i * mass.size + 1] *= 1 + 0.1 * i;
      const double low = 0.5, high = 2;
      EXPECT_EQ(sinew_batch_randomize(b(), "body_mass", &low, &high, 1, sinewUNIFORM, sinewSCALE, error, sizeof(error)),
                0);
      EXPECT_EQ(sinew_batch_randomize(b(), "qpos", &low, &high, 1, sinewUNIFORM, sinewADD, error, sizeof(error)), 0);
    }
    arrays_.push_back({reinterpret_cast<const char*>(sinew_batch_status(b())), sizeof(int), sizeof(int)});
    for (int i = 0; i < kWorlds; ++i) {
      SetStart(i, static_cast<double*>(qvel.data) + i * qvel.size, qvel.size, static_cast<double*>(ctrl.data) + i);
    }
  }

  sinewBatch* b() { return batch_.get(); }
  const mjModel& m() const { return *m_; }
  const std::vector<PerWorld>& arrays() const { return arrays_; }
  char error[1000] = "";

 private:
  const mjModel* m_;
  std::unique_ptr<sinewBatch, decltype(&sinew_batch_delete)> batch_;
  std::vector<PerWorld> arrays_;
};

// A batch of <mujoco/mjbatch.h>.
class Established {
 public:
  using Call = std::function<int(Established&, const Chosen&, Results&)>;

  Established(const mjModel* m, const Variant& variant) : m_(m), batch_(nullptr, mjb_deleteBatch) {
    const mjBatchConfig config = {2, variant.persistent};
    batch_.reset(mjb_makeBatch(m, kWorlds, &config, error, sizeof(error)));
    EXPECT_NE(batch_.get(), nullptr) << error;
    const auto row = static_cast<size_t>(mjb_nstate(b())) * sizeof(mjtNum);
    arrays_.push_back({reinterpret_cast<char*>(mjb_state(b())), static_cast<ptrdiff_t>(row), row});
    const auto add = [&](auto find, const char* name) {
      int size = 0, bytes = 0;
      void* data = find(b(), name, &size, &bytes);
      EXPECT_NE(data, nullptr) << name;
      const auto of_world = static_cast<size_t>(size * bytes);
      arrays_.push_back({static_cast<char*>(data), static_cast<ptrdiff_t>(of_world), of_world});
      return static_cast<double*>(data);
    };
    for (const char* name : {"xpos", "ncon", "sensordata", "qfrc_constraint"}) add(mjb_output, name);
    if (variant.parameters) {
      double* mass = add(mjb_expand, "body_mass");
      add(mjb_expand, "body_subtreemass");
      for (int i = 0; i < kWorlds; ++i) mass[i * m->nbody + 1] *= 1 + 0.1 * i;
    }
    arrays_.push_back({reinterpret_cast<const char*>(mjb_status(b())), sizeof(int), sizeof(int)});
    mjtNum* qvel = mjb_stateComponent(b(), mjSTATE_QVEL, nullptr);
    mjtNum* ctrl = mjb_stateComponent(b(), mjSTATE_CTRL, nullptr);
    for (int i = 0; i < kWorlds; ++i) {
      const int offset = i * mjb_nstate(b());
      SetStart(i, qvel + offset, static_cast<int>(m->nv), ctrl + offset);
    }
  }

  mjBatch* b() { return batch_.get(); }
  const mjModel& m() const { return *m_; }
  const std::vector<PerWorld>& arrays() const { return arrays_; }
  char error[1000] = "";

 private:
  const mjModel* m_;
  std::unique_ptr<mjBatch, decltype(&mjb_deleteBatch)> batch_;
  std::vector<PerWorld> arrays_;
};

// Adds an array with so many numbers for each world.
double* Doubles(Results& results, mjtSize numbers, unsigned char unwritten = 0x5a) {
  results.emplace_back(static_cast<size_t>(numbers) * sizeof(double), unwritten);
  return results.back().as<double>();
}

// A and B, and C and D behind them where `sensors` says so.
std::vector<double*> Matrices(const mjModel& m, Results& results, bool sensors) {
  const mjtSize nx = 2 * m.nv + m.na, ns = sensors ? m.nsensordata : 0;
  std::vector<double*> matrices;
  for (const mjtSize size : {nx * nx, nx * m.nu, ns * nx, ns * m.nu}) {
    matrices.push_back(size > 0 ? Doubles(results, size) : nullptr);
  }
  return matrices;
}

int GradientOfRollout(Extended& x, const Chosen& chosen, Results& results, bool smooth) {
  const mjtSize n = x.m().nq + x.m().nv + x.m().na;
  const std::vector<double> controls = ControlsOf(chosen), slopes(static_cast<size_t>(kWorlds * kSteps * n), 1.0);
  double *start = Doubles(results, n), *ctrl = Doubles(results, kSteps * x.m().nu);
  sinewParameterGradients by = {};
  by.body_mass = Doubles(results, x.m().nbody, 0);  // these are added to
  by.dof_damping = Doubles(results, x.m().nv, 0);
  const double* given = controls.data();
  return smooth ? sinew_batch_smoothRolloutGradient(x.b(), chosen.bytes(), 0.01, kSteps, given, slopes.data(), start,
                                                    ctrl, &by, x.error, sizeof(x.error))
                : sinew_batch_rolloutGradient(x.b(), chosen.bytes(), kSteps, given, slopes.data(), start, ctrl, &by,
                                              x.error, sizeof(x.error));
}

int Render(Extended& x, const Chosen& chosen, Results& results) {
  constexpr size_t kPixels = kWidth * kHeight;
  const std::unique_ptr<sinewRenderer, decltype(&sinew_freeRenderer)> renderer(
      sinew_makeRenderer(&x.m(), kWidth, kHeight, 0, x.error, sizeof(x.error)), sinew_freeRenderer);
  EXPECT_NE(renderer.get(), nullptr) << x.error;
  mjvOption option;
  mjv_defaultOption(&option);
  mjvCamera camera;
  mjv_defaultFreeCamera(&x.m(), &camera);
  results.emplace_back(3 * kPixels, 0x5a);
  results.emplace_back(kPixels * sizeof(float), 0x5a);
  results.emplace_back(2 * kPixels * sizeof(int), 0x5a);
  return sinew_batch_render(x.b(), renderer.get(), chosen.bytes(), &option, &camera, results[0].as<unsigned char>(),
                            results[1].as<float>(), results[2].as<int>(), x.error, sizeof(x.error));
}

using ExtendedMap = std::map<std::string, Extended::Call>;

ExtendedMap CallsOfDerivatives() {
  return {{"sinew_batch_transitionFD",
           [](Extended& x, const Chosen& chosen, Results& results) {
             const std::vector<double*> to = Matrices(x.m(), results, /*sensors=*/true);
             return sinew_batch_transitionFD(x.b(), chosen.bytes(), 1e-6, 1, to[0], to[1], to[2], to[3], x.error,
                                             sizeof(x.error));
           }},
          {"sinew_batch_transition",
           [](Extended& x, const Chosen& chosen, Results& results) {
             const std::vector<double*> to = Matrices(x.m(), results, /*sensors=*/false);
             return sinew_batch_transition(x.b(), chosen.bytes(), to[0], to[1], to[2], to[3], x.error, sizeof(x.error));
           }},
          {"sinew_batch_smoothTransition",
           [](Extended& x, const Chosen& chosen, Results& results) {
             const std::vector<double*> to = Matrices(x.m(), results, /*sensors=*/false);
             return sinew_batch_smoothTransition(x.b(), chosen.bytes(), 0.01, to[0], to[1], x.error, sizeof(x.error));
           }},
          {"sinew_batch_rolloutGradient",
           [](Extended& x, const Chosen& chosen, Results& results) {
             return GradientOfRollout(x, chosen, results, /*smooth=*/false);
           }},
          {"sinew_batch_smoothRolloutGradient", [](Extended& x, const Chosen& chosen, Results& results) {
             return GradientOfRollout(x, chosen, results, /*smooth=*/true);
           }}};
}

ExtendedMap OtherCalls() {
  return {
      {"sinew_batch_setConst",
       [](Extended& x, const Chosen& chosen, Results&) {
         return sinew_batch_setConst(x.b(), chosen.bytes(), x.error, sizeof(x.error));
       }},
      {"sinew_batch_step",
       [](Extended& x, const Chosen& chosen, Results&) {
         return sinew_batch_step(x.b(), chosen.bytes(), kSteps, mjSTAGE_ACC, x.error, sizeof(x.error));
       }},
      {"sinew_batch_stepAsync",
       [](Extended& x, const Chosen& chosen, Results&) {
         const int begun = sinew_batch_stepAsync(x.b(), chosen.bytes(), kSteps, mjSTAGE_NONE, x.error, sizeof(x.error));
         return begun < 0 ? begun : sinew_batch_wait(x.b(), x.error, sizeof(x.error));
       }},
      {"sinew_batch_forward",
       [](Extended& x, const Chosen& chosen, Results&) {
         return sinew_batch_forward(x.b(), chosen.bytes(), mjSTAGE_ACC, x.error, sizeof(x.error));
       }},
      {"sinew_batch_reset",
       [](Extended& x, const Chosen& chosen, Results&) {
         int keys[kWorlds];
         for (int i = 0; i < kWorlds; ++i) keys[i] = i % 2 - 1;
         return sinew_batch_reset(x.b(), chosen.bytes(), keys, mjSTAGE_ACC, x.error, sizeof(x.error));
       }},
      {"sinew_batch_rollout",
       [](Extended& x, const Chosen& chosen, Results& results) {
         const std::vector<double> controls = ControlsOf(chosen);
         const sinewBatchRecord records[] = {{nullptr, mjSTATE_QPOS, Doubles(results, kSteps * x.m().nq)},
                                             {"xpos", 0, Doubles(results, kSteps * 3 * x.m().nbody)}};
         return sinew_batch_rollout(x.b(), chosen.bytes(), kSteps, controls.data(), records, 2, x.error,
                                    sizeof(x.error));
       }},
      {"sinew_batch_rolloutInputs",
       [](Extended& x, const Chosen& chosen, Results& results) {
         const std::vector<double> controls = ControlsOf(chosen);
         const sinewBatchInputs inputs = {controls.data(), mjSTATE_CTRL, 0, nullptr};
         const sinewBatchRecord record = {nullptr, mjSTATE_QPOS, Doubles(results, kSteps * x.m().nq)};
         return sinew_batch_rolloutInputs(x.b(), chosen.bytes(), kSteps, &inputs, &record, 1, x.error, sizeof(x.error));
       }},
      {"sinew_batch_contacts",
       [](Extended& x, const Chosen& chosen, Results& results) {
         constexpr int kRows = 4;
         for (const size_t bytes : {sizeof(int), kRows * 2 * sizeof(int), kRows * 6 * sizeof(double)}) {
           results.emplace_back(bytes, 0x5a);
         }
         sinewBatchContacts to = {};
         to.count = results[0].as<int>();
         to.geom = results[1].as<int>();
         to.force = results[2].as<double>();
         int result = sinew_batch_keepContacts(x.b(), 1, x.error, sizeof(x.error));
         if (result == 0) result = sinew_batch_forward(x.b(), chosen.bytes(), mjSTAGE_ACC, x.error, sizeof(x.error));
         if (result != 0) return result;
         return std::min(0, sinew_batch_contacts(x.b(), chosen.bytes(), kRows, &to, x.error, sizeof(x.error)));
       }},
      {"sinew_batch_rays",
       [](Extended& x, const Chosen& chosen, Results& results) {
         double points[3 * kWorlds] = {}, directions[3 * kWorlds] = {};
         for (int i = 0; i < chosen.count(); ++i) {
           points[3 * i] = 0.02 * chosen.worlds[static_cast<size_t>(i)];
           points[3 * i + 2] = 2;
           directions[3 * i + 2] = -1;
         }
         sinewBatchRays rays = {};
         rays.nray = 1;
         rays.point = points;
         rays.direction = directions;
         rays.bodyexclude = -1;
         rays.dist = Doubles(results, 1);
         return sinew_batch_rays(x.b(), chosen.bytes(), &rays, x.error, sizeof(x.error));
       }},
      {"sinew_batch_jacobian",
       [](Extended& x, const Chosen& chosen, Results& results) {
         double *jacp = Doubles(results, 3 * x.m().nv), *jacr = Doubles(results, 3 * x.m().nv);
         return sinew_batch_jacobian(x.b(), chosen.bytes(), mjOBJ_BODY, 2, jacp, jacr, x.error, sizeof(x.error));
       }},
      {"sinew_batch_render", Render},
  };
}

const ExtendedMap& ExtendedCalls() {
  static const ExtendedMap calls = [] {
    ExtendedMap all = OtherCalls();
    all.merge(CallsOfDerivatives());
    return all;
  }();
  return calls;
}

// Leaves a mark in the world and in the caller's array.
void Mark(const mjModel* m, mjData* d, int sim, void* arg) {
  d->qpos[0] = 100 + sim;
  static_cast<double*>(arg)[sim] = static_cast<double>(m->nq) * d->qvel[0];
}

const std::map<std::string, Established::Call>& EstablishedCalls() {
  static const std::map<std::string, Established::Call> calls = {
      {"mjb_step", [](Established& x, const Chosen& chosen,
                      Results&) { return mjb_step(x.b(), chosen.ids(), chosen.count(), kSteps, mjSTAGE_ACC); }},
      {"mjb_forward", [](Established& x, const Chosen& chosen,
                         Results&) { return mjb_forward(x.b(), chosen.ids(), chosen.count(), mjSTAGE_ACC); }},
      {"mjb_reset",
       [](Established& x, const Chosen& chosen, Results&) {
         int keys[kWorlds] = {};
         for (int i = 0; i < chosen.count(); ++i) keys[i] = chosen.worlds[static_cast<size_t>(i)] % 2 - 1;
         return mjb_reset(x.b(), chosen.ids(), chosen.count(), keys, mjSTAGE_ACC);
       }},
      {"mjb_setConst", [](Established& x, const Chosen& chosen,
                          Results&) { return mjb_setConst(x.b(), chosen.ids(), chosen.count()); }},
      {"mjb_rollout",
       [](Established& x, const Chosen& chosen, Results& results) {
         const std::vector<double> controls = ControlsOf(chosen);
         const mjBatchRecord records[] = {{nullptr, mjSTATE_QPOS, Doubles(results, kSteps * x.m().nq)},
                                          {"xpos", 0, Doubles(results, kSteps * 3 * x.m().nbody)}};
         return mjb_rollout(x.b(), chosen.ids(), chosen.count(), kSteps, controls.data(), mjSTATE_CTRL, records, 2);
       }},
      {"mjb_apply",
       [](Established& x, const Chosen& chosen, Results& results) {
         double marks[kWorlds] = {};
         double* by_place = Doubles(results, 1);
         const int failed = mjb_apply(x.b(), chosen.ids(), chosen.count(), Mark, marks, /*save=*/1);
         for (int i = 0, place = 0; i < kWorlds; ++i) {
           if (chosen.mask[static_cast<size_t>(i)]) by_place[place++] = marks[i];
           EXPECT_TRUE(chosen.mask[static_cast<size_t>(i)] || marks[i] == 0) << "world " << i;
         }
         return failed;
       }},
  };
  return calls;
}

std::string Numbers(const std::vector<PerWorld>& arrays, int world) {
  std::string all;
  for (const PerWorld& array : arrays) all += array.Of(world);
  return all;
}

// A call on all worlds: what it leaves in each of them, and its results.
struct OfAll {
  std::vector<std::string> worlds;
  Results results;
};
template <class Batch>
OfAll CallOnAll(const mjModel* m, const Variant& variant, const typename Batch::Call& call) {
  Batch batch(m, variant);
  OfAll all;
  EXPECT_EQ(call(batch, Chosen::All(), all.results), 0) << batch.error;
  for (int world = 0; world < kWorlds; ++world) all.worlds.push_back(Numbers(batch.arrays(), world));
  return all;
}

// A call on some worlds beside the same call on all of them.
template <class Batch>
void Compare(const mjModel* m, const Variant& variant, const typename Batch::Call& call, const Chosen& chosen,
             const OfAll& all) {
  Batch batch(m, variant);
  std::vector<std::string> before;
  for (int world = 0; world < kWorlds; ++world) before.push_back(Numbers(batch.arrays(), world));
  Results results;
  ASSERT_EQ(call(batch, chosen, results), 0) << batch.error;
  for (int world = 0; world < kWorlds; ++world) {
    const auto w = static_cast<size_t>(world);
    EXPECT_TRUE(Numbers(batch.arrays(), world) == (chosen.mask[w] ? all.worlds[w] : before[w]))
        << "world " << world << (chosen.mask[w] ? " has other numbers than among all" : ", not selected, has changed");
  }
  for (size_t r = 0; r < results.size(); ++r) {
    for (int place = 0; place < kWorlds; ++place) {
      const bool used = place < chosen.count();
      const auto p = static_cast<size_t>(place);
      EXPECT_TRUE(results[r].Row(place) == (used ? all.results[r].Row(chosen.worlds[p]) : results[r].Unwritten()))
          << "result " << r << ", row " << place << (used ? " has other numbers" : " was written");
    }
  }
}

template <class Batch>
void CompareAll(const std::map<std::string, typename Batch::Call>& calls) {
  const ModelPtr m = Scene();
  const Variant variants[] = {{"packs", false, false}, {"own parameters", false, true}, {"persistent", true, false}};
  const std::vector<int> selections[] = {
      {}, {kWorlds - 1}, {2, 3, 7}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Chosen::All().worlds};
  for (const Variant& variant : variants) {
    for (const auto& [name, call] : calls) {
      const OfAll all = CallOnAll<Batch>(m.get(), variant, call);
      for (const std::vector<int>& worlds : selections) {
        SCOPED_TRACE(name + ", " + variant.name + ", " + std::to_string(worlds.size()) + " worlds");
        Compare<Batch>(m.get(), variant, call, Chosen(worlds), all);
      }
    }
  }
}

TEST(BatchSelection, MasksOfBytesSelectTheirWorldsAlone) { CompareAll<Extended>(ExtendedCalls()); }

TEST(BatchSelection, ListsOfNumbersSelectTheirWorldsAlone) { CompareAll<Established>(EstablishedCalls()); }

// Adds the functions declared in this header that take a parameter with this text: MJAPI result name(parameters);
void AddFunctionsWith(const std::string& parameter, const std::string& header, std::set<std::string>* names) {
  const std::string mark = "\nMJAPI ";
  for (size_t at = header.find(mark); at != std::string::npos; at = header.find(mark, at + 1)) {
    const size_t open = header.find('(', at), close = header.find(");", at), end = header.find(';', at);
    if (open > end || close > end) continue;  // a variable
    if (header.substr(open, close - open).find(parameter) == std::string::npos) continue;
    const size_t before = header.find_last_of(" *\n", open);
    names->insert(header.substr(before + 1, open - before - 1));
  }
}

// Functions of the headers that take a parameter with this text.
std::set<std::string> FunctionsWith(const std::string& parameter) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ModelsFile("../include"))) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    AddFunctionsWith(parameter, text.str(), &names);
  }
  return names;
}

template <class Calls>
std::set<std::string> NamesOf(const Calls& calls) {
  std::set<std::string> names;
  for (const auto& call : calls) names.insert(call.first);
  return names;
}

TEST(BatchSelection, NoFunctionOfTheHeadersIsForgotten) {
  EXPECT_EQ(FunctionsWith("unsigned char* mask"), NamesOf(ExtendedCalls()));
  EXPECT_EQ(FunctionsWith("const int* ids"), NamesOf(EstablishedCalls()));
}

}  // namespace
}  // namespace sinew
