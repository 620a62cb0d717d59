// The cache of decoded asset files (mj_getCache). There is one for the process; the C struct is a handle to it. All
// functions take null for an absent cache. Sizes are bytes.
#include <mujoco/mujoco.h>

#include "core/asset_cache.h"

namespace {

sinew::AssetCache* Get(const mjCache* cache) { return cache ? static_cast<sinew::AssetCache*>(cache->impl_) : nullptr; }

}  // namespace

mjCache* mj_getCache() {
  static mjCache process_cache = {&sinew::AssetCache::Process()};
  return &process_cache;
}

size_t mj_getCacheSize(const mjCache* cache) { return Get(cache) ? Get(cache)->size() : 0; }
size_t mj_getCacheCapacity(const mjCache* cache) { return Get(cache) ? Get(cache)->capacity() : 0; }
size_t mj_setCacheCapacity(mjCache* cache, size_t size) {
  if (!Get(cache)) return 0;
  Get(cache)->SetCapacity(size);
  return Get(cache)->capacity();
}
void mj_clearCache(mjCache* cache) {
  if (Get(cache)) Get(cache)->Clear();
}
