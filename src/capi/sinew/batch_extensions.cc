// The functions of <sinew/batch.h> are calls of batch/front/worlds.h: they check arguments, turn masks into selections,
// and report errors by a text and a code, never by ending the program.
#include <sinew/batch.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "capi/sinew/batch_handle.h"
#include "derivatives/difference_transition.h"

using sinew::capi::Count;
using sinew::capi::Given;
using sinew::capi::GuardWithText;
using sinew::capi::Masked;

namespace {

// Letters of types are those of the formats of Python's struct module, so that arrays can be wrapped without a table.
char TypeOf(sinew::ElementKind kind) {
  switch (kind) {
    case sinew::ElementKind::kNum:
      return 'd';
    case sinew::ElementKind::kFloat:
      return 'f';
    case sinew::ElementKind::kInt:
      return 'i';
    case sinew::ElementKind::kByte:
      return 'B';
    case sinew::ElementKind::kChar:
      return 'c';
    default:
      return 'l';
  }
}

// Strides are in bytes from one world to the next, as NumPy counts them.
void Describe(const sinew::WorldArray& from, sinewBatchArray* array) {
  const size_t element = sinew::ElementSize(from.kind);
  *array = {from.data, static_cast<long long>(from.size * element), static_cast<int>(from.size),
            static_cast<int>(element), TypeOf(from.kind)};
}

// Pictures are made of so many worlds at a time.
constexpr int kWorldsOfPicture = 16;

}  // namespace

// Worlds are laid out by component, so that a component of all worlds is one block with one stride.
sinewBatch* sinew_batch_make(const mjModel* m, int worlds, const sinewBatchConfig* config, char* error, int error_sz) {
  return GuardWithText<sinewBatch*>("sinew_batch_make", error, error_sz, nullptr, [=]() -> sinewBatch* {
    Given("m", m);
    const sinewBatchConfig settings = config ? *config : sinewBatchConfig{};
    if (settings.precision != sinewDOUBLE && settings.precision != sinewFLOAT) {
      throw sinew::Error("precision is " + std::to_string(settings.precision), "give sinewDOUBLE or sinewFLOAT");
    }
    if (settings.packs < sinewFASTER || settings.packs > sinewNEVER) {
      throw sinew::Error("packs is " + std::to_string(settings.packs), "give sinewFASTER, sinewALWAYS or sinewNEVER");
    }
    sinew::WorldsConfig ours;
    ours.threads = settings.threads;
    ours.persistent = settings.persistent != 0;
    ours.layout = sinew::StateLayout::kByComponent;
    ours.complete_outputs = true;
    ours.first_world = settings.first_world;
    ours.stepping = static_cast<sinew::Stepping>(settings.packs);
    ours.precision = settings.precision == sinewFLOAT ? sinew::Precision::kSingle : sinew::Precision::kDouble;
    return new sinewBatch{{*m, worlds, ours}};
  });
}
// Null is allowed, as for free().
void sinew_batch_delete(sinewBatch* b) { delete b; }

// The counts and sizes of a batch need no text for errors: a null pointer is all that can be wrong.
int sinew_batch_count(const sinewBatch* b) {
  SINEW_NOT_NULL(sinew_batch_count, b);
  return b->worlds.count();
}
int sinew_batch_threads(const sinewBatch* b) {
  SINEW_NOT_NULL(sinew_batch_threads, b);
  return b->worlds.threads();
}
const mjModel* sinew_batch_model(const sinewBatch* b) {
  SINEW_NOT_NULL(sinew_batch_model, b);
  return &b->worlds.model();
}
const char* sinew_batch_obstacle(const sinewBatch* b) {
  SINEW_NOT_NULL(sinew_batch_obstacle, b);
  return b->worlds.obstacle_to_packs();
}
void sinew_batch_packUse(const sinewBatch* b, sinewPackUse* use) {
  SINEW_NOT_NULL(sinew_batch_packUse, b, use);
  const sinew::Worlds::Use of_packs = b->worlds.UseOfPacks();
  *use = {of_packs.lanes, of_packs.slots, of_packs.iterations, of_packs.alone, of_packs.work};
}

// The addresses stay until the batch is deleted: programs keep arrays over them.
int sinew_batch_state(sinewBatch* b, const char* name, sinewBatchArray* array, char* error, int error_sz) {
  return Count("sinew_batch_state", b, error, error_sz, [=] {
    Given("name", name);
    Given("array", array);
    const int component = sinew::FindStateComponent(name);
    if (component < 0) {
      throw sinew::Error("'" + std::string(name) + "' is no part of the state", "time, qpos, qvel, act, ctrl, ... are");
    }
    const sinew::StateRows numbers = b->worlds.State(component);
    *array = {numbers.first, numbers.stride * static_cast<long long>(sizeof(mjtNum)), numbers.size,
              static_cast<int>(sizeof(mjtNum)), 'd'};
    return 0;
  });
}
int sinew_batch_output(sinewBatch* b, const char* name, sinewBatchArray* array, char* error, int error_sz) {
  return Count("sinew_batch_output", b, error, error_sz, [=] {
    Given("name", name);
    Given("array", array);
    Describe(b->worlds.Output(name), array);
    return 0;
  });
}
// The first call gives every world its own copy of the field; from then on, changes in one world stay there.
int sinew_batch_parameter(sinewBatch* b, const char* name, sinewBatchArray* array, char* error, int error_sz) {
  return Count("sinew_batch_parameter", b, error, error_sz, [=] {
    Given("name", name);
    Given("array", array);
    Describe(b->worlds.Expand(name), array);
    return 0;
  });
}

// Derived constants follow from parameters that were changed; they are computed world by world.
int sinew_batch_setConst(sinewBatch* b, const unsigned char* mask, char* error, int error_sz) {
  return Count("sinew_batch_setConst", b, error, error_sz,
               [=] { return b->worlds.SetConst(Masked(b, mask).selection()); });
}
int sinew_batch_step(sinewBatch* b, const unsigned char* mask, int steps, int stage, char* error, int error_sz) {
  return Count("sinew_batch_step", b, error, error_sz,
               [=] { return b->worlds.Step(Masked(b, mask).selection(), steps, stage); });
}
// Errors of arguments are reported here, those of worlds by the wait that follows.
int sinew_batch_stepAsync(sinewBatch* b, const unsigned char* mask, int steps, int stage, char* error, int error_sz) {
  return Count("sinew_batch_stepAsync", b, error, error_sz, [=] {
    b->worlds.StepAsync(Masked(b, mask).selection(), steps, stage);
    return 0;
  });
}
int sinew_batch_wait(sinewBatch* b, char* error, int error_sz) {
  return Count("sinew_batch_wait", b, error, error_sz, [=] { return b->worlds.Wait(); });
}
int sinew_batch_forward(sinewBatch* b, const unsigned char* mask, int stage, char* error, int error_sz) {
  return Count("sinew_batch_forward", b, error, error_sz,
               [=] { return b->worlds.Forward(Masked(b, mask).selection(), stage); });
}
// Keys are numbered by world; the worlds of a selection need theirs only.
int sinew_batch_reset(sinewBatch* b, const unsigned char* mask, const int* keys, int stage, char* error, int error_sz) {
  return Count("sinew_batch_reset", b, error, error_sz, [=] {
    const Masked masked(b, mask);
    if (!keys || !mask) return b->worlds.Reset(masked.selection(), keys, stage);
    std::vector<int> selected;
    for (const int id : masked.selection().ids()) selected.push_back(keys[id]);
    return b->worlds.Reset(masked.selection(), selected.data(), stage);
  });
}

// Low and high are per element of the field; the draw and the way that it meets the model's value are checked here, the
// rest by the worlds.
int sinew_batch_randomize(sinewBatch* b, const char* name, const double* low, const double* high, int size, int draw,
                          int combine, char* error, int error_sz) {
  return Count("sinew_batch_randomize", b, error, error_sz, [=] {
    Given("name", name);
    if (size < 0) throw sinew::Error("size is " + std::to_string(size));
    if (size > 0) Given("low", low);
    if (size > 0) Given("high", high);
    if (draw < sinewUNIFORM || draw > sinewNORMAL) {
      throw sinew::Error("draw is " + std::to_string(draw), "give sinewUNIFORM, sinewLOGUNIFORM or sinewNORMAL");
    }
    if (combine < sinewSET || combine > sinewSCALE) {
      throw sinew::Error("combine is " + std::to_string(combine), "give sinewSET, sinewADD or sinewSCALE");
    }
    const size_t count = static_cast<size_t>(size);
    b->worlds.Randomize(name, {low, count}, {high, count}, static_cast<sinew::Draw>(draw),
                        static_cast<sinew::Combine>(combine));
    return 0;
  });
}
void sinew_batch_clearRandomization(sinewBatch* b) {
  SINEW_NOT_NULL(sinew_batch_clearRandomization, b);
  b->worlds.ClearRandomization();
}
int sinew_batch_seed(sinewBatch* b, unsigned long long seed, char* error, int error_sz) {
  return Count("sinew_batch_seed", b, error, error_sz, [=] {
    b->worlds.SetSeed(seed);
    return 0;
  });
}

namespace {

// `name` is the function that the program has called.
int Rollout(const char* name, sinewBatch* b, const unsigned char* mask, int steps, const sinewBatchInputs* inputs,
            const sinewBatchRecord* records, int nrecord, char* error, int error_sz) {
  return Count(name, b, error, error_sz, [=] {
    Given("inputs", inputs);
    if (nrecord < 0) throw sinew::Error("nrecord is " + std::to_string(nrecord));
    if (nrecord > 0) Given("records", records);
    std::vector<sinew::RolloutRecord> list;
    for (int i = 0; i < nrecord; ++i) list.push_back({records[i].field, records[i].signature, records[i].data});
    return b->worlds.Rollout(Masked(b, mask).selection(), steps,
                             {inputs->data, inputs->signature, inputs->shared != 0, inputs->rows}, list);
  });
}

}  // namespace

// Controls (mjSTATE_CTRL) of all steps of a world stand together; without them, controls of the states stay.
int sinew_batch_rollout(sinewBatch* b, const unsigned char* mask, int steps, const double* control,
                        const sinewBatchRecord* records, int nrecord, char* error, int error_sz) {
  const sinewBatchInputs inputs = {control, control ? mjSTATE_CTRL : 0, 0, nullptr};
  return Rollout("sinew_batch_rollout", b, mask, steps, &inputs, records, nrecord, error, error_sz);
}
int sinew_batch_rolloutInputs(sinewBatch* b, const unsigned char* mask, int steps, const sinewBatchInputs* inputs,
                              const sinewBatchRecord* records, int nrecord, char* error, int error_sz) {
  return Rollout("sinew_batch_rolloutInputs", b, mask, steps, inputs, records, nrecord, error, error_sz);
}

// The models stay the program's.
int sinew_batch_setModels(sinewBatch* b, const mjModel* const* models, char* error, int error_sz) {
  return Count("sinew_batch_setModels", b, error, error_sz, [=] {
    b->worlds.SetModels(models);
    return 0;
  });
}

const int* sinew_batch_status(const sinewBatch* b) {
  SINEW_NOT_NULL(sinew_batch_status, b);
  return b->worlds.statuses();
}
// The result is 1 when the text had to be cut.
int sinew_batch_cause(const sinewBatch* b, int world, char* text, int text_sz) {
  return Count("sinew_batch_cause", b, text, text_sz, [=] {
    const std::string cause = b->worlds.CauseOf(world);
    const int length = text && text_sz > 0 ? std::snprintf(text, static_cast<size_t>(text_sz), "%s", cause.c_str()) : 0;
    return length < text_sz ? 0 : 1;
  });
}

// One world at a time is shown as mjModel and mjData, in memory of the batch that the next call overwrites.
const mjData* sinew_batch_world(sinewBatch* b, int world, const mjModel** m, char* error, int error_sz) {
  return GuardWithText<const mjData*>("sinew_batch_world", error, error_sz, nullptr, [=]() -> const mjData* {
    Given("b", b);
    if (!b->model) b->model.reset(sinew::CopyModel(nullptr, b->worlds.model()));
    if (!b->data) b->data.reset(sinew::MakeData(b->worlds.model()));
    b->worlds.GetModel(world, b->model.get());
    b->worlds.GetData(world, b->data.get());
    if (m) *m = b->model.get();
    return b->data.get();
  });
}

// Matrices of selected worlds follow one another, by rows; any of the four may be null.
int sinew_batch_transitionFD(sinewBatch* b, const unsigned char* mask, double eps, int centered, double* A, double* B,
                             double* C, double* D, char* error, int error_sz) {
  return Count("sinew_batch_transitionFD", b, error, error_sz, [=] {
    if (!(eps > 0)) throw sinew::Error("eps is " + std::to_string(eps), "give a positive step");
    const mjModel& model = b->worlds.model();
    const size_t nx = static_cast<size_t>(2 * model.nv + model.na), nu = static_cast<size_t>(model.nu),
                 ns = static_cast<size_t>(model.nsensordata);
    const auto part = [](double* all, int place, size_t size) {
      return all ? all + static_cast<size_t>(place) * size : nullptr;
    };
    const auto work = [&](const mjModel* m, mjData* d, int, int place) {
      sinew::DifferenceTransition(
          m, d, eps, centered != 0,
          {part(A, place, nx * nx), part(B, place, nx * nu), part(C, place, ns * nx), part(D, place, ns * nu)});
    };
    return b->worlds.Apply(Masked(b, mask).selection(), work, /*save=*/false);
  });
}

// Worlds are drawn in groups, whose data are made for the call: drawing needs positions, not a step.
int sinew_batch_render(sinewBatch* b, sinewRenderer* renderer, const unsigned char* mask, const mjvOption* option,
                       const mjvCamera* camera, unsigned char* rgb, float* depth, int* segments, char* error,
                       int error_sz) {
  return Count("sinew_batch_render", b, error, error_sz, [=] {
    const mjModel& m = b->worlds.model();
    const Masked masked(b, mask);
    const sinew::Selection selection = masked.selection();
    const auto total = static_cast<size_t>(selection.CountOf(b->worlds.count()));
    int width = 0, height = 0;
    Given("renderer", renderer);
    sinew_rendererSize(renderer, &width, &height);
    std::vector<sinew::DataPtr> worlds;
    std::vector<mjData*> pointers;
    for (size_t i = 0; i < std::min<size_t>(kWorldsOfPicture, total); ++i) {
      worlds.emplace_back(sinew::MakeData(m));
      pointers.push_back(worlds.back().get());
    }
    for (size_t begin = 0; begin < total; begin += kWorldsOfPicture) {
      const size_t count = std::min<size_t>(kWorldsOfPicture, total - begin);
      for (size_t i = 0; i < count; ++i) b->worlds.GetData(selection.WorldAt(static_cast<int>(begin + i)), pointers[i]);
      const size_t pixels = begin * static_cast<size_t>(width) * static_cast<size_t>(height);
      char text[1000];
      const int failed = sinew_renderWorlds(renderer, &m, pointers.data(), static_cast<int>(count), option, camera,
                                            rgb ? rgb + 3 * pixels : nullptr, depth ? depth + pixels : nullptr,
                                            segments ? segments + 2 * pixels : nullptr, text, sizeof(text));
      if (failed) throw sinew::Error(text);
    }
    return 0;
  });
}
