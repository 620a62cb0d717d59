// LaneData<S>: the worlds of a pack, and the kernels on them. S is a pack; every array of mjData's main buffer has one
// of the same name and shape whose elements are packs.
#ifndef SINEW_BATCH_LANE_DATA_H_
#define SINEW_BATCH_LANE_DATA_H_

#include <cstdlib>
#include <type_traits>

#include "batch/lane_ops.h"
#include "batch/pack_stages_kernel.h"
#include "model/lane_arrays.h"
#include "simd/flatten.h"

namespace sinew {
inline namespace SINEW_ISA {

template <class S>
class LaneData {
 public:
  // Storage for a pack; null when memory is short.
  static LaneData* Make(const mjModel* m) {
    auto* data = static_cast<LaneData*>(Allocate(sizeof(LaneData)));
    if (!data) return nullptr;
    *data = LaneData(m);  // which is trivially copied: memory of the heap holds one (C++20, [intro.object])
    if (data->memory_) return data;
    Free(data);
    return nullptr;
  }
  static void Free(LaneData* data) {
    if (data) std::free(data->memory_);
    std::free(data);
  }

  // Real numbers go to their lane. Integers are shared: they follow from the model, so that any world's will do.
  void Load(int lane, const mjData* d) {
    mjData& world = const_cast<mjData&>(*d);  // only read
    lanes_.time.Set(lane, world.time);
    ForLaneArrays(*m_, world, lanes_, [lane](size_t count, auto* from, auto* to) {
      for (size_t i = 0; i < count; ++i) SetLane(to[i], lane, from[i]);
    });
  }
  void Save(int lane, mjData* d) const {
    d->time = lanes_.time[lane];
    ForLaneArrays(*m_, *d, const_cast<DataLanes<S>&>(lanes_), [lane](size_t count, auto* to, auto* from) {
      for (size_t i = 0; i < count; ++i) GetLane(from[i], lane, to[i]);
    });
  }

  SINEW_FLATTEN void Forward() {
    const ModelView<S> m(m_, fields_);
    const DataView<S> d(&lanes_);
    ForwardStages(PackStages<S>(m, d, memory_), mjSTAGE_NONE, /*skip_sensors=*/false);
  }
  SINEW_FLATTEN void Euler() {
    const ModelView<S> m(m_, fields_);
    const DataView<S> d(&lanes_);
    EulerStages(PackStages<S>(m, d, memory_), /*reuse_factors=*/false);
  }

 private:
  using Number = typename LaneTraits<S>::Lane;
  static constexpr size_t kAlignment = 64;  // a cache line, and the widest register

  explicit LaneData(const mjModel* m) : m_(m), lanes_{}, fields_{} {
    // one block of memory: sizes first, then addresses
    const size_t scratch = Padded(PackScratch<S>::Bytes(*m));
    size_t bytes = scratch;
    mjData none{};
    ForLaneArrays(*m, none, lanes_, [&](size_t count, auto*, auto* array) { bytes += Padded(count * sizeof(*array)); });
    memory_ = static_cast<char*>(Allocate(bytes));
    if (!memory_) return;
    __builtin_memset(memory_, 0, bytes);
    char* next = memory_ + scratch;
    ForLaneArrays(*m, none, lanes_, [&](size_t count, auto*, auto*& array) {
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(next);
      next += Padded(count * sizeof(*array));
    });
  }

  static size_t Padded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
  static void* Allocate(size_t bytes) { return std::aligned_alloc(kAlignment, Padded(bytes)); }

  static void SetLane(S& to, int lane, mjtNum from) { to.Set(lane, static_cast<Number>(from)); }
  static void GetLane(const S& from, int lane, mjtNum& to) { to = from[lane]; }
  template <class Whole>
  static void SetLane(Whole& to, int, const Whole& from) {
    to = from;
  }
  template <class Whole>
  static void GetLane(const Whole& from, int, Whole& to) {
    to = from;
  }

  const mjModel* m_;
  DataLanes<S> lanes_;
  const S* fields_[static_cast<int>(ModelField::kCount)];  // fields with values of their own in each world: none yet
  char* memory_ = nullptr;                                 // scratch, then the arrays
};

// The table of functions for packs of type S.
template <class S>
constexpr LaneOps MakeLaneOps(const char* name, InstructionSet isa) {
  using Data = LaneData<S>;
  const auto make = [](const mjModel* m) { return reinterpret_cast<LaneStore*>(Data::Make(m)); };
  const auto free = [](LaneStore* store) { Data::Free(reinterpret_cast<Data*>(store)); };
  const auto load = [](LaneStore* store, int lane, const mjData* d) { reinterpret_cast<Data*>(store)->Load(lane, d); };
  const auto save = [](const LaneStore* store, int lane, mjData* d) {
    reinterpret_cast<const Data*>(store)->Save(lane, d);
  };
  const auto forward = [](LaneStore* store) { reinterpret_cast<Data*>(store)->Forward(); };
  const auto euler = [](LaneStore* store) { reinterpret_cast<Data*>(store)->Euler(); };
  return {name, isa, LaneTraits<S>::kWidth, make, free, load, save, forward, euler};
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_BATCH_LANE_DATA_H_
