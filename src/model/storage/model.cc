// Allocates, copies and releases mjModel. All arrays lie in one buffer in the order of the field list, so that a copy
// is a loop over fields (model/view/fields.h) and a new field needs no code here.
#include "model/storage/model.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/live_objects.h"
#include "core/memory.h"
#include "model/storage/kept.h"
#include "model/view/fields.h"
#include "model/view/layout.h"

namespace sinew::inline model {
namespace {

constexpr mjtNum kMinMass = 1e-15;  // kg; keeps the scaling of a massless model finite

// Sizes that are counts of bytes; all others count things that are numbered with int.
bool CountsBytes(const ModelSize& size) {
  return size.member == &mjModel::narena || size.member == &mjModel::nbuffer || size.member == &mjModel::ntexdata;
}

// njmax and nconmax are -1 when the model does not give them.
mjtSize Lowest(const ModelSize& size) {
  return size.member == &mjModel::njmax || size.member == &mjModel::nconmax ? -1 : 0;
}

// Points the arrays of a model into its buffer.
void SetPointers(mjModel* m) {
  Layout layout;
  for (const ModelArray& array : kModelFields) {
    array.SetPointer(*m, static_cast<char*>(m->buffer) + layout.Place(ArrayBytes(array, *m)));
  }
}

// Sizes are compared rather than pointers: models from different files may well have the same layout.
void CheckSameSizes(const mjModel& a, const mjModel& b) {
  for (const ModelSize& size : kModelSizes) {
    if (a.*size.member != b.*size.member) {
      throw Error("dest and src models have different sizes: " + std::string(size.name) + " is " +
                  std::to_string(a.*size.member) + " and " + std::to_string(b.*size.member));
    }
  }
}

void CopyOptions(mjModel* dest, const mjModel& src) {
  dest->opt = src.opt;
  dest->vis = src.vis;
  dest->stat = src.stat;
  dest->signature = src.signature;
}

// A scene reads a part of the arrays only, which saves time where a viewer copies a model at every frame.
void CopyArrays(mjModel* dest, const mjModel& src, bool scene_only) {
  for (const ModelArray& array : kModelFields) {
    const size_t bytes = array.Bytes(src);
    if (bytes > 0 && (array.scene || !scene_only)) std::memcpy(array.Pointer(*dest), array.Pointer(src), bytes);
  }
}

}  // namespace

void CheckSizes(const mjModel& m) {
  for (const ModelSize& size : kModelSizes) {
    const mjtSize value = m.*size.member;
    const bool too_large = !CountsBytes(size) && value > std::numeric_limits<int>::max();
    if (value < Lowest(size) || too_large) {
      throw Error("invalid size: " + std::string(size.name) + " = " + std::to_string(value));
    }
  }
}

size_t ModelBufferSize(const mjModel& sizes) {
  Layout layout;
  for (const ModelArray& array : kModelFields) layout.Place(ArrayBytes(array, sizes));
  return layout.size();
}

// The buffer is zero, because compilers of models fill only what an element has.
mjModel* MakeModel(const mjModel& sizes) {
  CheckSizes(sizes);
  const size_t nbuffer = ModelBufferSize(sizes);
  MemoryPtr<void> memory(AllocateMemory(sizeof(mjModel)));
  mjModel* m = static_cast<mjModel*>(std::memset(memory.get(), 0, sizeof(mjModel)));
  for (const ModelSize& size : kModelSizes) m->*size.member = sizes.*size.member;
  m->nbuffer = static_cast<mjtSize>(nbuffer);
  m->buffer = AllocateMemory(BufferWithPlace(nbuffer));
  std::memset(m->buffer, 0, nbuffer);
  MakeKeptPlace(*m);
  SetPointers(m);
  AddLiveObject(m);
  return static_cast<mjModel*>(memory.release());
}

mjModel* CopyModel(mjModel* dest, const mjModel& src) {
  if (dest == &src) return dest;
  if (dest) {
    CheckSameSizes(*dest, src);
  } else {
    dest = MakeModel(src);
  }
  CopyOptions(dest, src);
  CopyArrays(dest, src, /*scene_only=*/false);
  CopyKept(*dest, src);
  return dest;
}

void CopyModelForScene(mjModel* dest, const mjModel& src) {
  CheckSameSizes(*dest, src);
  CopyOptions(dest, src);
  CopyArrays(dest, src, /*scene_only=*/true);
}

void DeleteModel(mjModel* m) {
  if (!m) return;
  RemoveLiveObject(m, "m");
  EmptyKeptPlace(*m);
  FreeMemory(m->buffer);
  FreeMemory(m);
}

mjtNum TotalMass(const mjModel& m) {
  mjtNum total = 0;
  for (int b = 1; b < m.nbody; ++b) total += m.body_mass[b];
  return total;
}

// Inertia is proportional to mass when the density is scaled and the shape is kept.
void SetTotalMass(mjModel* m, mjtNum mass) {
  const mjtNum scale = std::max(mass, kMinMass) / std::max(TotalMass(*m), kMinMass);
  for (int b = 1; b < m->nbody; ++b) {
    m->body_mass[b] *= scale;
    for (int k = 0; k < 3; ++k) m->body_inertia[3 * b + k] *= scale;
  }
}

}  // namespace sinew::inline model
