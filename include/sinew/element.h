// What elements of models and worlds have in common (elements.h).
#ifndef SINEW_ELEMENT_H_
#define SINEW_ELEMENT_H_

#include <mujoco/mujoco.h>
#include <sinew/error.h>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinew {
inline namespace face {

// Jacobians of a point, 3 x nv each, stored by rows: its velocity is position * qvel, the angular velocity of its frame
// rotation * qvel, both in the world frame.
struct Jacobian {
  std::vector<double> position, rotation;
};

template <class Function>
Jacobian JacobianOf(const mjModel* m, const mjData* d, int id, Function function) {
  const size_t size = 3 * static_cast<size_t>(m->nv);
  Jacobian jacobian{std::vector<double>(size), std::vector<double>(size)};
  Checked([&] { function(m, d, jacobian.position.data(), jacobian.rotation.data(), id); });
  return jacobian;
}

// A row of tables: spans over parts of arrays. Owner: what the element belongs to, const where it may not be changed.
template <class Owner>
class ElementOf {
 protected:
  template <class T>
  using Value = std::conditional_t<std::is_const_v<Owner>, const T, T>;

  ElementOf(const mjModel* m, int id) : m_(m), id_(id) {}

  template <class T>
  Value<T>& One(T* array) const {
    return array[id_];
  }
  template <size_t N, bool kReadOnly = false, class T>
  auto Row(T* array) const {
    using Number = std::conditional_t<kReadOnly, const T, Value<T>>;
    return std::span<Number, N>(array + static_cast<ptrdiff_t>(N) * id_, N);
  }
  template <class T>
  std::span<Value<T>> Row(T* array, mjtSize columns) const {
    return {array + static_cast<ptrdiff_t>(columns) * id_, static_cast<size_t>(columns)};
  }
  template <class T>
  std::span<Value<T>> Part(T* array, int first, int count) const {
    return {array + first, static_cast<size_t>(count)};
  }

  // A joint has coordinates, and degrees of freedom with `columns` numbers each.
  template <class T>
  std::span<Value<T>> Positions(T* array) const {
    return Part(array, m_->jnt_qposadr[id_], Width(7, 4));
  }
  template <class T>
  std::span<Value<T>> Dofs(T* array, int columns = 1) const {
    return Part(array, columns * m_->jnt_dofadr[id_], columns * Width(6, 3));
  }
  template <class T>
  static std::span<const T> Const(std::span<T> numbers) {
    return numbers;
  }

  const mjModel* m_;
  int id_;

 private:
  int Width(int free, int ball) const {
    const int type = m_->jnt_type[id_];
    return type == mjJNT_FREE ? free : type == mjJNT_BALL ? ball : 1;
  }
};

// An element of a world. D: mjData, or const mjData.
template <class D>
class Element : public ElementOf<D> {
 public:
  Element(const mjModel* m, D* d, int id) : ElementOf<D>(m, id), d_(d) {}
  int id() const { return this->id_; }

 protected:
  D* d_;
};

// An element of a model. M: mjModel, or const mjModel.
template <class M>
class Parameters : public ElementOf<M> {
 public:
  Parameters(M* m, int id) : ElementOf<M>(m, id), m_(m) {}
  int id() const { return this->id_; }

 protected:
  M* m_;
};

}  // namespace face
}  // namespace sinew

#endif  // SINEW_ELEMENT_H_
