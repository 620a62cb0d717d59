// ModelSource<S>: where a ModelView<S> reads the real fields of mjModel.
//
// One world reads mjModel. A pack of worlds reads it too, the same value for all lanes, unless the batch has values of
// its own for the field (domain randomization): then a table of lane arrays names them.
#ifndef SINEW_MODEL_VIEW_MODEL_SOURCE_H_
#define SINEW_MODEL_VIEW_MODEL_SOURCE_H_

#include <mujoco/mujoco.h>

#include <type_traits>

#include "model/view/model_field_generated.h"
#include "simd/isa.h"
#include "simd/pack.h"

namespace sinew::inline model {
inline namespace SINEW_ISA {

// A row of numbers of a pack of worlds: one S per column when the batch has values of its own, else the model's numbers
// broadcast to all lanes.
template <class S>
class LaneRow {
 public:
  LaneRow(const S* lanes, const mjtNum* shared) : lanes_(lanes), shared_(shared) {}
  S operator[](int i) const { return lanes_ ? lanes_[i] : S(static_cast<typename LaneTraits<S>::Lane>(shared_[i])); }

 private:
  const S* lanes_;  // null: every world has the same values
  const mjtNum* shared_;
};

template <class S>
using RowOf = std::conditional_t<std::is_same_v<S, mjtNum>, const mjtNum*, LaneRow<S>>;

// A row of several numbers as a struct T: of one world, where it stands; of a pack, its value.
template <class S, class T>
using StructOf = std::conditional_t<std::is_same_v<S, mjtNum>, const T&, T>;

template <class S>
class ModelSource {
 public:
  // `lanes` has an entry for each ModelField, null where all worlds share the model's value.
  ModelSource(const mjModel* m, const S* const* lanes) : m_(m), lanes_(lanes) {}
  const mjModel* raw() const { return m_; }

 protected:
  // Element i of a field whose elements are of type T: S itself, or a struct of several S.
  template <class T>
  T Load(ModelField field, const mjtNum* shared, int i) const {
    static_assert(std::is_standard_layout_v<T> && sizeof(T) % sizeof(S) == 0);
    constexpr int kCount = sizeof(T) / sizeof(S);
    if (const S* lanes = Lanes(field)) return reinterpret_cast<const T*>(lanes)[i];
    T value;
    const LaneRow<S> row(nullptr, shared + kCount * i);
    for (int k = 0; k < kCount; ++k) reinterpret_cast<S*>(&value)[k] = row[k];
    return value;
  }

  // `stride` is the number of columns of the field.
  LaneRow<S> Row(ModelField field, const mjtNum* shared, int i, int stride) const {
    const S* lanes = Lanes(field);
    return LaneRow<S>(lanes ? lanes + stride * i : nullptr, shared + stride * i);
  }

 private:
  const S* Lanes(ModelField field) const { return lanes_[static_cast<int>(field)]; }

  const mjModel* m_;
  const S* const* lanes_;
};

// One world reads mjModel itself: no copy, and no table of overrides.
template <>
class ModelSource<mjtNum> {
 public:
  ModelSource(const mjModel* m) : m_(m) {}  // NOLINT: kernels are called with mjModel*
  const mjModel* raw() const { return m_; }

 protected:
  template <class T>
  const T& Load(ModelField, const mjtNum* shared, int i) const {
    static_assert(std::is_standard_layout_v<T> && sizeof(T) % sizeof(mjtNum) == 0);
    return reinterpret_cast<const T*>(shared)[i];
  }

  // The pointer is to row i, so that callers index columns.
  const mjtNum* Row(ModelField, const mjtNum* shared, int i, int stride) const { return shared + stride * i; }

 private:
  const mjModel* m_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_MODEL_SOURCE_H_
