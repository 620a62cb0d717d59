// LaneData<S>: the worlds of a pack, and the kernels on them. S is a pack; every array of mjData's main buffer has one
// of the same name and shape whose elements are packs.
#ifndef SINEW_BATCH_ISA_LANE_DATA_H_
#define SINEW_BATCH_ISA_LANE_DATA_H_

#include <cstdlib>
#include <type_traits>

#include "batch/pack/pack_linearization_kernel.h"
#include "batch/pack/pack_stages_kernel.h"
#include "batch/plan/lane_ops.h"
#include "model/view/lane_arrays.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// LaneData is the storage of one pack: the arrays, scratch for stages, and the worlds of the lanes, which belong to
// somebody else. The memory is one block, aligned to the widest register.
template <class S>
class LaneData {
 public:
  // Storage for a pack; null when memory is short.
  static LaneData* Make(const mjModel* m, LaneWorlds* worlds) {
    auto* data = static_cast<LaneData*>(Allocate(sizeof(LaneData)));
    if (!data) return nullptr;
    *data = LaneData(m, worlds);  // which is trivially copied: memory of the heap holds one (C++20, [intro.object])
    if (data->memory_) {
      for (int lane = 0; lane < kWidth; ++lane) data->Load(lane, worlds->World(lane));  // integers, above all
      return data;
    }
    Free(data);
    return nullptr;
  }
  static void Free(LaneData* data) {
    if (!data) return;
    for (S* numbers : data->fields_) std::free(numbers);
    std::free(data->gradient_memory_);
    std::free(data->memory_);
    std::free(data);
  }

  // Real numbers go to their lane. Integers are shared: they follow from the model, so that any world's will do.
  void Load(int lane, const mjData* d) {
    mjData& world = const_cast<mjData&>(*d);  // only read
    SetTime(lane, world.time);
    mjData* own = worlds_->World(lane);
    for (mjtSize i = 0; i < m_->neq; ++i) own->eq_active[i] = world.eq_active[i];
    for (mjtSize i = 0; i < m_->nhistory; ++i) own->history[i] = world.history[i];
    CopyTendonPaths(world, own);
    ForLaneArrays(*m_, world, lanes_, [lane](size_t count, auto* from, auto* to) {
      for (size_t i = 0; i < count; ++i) SetLane(to[i], lane, from[i]);
    });
  }
  // Writes one lane into a mjData of the same model; arrays of the arena are not touched.
  void Save(int lane, mjData* d) {
    ArraySet all;
    __builtin_memset(&all, 0xff, sizeof(all));
    Save(lane, d, all);
  }
  void Save(int lane, mjData* d, const ArraySet& arrays) {
    d->time = Time(lane);
    unsigned array = 0;
    ForLaneArrays(*m_, *d, lanes_, [&](size_t count, auto* to, auto* from) {
      const bool is_wanted = arrays.words[array / 64] >> array % 64 & 1;
      ++array;
      if (!is_wanted) return;
      const void* numbers = from;
      // anchors are in the lane's world
      if (numbers == lanes_.history && m_->nhistory > 0) {
        __builtin_memcpy(to, worlds_->World(lane)->history, count * sizeof(*to));
        return;
      }
      if (numbers == lanes_.geom_xpos || numbers == lanes_.geom_xmat) {
        CompleteGeoms(ModelView<S>(m_, fields_), DataView<S>(&lanes_), *worlds_, rows_);
      }
      for (size_t i = 0; i < count; ++i) GetLane(from[i], lane, to[i]);
    });
    CopyTendonPaths(*worlds_->World(lane), d);
  }
  void KeepForces(bool keep) { rows_.keep_forces = keep; }

  // Lanes that have none of their own yet take those of the first one that has.
  bool LoadParameter(int lane, int field, const mjtNum* numbers, size_t count) {
    const bool is_first = !fields_[field];
    if (is_first) fields_[field] = static_cast<S*>(Allocate(count * sizeof(S)));
    if (!fields_[field]) return false;
    for (size_t i = 0; i < count; ++i) {
      if (is_first) fields_[field][i] = S(static_cast<Number>(numbers[i]));
      SetLane(fields_[field][i], lane, numbers[i]);
    }
    return true;
  }

  // The parts of mjSTATE_INTEGRATION, in their order. Whether equalities are active is known to the lane's world.
  void LoadState(int lane, const mjtNum* state) {
    const mjtNum time = *state;
    ForState(
        [&](S* array, mjtSize count) {
          for (mjtSize i = 0; i < count; ++i) SetLane(array[i], lane, *state++);
        },
        [&](mjtByte* active, mjtSize count) {
          for (mjtSize i = 0; i < count; ++i) active[i] = static_cast<mjtByte>(*state++);
        },
        [&](mjtNum* own, mjtSize count) {
          for (mjtSize i = 0; i < count; ++i) own[i] = *state++;
        },
        worlds_->World(lane));
    SetTime(lane, time);
  }
  void SaveState(int lane, mjtNum* state) const {
    mjtNum& time = *state;
    ForState(
        [&](const S* array, mjtSize count) {
          for (mjtSize i = 0; i < count; ++i) *state++ = static_cast<mjtNum>(array[i][lane]);
        },
        [&](const mjtByte* active, mjtSize count) {
          for (mjtSize i = 0; i < count; ++i) *state++ = active[i];
        },
        [&](const mjtNum* own, mjtSize count) {
          for (mjtSize i = 0; i < count; ++i) *state++ = own[i];
        },
        worlds_->World(lane));
    time = Time(lane);
  }
  // The parts that steps change.
  void SaveMotion(int lane, mjtNum* state) const {
    *state++ = Time(lane);
    ForMotion(
        [&](const S* array, mjtSize count) {
          for (mjtSize i = 0; i < count; ++i) *state++ = static_cast<mjtNum>(array[i][lane]);
        },
        [&](const mjtNum* own, mjtSize count) {
          for (mjtSize i = 0; i < count; ++i) *state++ = own[i];
        },
        worlds_->World(lane));
  }

  // Computes what mj_forward computes, for all lanes; nothing moves.
  void Forward() {
    Stages([](const auto& w) { ForwardStages(w, mjSTAGE_NONE, /*skip_sensors=*/false); }, nullptr);
  }
  void Euler() {
    Stages([](const auto& w) { EulerStages(w, /*reuse_factors=*/false); }, nullptr);
    AdvanceTimes();
  }
  // Does what mj_step does, for all lanes. `status` has one entry a lane and is overwritten.
  void Step(LaneStatus* status) {
    __builtin_memset(status, 0, sizeof(LaneStatus) * static_cast<size_t>(kWidth));
    Stages([this](const auto& w) { StepStages(w, m_->opt.integrator); }, status);
    AdvanceTimes();
    for (int lane = 0; lane < kWidth; ++lane) Report(lane, status[lane]);
  }

  // Forward dynamics and their derivatives (LaneOps). Memory for these is taken when it is first needed.
  bool Linearize(LaneTransition* of_lanes) {
    const ModelView<S> m(m_, fields_);
    const DataView<S> d(&lanes_);
    const PackWorlds<S> w(m, d, *worlds_, rows_);
    if (!gradient_memory_) {
      WorkMemory count(nullptr);
      static_cast<void>(PackLinearizationMemory<S>(w, rows_.problem, nullptr, count));
      gradient_memory_ = static_cast<char*>(Allocate(count.used()));
      if (!gradient_memory_) return false;
    }
    Stages([](const auto& stages) { ForwardStages(stages, mjSTAGE_NONE, /*skip_sensors=*/true); }, nullptr);
    unsigned possible = 0;
    for (int lane = 0; lane < kWidth; ++lane) {
      // A report counts contacts that the lane's world does not hold: it comes after the look at those it holds.
      bool alone = HasCompliantContact(w.World(lane));
      LaneStatus status = {};
      Report(lane, status);
      of_lanes[lane].constraints = status.constraints;
      alone |= status.warnings != 0 || status.is_short_of_room;
      if (!alone) possible |= 1u << lane;
    }
    LinearizePack(w, HasStepMatrix(m_), possible, gradient_memory_, of_lanes);
    return true;
  }

  const PackUse& use() const { return rows_.use; }

 private:
  using Number = typename LaneTraits<S>::Lane;
  static constexpr int kWidth = LaneTraits<S>::kWidth;
  static constexpr size_t kAlignment = 64;  // a cache line, and the widest register

  LaneData(const mjModel* m, LaneWorlds* worlds) : m_(m), worlds_(worlds), lanes_{}, fields_{}, rows_{} {
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

  // Runs stages on views of the arrays; `run` takes the PackStages.
  template <class Run>
  void Stages(const Run& run, LaneStatus* status) {
    const ModelView<S> m(m_, fields_);
    const DataView<S> d(&lanes_);
    const auto load = [](void* self, int lane) {
      auto* data = static_cast<LaneData*>(self);
      data->Load(lane, data->worlds_->World(lane));
    };
    const PackContext<S> context = {memory_, worlds_, &rows_, status, load, this};
    run(PackStages<S>(m, d, context));
  }

  // A clock of floats would stand still after some hours: packs of float have theirs in the lanes' worlds.
  mjtNum Time(int lane) const {
    if constexpr (kIsSingle<S>) return worlds_->World(lane)->time;
    return lanes_.time[lane];
  }
  void SetTime(int lane, mjtNum time) {
    lanes_.time.Set(lane, static_cast<Number>(time));
    if constexpr (kIsSingle<S>) worlds_->World(lane)->time = time;
  }
  void AdvanceTimes() {
    if constexpr (kIsSingle<S>) {
      for (int lane = 0; lane < kWidth; ++lane) SetTime(lane, Time(lane) + worlds_->Model(lane).opt.timestep);
    }
  }

  // Reports warnings and results of the step, from the lane's world and from the pack.
  void Report(int lane, LaneStatus& status) const {
    mjData* d = worlds_->World(lane);
    constexpr int kFull[] = {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL};
    for (const int kind : kFull) {
      if (d->warning[kind].number == 0) continue;
      status.warnings |= 1 << kind;
      status.index[kind] = d->warning[kind].lastinfo;
      d->warning[kind].number = 0;
    }
    status.contacts = worlds_->Contacts(lane);
    status.rows = worlds_->Rows(lane);
    status.constraints = worlds_->Constraints(lane);
    status.is_short_of_room = worlds_->TakeShortage(lane);
    status.iterations = static_cast<int>(rows_.iterations[lane]);
  }

  // Calls numbers(array of the pack, count), or bytes or own(array of the lane's world, count), for the parts of a
  // state.
  template <class Numbers, class Bytes, class Own>
  void ForState(const Numbers& numbers, const Bytes& bytes, const Own& own, mjData* world) const {
    auto& lanes = const_cast<DataLanes<S>&>(lanes_);
    numbers(&lanes.time, 1);
    ForMotion(numbers, own, world);
    numbers(lanes.ctrl, m_->nu);
    numbers(lanes.qfrc_applied, m_->nv);
    numbers(lanes.xfrc_applied, 6 * m_->nbody);
    bytes(world->eq_active, m_->neq);
    numbers(lanes.mocap_pos, 3 * m_->nmocap);
    numbers(lanes.mocap_quat, 4 * m_->nmocap);
    own(world->userdata, m_->nuserdata);
    own(world->plugin_state, m_->npluginstate);
  }

  // The parts that steps change but the time, in their order. The history of packs is anchors, which the lane's world
  // has.
  template <class Numbers, class Own>
  void ForMotion(const Numbers& numbers, const Own& own, mjData* world) const {
    auto& lanes = const_cast<DataLanes<S>&>(lanes_);
    numbers(lanes.qpos, m_->nq);
    numbers(lanes.qvel, m_->nv);
    numbers(lanes.act, m_->na);
    own(world->history, m_->nhistory);
    numbers(lanes.qacc_warmstart, m_->nv);
  }

  // Which geoms tendons touch is known to the lane's world.
  void CopyTendonPaths(const mjData& from, mjData* to) const {
    if (&from == to) return;
    for (mjtSize i = 0; i < m_->ntendon; ++i) {
      to->ten_wrapadr[i] = from.ten_wrapadr[i];
      to->ten_wrapnum[i] = from.ten_wrapnum[i];
    }
    for (mjtSize i = 0; i < 2 * m_->nwrap; ++i) to->wrap_obj[i] = from.wrap_obj[i];
    for (mjtSize i = 0; i < 6 * m_->nwrap; ++i) to->wrap_xpos[i] = from.wrap_xpos[i];
  }

  static size_t Padded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
  static void* Allocate(size_t bytes) { return std::aligned_alloc(kAlignment, Padded(bytes)); }

  static void SetLane(S& to, int lane, mjtNum from) { to.Set(lane, static_cast<Number>(from)); }
  static void GetLane(const S& from, int lane, mjtNum& to) { to = static_cast<mjtNum>(from[lane]); }
  template <class Whole>
  static void SetLane(Whole& to, int, const Whole& from) {
    to = from;
  }
  template <class Whole>
  static void GetLane(const Whole& from, int, Whole& to) {
    to = from;
  }

  const mjModel* m_;
  LaneWorlds* worlds_;
  DataLanes<S> lanes_;
  S* fields_[static_cast<int>(ModelField::kCount)];  // those that have values of their own in each lane
  PackRows<S> rows_;
  char* memory_ = nullptr;           // scratch, then the arrays
  char* gradient_memory_ = nullptr;  // of LinearizePack
};

// The table of functions for packs of type S.
template <class S>
constexpr LaneOps MakeLaneOps(const char* name, InstructionSet isa) {
  using Data = LaneData<S>;
  const auto make = [](const mjModel* m, LaneWorlds* worlds) {
    return reinterpret_cast<LaneStore*>(Data::Make(m, worlds));
  };
  const auto free = [](LaneStore* store) { Data::Free(reinterpret_cast<Data*>(store)); };
  const auto load = [](LaneStore* store, int lane, const mjData* d) { reinterpret_cast<Data*>(store)->Load(lane, d); };
  const auto save = [](LaneStore* store, int lane, mjData* d) { reinterpret_cast<Data*>(store)->Save(lane, d); };
  const auto save_some = [](LaneStore* store, int lane, mjData* d, const ArraySet* arrays) {
    reinterpret_cast<Data*>(store)->Save(lane, d, *arrays);
  };
  const auto keep_forces = [](LaneStore* store, bool keep) { reinterpret_cast<Data*>(store)->KeepForces(keep); };
  const auto forward = [](LaneStore* store) { reinterpret_cast<Data*>(store)->Forward(); };
  const auto euler = [](LaneStore* store) { reinterpret_cast<Data*>(store)->Euler(); };
  const auto load_state = [](LaneStore* store, int lane, const mjtNum* state) {
    reinterpret_cast<Data*>(store)->LoadState(lane, state);
  };
  const auto save_state = [](const LaneStore* store, int lane, mjtNum* state) {
    reinterpret_cast<const Data*>(store)->SaveState(lane, state);
  };
  const auto save_motion = [](const LaneStore* store, int lane, mjtNum* state) {
    reinterpret_cast<const Data*>(store)->SaveMotion(lane, state);
  };
  const auto load_parameter = [](LaneStore* store, int lane, int field, const mjtNum* numbers, size_t count) {
    return reinterpret_cast<Data*>(store)->LoadParameter(lane, field, numbers, count);
  };
  const auto step = [](LaneStore* store, LaneStatus* status) { reinterpret_cast<Data*>(store)->Step(status); };
  const auto use = [](const LaneStore* store, PackUse* to) { *to = reinterpret_cast<const Data*>(store)->use(); };
  bool (*linearize)(LaneStore*, LaneTransition*) = nullptr;
  if constexpr (!kIsSingle<S>) {
    linearize = [](LaneStore* store, LaneTransition* of_lanes) {
      return reinterpret_cast<Data*>(store)->Linearize(of_lanes);
    };
  }
  return {name,       isa,        LaneTraits<S>::kWidth, make,           free,    load,  save, save_some, keep_forces,
          load_state, save_state, save_motion,           load_parameter, forward, euler, step, linearize, use};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_ISA_LANE_DATA_H_
