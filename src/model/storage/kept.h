// Data that is derived from a model once, for all its worlds. mjModel has a fixed layout and no field for it: it
// lies behind the arrays of the model's buffer, which copies of the struct alone share. Models whose buffer another
// library has made keep nothing.
#ifndef SINEW_MODEL_STORAGE_KEPT_H_
#define SINEW_MODEL_STORAGE_KEPT_H_

#include <mujoco/mujoco.h>

#include <atomic>
#include <cstddef>

#include "core/memory.h"

namespace sinew::inline model {

// Base of what is kept. It belongs to all models that were copied from each other while it was valid.
class Kept {
 public:
  virtual ~Kept() = default;
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  // Whether it still is what would be found: a program may have changed the model's arrays.
  virtual bool IsOf(const mjModel& m) const = 0;

 private:
  friend void Share(const Kept*);
  friend void Release(const Kept*);
  mutable std::atomic<int> owners_ = 1;
};

// The place behind the arrays. It is one where its own address stands in it.
struct KeptPlace {
  const KeptPlace* self;
  std::atomic<const Kept*> kept;
};

// Where the place is in a buffer, behind `nbuffer` bytes of arrays; and the bytes of the buffer with it.
constexpr size_t OffsetOfPlace(size_t nbuffer) { return AlignUp(nbuffer, kMemoryAlignment); }
constexpr size_t BufferWithPlace(size_t nbuffer) { return OffsetOfPlace(nbuffer) + sizeof(KeptPlace); }

// Null where the model keeps nothing.
inline KeptPlace* KeptPlaceOf(const mjModel& m) {
  if (!m.buffer) return nullptr;
  auto* place =
      reinterpret_cast<KeptPlace*>(static_cast<char*>(m.buffer) + OffsetOfPlace(static_cast<size_t>(m.nbuffer)));
  return place->self == place ? place : nullptr;
}

// Makes the place of a new buffer, and empties it before the buffer is freed.
void MakeKeptPlace(const mjModel& m);
void EmptyKeptPlace(const mjModel& m);

// Lets `dest` have what `src` keeps, if that is valid; nothing otherwise.
void CopyKept(const mjModel& dest, const mjModel& src);

// What the place has, which from now on is `made` if there was nothing; another thread may have come before, and
// `made` is deleted then.
const Kept* KeepFirst(KeptPlace& place, const Kept* made);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STORAGE_KEPT_H_
