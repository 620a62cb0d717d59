// Many rollouts at once, each from its own state, on as many threads as there are worlds.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "callbacks.h"
#include "message.h"
#include "worlds.h"

namespace sinew::module {
namespace {

struct Job {
  std::vector<const mjModel*> models;  // one for all, or one for each rollout
  std::vector<mjData*> worlds;
  int rollouts = 0, steps = 0, control_spec = 0, chunk = 1;
  const mjtNum* state0 = nullptr;
  const mjtNum* warmstart0 = nullptr;
  const mjtNum* control = nullptr;
  mjtNum* state = nullptr;
  mjtNum* sensordata = nullptr;
  std::atomic<int> next{0};
};

// Inputs that the controls do not have are as after a reset.
void ClearInputs(const mjModel* m, mjData* d, int spec) {
  if (!(spec & mjSTATE_CTRL)) mju_zero(d->ctrl, static_cast<int>(m->nu));
  if (!(spec & mjSTATE_QFRC_APPLIED)) mju_zero(d->qfrc_applied, static_cast<int>(m->nv));
  if (!(spec & mjSTATE_XFRC_APPLIED)) mju_zero(d->xfrc_applied, static_cast<int>(6 * m->nbody));
  if (!(spec & mjSTATE_USERDATA)) mju_zero(d->userdata, static_cast<int>(m->nuserdata));
  for (int i = 0; !(spec & mjSTATE_EQ_ACTIVE) && i < m->neq; ++i) d->eq_active[i] = m->eq_active0[i];
  for (int i = 0; i < m->nbody; ++i) {
    const int id = m->body_mocapid[i];
    if (id < 0) continue;
    if (!(spec & mjSTATE_MOCAP_POS)) mju_copy3(d->mocap_pos + 3 * id, m->body_pos + 3 * i);
    if (!(spec & mjSTATE_MOCAP_QUAT)) {
      mju_copy4(d->mocap_quat + 4 * id, m->body_quat + 4 * i);
      mju_normalize4(d->mocap_quat + 4 * id);
    }
  }
}

bool Diverged(const mjData* d) {
  return d->warning[mjWARN_BADQPOS].number || d->warning[mjWARN_BADQVEL].number || d->warning[mjWARN_BADQACC].number;
}

// Fills the records from step t on with those before it.
void Repeat(const Job& job, int t, size_t nstate, size_t nsensor, mjtNum* state, mjtNum* sensors) {
  const auto fill = [&](mjtNum* rows, size_t size) {
    for (int k = t; rows && k < job.steps; ++k) {
      mjtNum* row = rows + static_cast<size_t>(k) * size;
      t > 0 ? void(std::copy_n(rows + static_cast<size_t>(t - 1) * size, size, row)) : void(std::fill_n(row, size, 0));
    }
  };
  fill(state, nstate);
  fill(sensors, nsensor);
}

void RunOne(const Job& job, mjData* d, int r) {
  const mjModel* m = job.models[job.models.size() == 1 ? 0 : static_cast<size_t>(r)];
  const auto nstate = static_cast<size_t>(mj_stateSize(m, mjSTATE_FULLPHYSICS));
  const auto ncontrol = static_cast<size_t>(mj_stateSize(m, job.control_spec));
  const auto nsensor = static_cast<size_t>(m->nsensordata), index = static_cast<size_t>(r);
  const auto steps = static_cast<size_t>(job.steps), nv = static_cast<size_t>(m->nv);
  ClearInputs(m, d, job.control_spec);
  mj_setState(m, d, job.state0 + index * nstate, mjSTATE_FULLPHYSICS);
  for (auto& warning : d->warning) warning.number = 0;
  job.warmstart0 ? void(std::copy_n(job.warmstart0 + index * nv, nv, d->qacc_warmstart))
                 : void(std::fill_n(d->qacc_warmstart, nv, 0));
  mjtNum* state = job.state ? job.state + index * steps * nstate : nullptr;
  mjtNum* sensors = job.sensordata ? job.sensordata + index * steps * nsensor : nullptr;
  for (size_t t = 0; t < steps; ++t) {
    if (Diverged(d)) return Repeat(job, static_cast<int>(t), nstate, nsensor, state, sensors);
    if (job.control) mj_setState(m, d, job.control + (index * steps + t) * ncontrol, job.control_spec);
    mj_step(m, d);
    if (state) mj_getState(m, d, state + t * nstate, mjSTATE_FULLPHYSICS);
    if (sensors) std::copy_n(d->sensordata, nsensor, sensors + t * nsensor);
  }
}

void RunSome(Job* job, mjData* d, std::string* error) {
  try {
    Checked([&] {
      for (int begin = job->next.fetch_add(job->chunk); begin < job->rollouts;
           begin = job->next.fetch_add(job->chunk)) {
        for (int r = begin; r < std::min(begin + job->chunk, job->rollouts); ++r) RunOne(*job, d, r);
      }
    });
  } catch (const std::exception& e) {
    *error = e.what();
    job->next = job->rollouts;
  }
}

bool TakeAll(PyObject* models, PyObject* worlds, Job* job) {
  for (Py_ssize_t i = 0; i < PyList_Size(models); ++i) {
    const mjModel* m = TakeModel(PyList_GetItem(models, i));
    if (!m) return false;
    job->models.push_back(m);
  }
  for (Py_ssize_t i = 0; i < PyList_Size(worlds); ++i) {
    mjData* d = TakeData(PyList_GetItem(worlds, i));
    if (!d) return false;
    for (const mjModel* m : job->models) {
      const auto* of = reinterpret_cast<Object*>(PyList_GetItem(worlds, i))->block->model;
      if (of->nq == m->nq && of->nv == m->nv && of->na == m->na && of->nbuffer == m->nbuffer) continue;
      PyErr_SetString(PyExc_ValueError, "models and data are not of the same sizes");
      return false;
    }
    job->worlds.push_back(d);
  }
  return !job->models.empty() && !job->worlds.empty();
}

// Arrays of doubles, or None.
class Buffers {
 public:
  ~Buffers() {
    for (Py_buffer& view : views_) PyBuffer_Release(&view);
  }
  bool Take(PyObject* object, bool writable, mjtNum** into) {
    *into = nullptr;
    if (object == Py_None) return true;
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0)) != 0) return false;
    views_.push_back(view);
    *into = static_cast<mjtNum*>(view.buf);
    return true;
  }

 private:
  std::vector<Py_buffer> views_;
};

// rollout(models, worlds, rollouts, steps, control_spec, state0, warmstart0, control, state, sensordata, chunk). Sizes
// of the arrays are checked in Python.
PyObject* Rollout(PyObject*, PyObject* arguments) {
  Job job;
  PyObject *models, *worlds, *arrays[5];
  if (!PyArg_ParseTuple(arguments, "OOiiiOOOOOi", &models, &worlds, &job.rollouts, &job.steps, &job.control_spec,
                        &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &job.chunk)) {
    return nullptr;
  }
  Buffers buffers;
  mjtNum* taken[5];
  if (!TakeAll(models, worlds, &job)) return nullptr;
  for (int i = 0; i < 5; ++i) {
    if (!buffers.Take(arrays[i], i > 2, &taken[i])) return nullptr;
  }
  job.state0 = taken[0];
  job.warmstart0 = taken[1];
  job.control = taken[2];
  job.state = taken[3];
  job.sensordata = taken[4];
  if (job.chunk < 1) job.chunk = std::max(1, job.rollouts / static_cast<int>(10 * job.worlds.size()));
  std::vector<std::string> errors(job.worlds.size());
  PyThreadState* released = PyEval_SaveThread();
  std::vector<std::thread> threads;
  for (size_t i = 1; i < job.worlds.size(); ++i) threads.emplace_back(RunSome, &job, job.worlds[i], &errors[i]);
  RunSome(&job, job.worlds[0], &errors[0]);
  for (std::thread& thread : threads) thread.join();
  PyEval_RestoreThread(released);
  for (const std::string& error : errors) {
    if (!error.empty()) return SetError(fatal_error, error.c_str()), nullptr;
  }
  if (RaiseOfCallback()) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace

bool DefineRollout(PyObject* module) {
  static PyMethodDef methods[] = {{"rollout", Rollout, METH_VARARGS, "Runs rollouts."}, {}};
  return PyModule_AddFunctions(module, methods) == 0;
}

}  // namespace sinew::module
