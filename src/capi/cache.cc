// The cache of decoded asset files. Assets come from the specification itself so far, so nothing is ever kept: the
// capacity is remembered, the size is zero.
#include <mujoco/mujoco.h>

#include <atomic>

namespace {

constexpr size_t kDefaultCapacity = size_t{500} << 20;  // bytes
std::atomic<size_t> capacity{kDefaultCapacity};
mjCache process_cache = {};

}  // namespace

mjCache* mj_getCache() { return &process_cache; }
size_t mj_getCacheSize(const mjCache*) { return 0; }
size_t mj_getCacheCapacity(const mjCache* cache) { return cache ? capacity.load() : 0; }
size_t mj_setCacheCapacity(mjCache* cache, size_t size) {
  if (!cache) return 0;
  capacity = size;
  return size;
}
void mj_clearCache(mjCache*) {}
