// Exported functions of the heap, the stack and arena of a world, and thread pools. Addresses on the stack are valid
// until the frame in which they were taken is closed by mj_freeStack.
#include <mujoco/mujoco.h>

#include <cstdint>
#include <limits>
#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/stack.h"
#include "core/thread_pool.h"

using sinew::capi::Guard;

namespace {

// `count` elements on the stack, where count * sizeof(T) may be more than an address can hold.
template <class T>
T* StackAlloc(mjData* d, size_t count) {
  if (count >= std::numeric_limits<size_t>::max() / sizeof(T)) {
    throw sinew::Error("requested size is too large (more than 2^64 bytes).");
  }
  return static_cast<T*>(sinew::AllocStack(d, count * sizeof(T), alignof(T)));
}

}  // namespace

// Memory from here is freed by mju_free, as programs may install functions of their own for both.
void* mju_malloc(size_t size) {
  return Guard("mju_malloc", [&] { return sinew::AllocateMemory(size); });
}
void mju_free(void* ptr) { sinew::FreeMemory(ptr); }

// A frame opens here; frames close in reverse order.
void mj_markStack(mjData* d) {
  SINEW_CHECK(mj_markStack);
  Guard("mj_markStack", [&] { sinew::MarkStack(d); });
}
void mj_freeStack(mjData* d) {
  SINEW_CHECK(mj_freeStack);
  sinew::FreeStack(d);
}
// A full stack is an error (mju_error).
void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment) {
  SINEW_CHECK(mj_stackAllocByte);
  return Guard("mj_stackAllocByte", [&] { return sinew::AllocStack(d, bytes, alignment); });
}
mjtNum* mj_stackAllocNum(mjData* d, size_t size) {
  SINEW_CHECK(mj_stackAllocNum);
  return Guard("mj_stackAllocNum", [&] { return StackAlloc<mjtNum>(d, size); });
}
int* mj_stackAllocInt(mjData* d, size_t size) {
  SINEW_CHECK(mj_stackAllocInt);
  return Guard("mj_stackAllocInt", [&] { return StackAlloc<int>(d, size); });
}

// Not in the public headers, but language bindings resize the contact array with it.
extern "C" MJAPI void* mj_arenaAllocByte(mjData* d, size_t bytes, size_t alignment) {
  return Guard("mj_arenaAllocByte", [&] { return sinew::AllocArena(d, bytes, alignment); });
}

// The pool is the caller's, and has to outlive the worlds that it is bound to.
mjThreadPool* mju_threadPoolCreate(size_t number_of_threads) {
  return Guard("mju_threadPoolCreate",
               [&] { return static_cast<mjThreadPool*>(new sinew::ThreadPool(number_of_threads)); });
}
void mju_threadPoolDestroy(mjThreadPool* thread_pool) { delete static_cast<sinew::ThreadPool*>(thread_pool); }

// A pool that is bound makes stages of this world run in parallel; the result is the same.
void mju_bindThreadPool(mjData* d, void* thread_pool) {
  SINEW_CHECK(mju_bindThreadPool);
  Guard("mju_bindThreadPool", [&] {
    if (d->threadpool) throw sinew::Error("Thread Pool already bound to mjData");
    if (d->pstack) throw sinew::Error("stack is in use", "bind the pool outside of mj_markStack and mj_freeStack");
    d->threadpool = reinterpret_cast<uintptr_t>(thread_pool);
  });
}
void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task) {
  SINEW_CHECK(mju_threadPoolEnqueue);
  Guard("mju_threadPoolEnqueue", [&] { static_cast<sinew::ThreadPool*>(thread_pool)->Enqueue(task); });
}
void mju_defaultTask(mjTask* task) {
  SINEW_CHECK(mju_defaultTask);
  task->func = nullptr;
  task->args = nullptr;
  task->status = mjTASK_NEW;
}
// Waits until the task has run.
void mju_taskJoin(mjTask* task) {
  SINEW_CHECK(mju_taskJoin);
  sinew::Join(*task);
}
