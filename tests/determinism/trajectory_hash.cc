// Prints a hash of the steps of a model, over all bits of qpos, qvel and qacc. That of 1,000 steps of the humanoid is
// part of the contract: compilers, optimization levels and threads must not change it, nor does it matter whether the
// state moves to new data after every so many steps.
#include <mujoco/mujoco.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

// FNV-1a
void Hash(uint64_t& hash, const double* x, mjtSize n) {
  unsigned char bytes[sizeof(double)];
  for (mjtSize i = 0; i < n; ++i) {
    std::memcpy(bytes, x + i, sizeof(bytes));
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  }
}

mjData* NewData(const mjModel* m, mjThreadPool* pool) {
  mjData* d = mj_makeData(m);
  if (pool) mju_bindThreadPool(d, pool);
  return d;
}

// The same state in data that knows nothing of the past.
mjData* Moved(const mjModel* m, mjData* d, mjThreadPool* pool) {
  std::vector<double> state(static_cast<size_t>(mj_stateSize(m, mjSTATE_INTEGRATION)));
  mj_getState(m, d, state.data(), mjSTATE_INTEGRATION);
  mj_deleteData(d);
  d = NewData(m, pool);
  mj_setState(m, d, state.data(), mjSTATE_INTEGRATION);
  return d;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: trajectory_hash MODEL.xml [THREADS [STEPS [MOVE_AFTER]]]\n"), 2;
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  const int threads = argument(2, 0), steps = argument(3, 1000), move_after = argument(4, steps);
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], nullptr, error, sizeof(error));
  if (!m) return std::fprintf(stderr, "%s\n", error), 1;
  mjThreadPool* pool = threads > 0 ? mju_threadPoolCreate(static_cast<size_t>(threads)) : nullptr;
  mjData* d = NewData(m, pool);
  mj_resetDataKeyframe(m, d, m->nkey > 1 ? 1 : 0);

  uint64_t hash = 14695981039346656037u;
  for (int step = 0; step < steps; ++step) {
    if (step > 0 && step % move_after == 0) d = Moved(m, d, pool);
    for (int i = 0; i < m->nu; ++i) d->ctrl[i] = 0.25 * ((step / 50 + i) % 3 - 1);
    mj_step(m, d);
    Hash(hash, d->qpos, m->nq);
    Hash(hash, d->qvel, m->nv);
    Hash(hash, d->qacc, m->nv);
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(hash));
  mj_deleteData(d);
  if (pool) mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
}
