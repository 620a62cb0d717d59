// The functions of <mujoco/mjbatch.h> are calls of batch/front/worlds.h. Worlds are selected by sorted numbers, and
// errors go to the handler of the program, as with all functions of MuJoCo.
#include <mujoco/mjbatch.h>
#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

#include "batch/front/worlds.h"
#include "capi/arguments.h"
#include "capi/boundary.h"

using sinew::capi::Guard;
using sinew::capi::GuardWithText;

// A batch of the interface owns its worlds.
struct mjBatch_ {
  sinew::Worlds worlds;
};

namespace {

// Programs select worlds by `nid` sorted numbers; null selects all.
sinew::Selection Chosen(const int* ids, int nid) {
  if (!ids) return {};
  if (nid < 0) throw sinew::Error("nid is " + std::to_string(nid), "give how many ids there are");
  return sinew::Selection({ids, static_cast<size_t>(nid)});
}

// Size and bytes of an element; the address, null for an unknown array.
void* Describe(const sinew::WorldArray& array, int* size, int* elemsize) {
  if (size) *size = static_cast<int>(array.size);
  if (elemsize) *elemsize = static_cast<int>(sinew::ElementSize(array.kind));
  return array.data;
}

// An unknown name is not an error: programs may test for names.
template <class Find>
void* FindArray(const char* function, Find&& find) {
  void* data = nullptr;
  if (!sinew::capi::Succeeds(function, [&] { data = find(); })) data = nullptr;
  return data;
}

}  // namespace

void mjb_defaultConfig(mjBatchConfig* config) {
  SINEW_NOT_NULL(mjb_defaultConfig, config);
  *config = {0, 0};
}

// Returns null and a text in `error` on failure. The model is copied and may be freed afterwards.
mjBatch* mjb_makeBatch(const mjModel* m, int nsim, const mjBatchConfig* config, char* error, int error_sz) {
  return GuardWithText<mjBatch*>("mjb_makeBatch", error, error_sz, nullptr, [=]() -> mjBatch* {
    if (!m) throw sinew::Error("m is NULL", "give a model");
    sinew::WorldsConfig settings;
    if (config) {
      settings.threads = config->nthread;
      settings.persistent = config->persistent != 0;
    }
    settings.report_warnings = true;
    return new mjBatch{{*m, nsim, settings}};
  });
}
// Null is allowed, as for free().
void mjb_deleteBatch(mjBatch* b) { delete b; }

int mjb_nstate(const mjBatch* b) {
  SINEW_NOT_NULL(mjb_nstate, b);
  return b->worlds.state_size();
}
// Returns the rows of all worlds, one after the other; what is written there is the state at the next call.
mjtNum* mjb_state(mjBatch* b) {
  SINEW_NOT_NULL(mjb_state, b);
  return b->worlds.states();
}
// A component is one bit of the signature; its number is the place of that bit.
mjtNum* mjb_stateComponent(mjBatch* b, int component, int* size) {
  SINEW_NOT_NULL(mjb_stateComponent, b);
  return Guard("mjb_stateComponent", [=] {
    const bool one_bit = component > 0 && (component & (component - 1)) == 0;
    if (!one_bit || (component & ~mjSTATE_INTEGRATION)) {
      throw sinew::Error("component is " + std::to_string(component), "give one bit of mjSTATE_INTEGRATION");
    }
    const sinew::StateRows numbers = b->worlds.State(__builtin_ctz(static_cast<unsigned>(component)));
    if (size) *size = numbers.size;
    return numbers.first;
  });
}
mjWarningStat* mjb_warning(mjBatch* b) {
  SINEW_NOT_NULL(mjb_warning, b);
  return b->worlds.warnings();
}

// Functions that run worlds return how many of them failed; mjb_status and mjb_error return which, and why. Null for
// `ids` means all worlds.
int mjb_step(mjBatch* b, const int* ids, int nid, int nstep, int stage) {
  SINEW_NOT_NULL(mjb_step, b);
  return Guard("mjb_step", [=] { return b->worlds.Step(Chosen(ids, nid), nstep, stage); });
}
int mjb_forward(mjBatch* b, const int* ids, int nid, int stage) {
  SINEW_NOT_NULL(mjb_forward, b);
  return Guard("mjb_forward", [=] { return b->worlds.Forward(Chosen(ids, nid), stage); });
}
int mjb_reset(mjBatch* b, const int* ids, int nid, const int* key, int stage) {
  SINEW_NOT_NULL(mjb_reset, b);
  return Guard("mjb_reset", [=] { return b->worlds.Reset(Chosen(ids, nid), key, stage); });
}

// Statuses are those of the last call, one for each world.
const int* mjb_status(const mjBatch* b) {
  SINEW_NOT_NULL(mjb_status, b);
  return b->worlds.failures();
}
const char* mjb_error(const mjBatch* b, int sim) {
  SINEW_NOT_NULL(mjb_error, b);
  SINEW_IN_RANGE(mjb_error, sim, b->worlds.count());
  return b->worlds.ErrorOf(sim);
}

// Return the address of an array that lives as long as the batch, or null for an unknown name.
void* mjb_output(mjBatch* b, const char* name, int* size, int* elemsize) {
  SINEW_NOT_NULL(mjb_output, b, name);
  return FindArray("mjb_output", [=] { return Describe(b->worlds.Output(name), size, elemsize); });
}
void* mjb_expand(mjBatch* b, const char* name, int* size, int* elemsize) {
  SINEW_NOT_NULL(mjb_expand, b, name);
  // When worlds have models of their own, an expansion is an error of the program, not an unknown name.
  if (!b->worlds.has_models()) {
    return FindArray("mjb_expand", [=] { return Describe(b->worlds.Expand(name), size, elemsize); });
  }
  return Guard("mjb_expand", [=] { return Describe(b->worlds.Expand(name), size, elemsize); });
}
const void* mjb_expanded(mjBatch* b, const char* name, int* size, int* elemsize) {
  SINEW_NOT_NULL(mjb_expanded, b, name);
  return FindArray("mjb_expanded", [=] { return Describe(b->worlds.Expanded(name), size, elemsize); });
}
int mjb_setConst(mjBatch* b, const int* ids, int nid) {
  SINEW_NOT_NULL(mjb_setConst, b);
  return Guard("mjb_setConst", [=] { return b->worlds.SetConst(Chosen(ids, nid)); });
}
void mjb_setModels(mjBatch* b, const mjModel* const* models) {
  SINEW_NOT_NULL(mjb_setModels, b);
  Guard("mjb_setModels", [=] { b->worlds.SetModels(models); });
}

int mjb_rollout(mjBatch* b, const int* ids, int nid, int nstep, const mjtNum* control, int control_spec,
                const mjBatchRecord* record, int nrecord) {
  SINEW_NOT_NULL(mjb_rollout, b);
  SINEW_NOT_NEGATIVE(mjb_rollout, nrecord);
  SINEW_NOT_NULL_IF(nrecord > 0, mjb_rollout, record);
  return Guard("mjb_rollout", [=] {
    std::vector<sinew::RolloutRecord> records;
    for (int i = 0; i < nrecord; ++i) records.push_back({record[i].field, record[i].spec, record[i].buf});
    return b->worlds.Rollout(Chosen(ids, nid), nstep, {.numbers = control, .signature = control_spec}, records);
  });
}
// The function runs on the batch's threads, several worlds at once.
int mjb_apply(mjBatch* b, const int* ids, int nid, mjfBatchFunc func, void* arg, int save) {
  SINEW_NOT_NULL(mjb_apply, b);
  return Guard("mjb_apply", [=] {
    if (!func) throw sinew::Error("func is NULL", "give a function");
    const auto work = [=](const mjModel* m, mjData* d, int world, int) { func(m, d, world, arg); };
    return b->worlds.Apply(Chosen(ids, nid), work, save != 0);
  });
}

// These copies are the program's: the model and the data must have been made for the batch's model.
void mjb_getModel(mjBatch* b, int sim, mjModel* m) {
  SINEW_NOT_NULL(mjb_getModel, b, m);
  SINEW_IN_RANGE(mjb_getModel, sim, b->worlds.count());
  Guard("mjb_getModel", [=] { b->worlds.GetModel(sim, m); });
}
void mjb_getData(mjBatch* b, int sim, mjData* d) {
  SINEW_NOT_NULL(mjb_getData, b, d);
  SINEW_IN_RANGE(mjb_getData, sim, b->worlds.count());
  Guard("mjb_getData", [=] { b->worlds.GetData(sim, d); });
}

int mjb_nsim(const mjBatch* b) {
  SINEW_NOT_NULL(mjb_nsim, b);
  return b->worlds.count();
}
int mjb_nthread(const mjBatch* b) {
  SINEW_NOT_NULL(mjb_nthread, b);
  return b->worlds.threads();
}
int mjb_persistent(const mjBatch* b) {
  SINEW_NOT_NULL(mjb_persistent, b);
  return b->worlds.persistent();
}
const mjModel* mjb_model(const mjBatch* b) {
  SINEW_NOT_NULL(mjb_model, b);
  return &b->worlds.model();
}
