// Threads: a pool that worlds may use for their islands. Results do not depend on it.
//
//   data.Use(std::make_shared<sinew::Threads>(4));
#ifndef SINEW_THREADS_H_
#define SINEW_THREADS_H_

#include <mujoco/mujoco.h>
#include <sinew/error.h>

#include <cstddef>
#include <memory>

namespace sinew {
inline namespace face {

class Threads {
 public:
  explicit Threads(size_t count) : pool_(Checked([=] { return mju_threadPoolCreate(count); })) {}

  operator mjThreadPool*() { return pool_.get(); }  // NOLINT: passes as the C pointer

 private:
  struct Delete {
    void operator()(mjThreadPool* pool) const { mju_threadPoolDestroy(pool); }
  };
  std::unique_ptr<mjThreadPool, Delete> pool_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_THREADS_H_
