// Prints a hash of 1,000 steps of the humanoid, over all bits of qpos, qvel and qacc. The number is part of the
// contract: compilers, optimization levels and threads must not change it.
#include <mujoco/mujoco.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kSteps = 1000;

// FNV-1a
void Hash(uint64_t& hash, const double* x, mjtSize n) {
  unsigned char bytes[sizeof(double)];
  for (mjtSize i = 0; i < n; ++i) {
    std::memcpy(bytes, x + i, sizeof(bytes));
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: trajectory_hash MODEL.xml [THREADS]\n"), 2;
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], nullptr, error, sizeof(error));
  if (!m) return std::fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);
  mjThreadPool* pool = argc > 2 ? mju_threadPoolCreate(static_cast<size_t>(std::atoi(argv[2]))) : nullptr;
  if (pool) mju_bindThreadPool(d, pool);
  mj_resetDataKeyframe(m, d, m->nkey > 1 ? 1 : 0);

  uint64_t hash = 14695981039346656037u;
  for (int step = 0; step < kSteps; ++step) {
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
