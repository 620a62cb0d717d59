// The ranges of loops in stages: bodies and dofs that do not sleep, as runs of consecutive ids.
//
//   for (IdRuns bodies = AwakeBodies(m, d); !bodies.Done(); bodies.Next()) {
//     for (int b = bodies.begin(); b < bodies.end(); ++b) ...
//   }
//
// Where nothing sleeps there is one run of everything, so that sleeping costs nothing where it is not used. Bodies of a
// tree are consecutive, and so are its dofs: a run has whole trees. The results of a stage for a sleeping tree stay as
// they were when the tree fell asleep, after its velocities had become zero.
#ifndef SINEW_MODEL_STATE_AWAKE_KERNEL_H_
#define SINEW_MODEL_STATE_AWAKE_KERNEL_H_

#include <type_traits>

#include "model/state/awake.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline model {
inline namespace SINEW_ISA {

class IdRuns {
 public:
  // One run holds all ids of [begin, end).
  IdRuns(int begin, int end) : begin_(begin), end_(end) {}
  // The runs of an ascending list.
  static IdRuns OfList(const int* ids, int count) {
    IdRuns runs(0, 0);
    runs.ids_ = ids;
    runs.left_ = count;
    runs.Next();
    return runs;
  }

  bool Done() const { return begin_ >= end_; }
  void Next() {
    begin_ = end_;
    if (left_ == 0) return;
    begin_ = ids_[0];
    int n = 1;
    while (n < left_ && ids_[n] == begin_ + n) ++n;
    end_ = begin_ + n;
    ids_ += n;
    left_ -= n;
  }
  int begin() const { return begin_; }
  int end() const { return end_; }

 private:
  int begin_, end_;           // of the present run
  const int* ids_ = nullptr;  // those behind it
  int left_ = 0;
};

// The bodies that a stage visits, from `first` on: 0 takes the world in, 1 leaves it out. Static bodies count as awake.
inline IdRuns AwakeBodies(const mjModel* m, const mjData* d, int first = 1) {
  if (AnyAsleep(m, d)) return IdRuns::OfList(d->body_awake_ind + first, d->nbody_awake - first);
  return IdRuns(first, static_cast<int>(m->nbody));
}
inline IdRuns AwakeDofs(const mjModel* m, const mjData* d) {
  if (AnyAsleep(m, d)) return IdRuns::OfList(d->dof_awake_ind, d->nv_awake);
  return IdRuns(0, static_cast<int>(m->nv));
}

// The same in kernels, where a pack has no sleepers: a world that may sleep is stepped alone.
template <class S>
IdRuns AwakeBodies(const ModelView<S>& m, const DataView<S>& d, int first = 1) {
  if constexpr (std::is_same_v<S, double>) return AwakeBodies(m.raw(), d.raw(), first);
  return IdRuns(first, m.nbody());
}
template <class S>
IdRuns AwakeDofs(const ModelView<S>& m, const DataView<S>& d) {
  if constexpr (std::is_same_v<S, double>) return AwakeDofs(m.raw(), d.raw());
  return IdRuns(0, m.nv());
}
template <class S>
bool IsAwakeDof(const ModelView<S>& m, const DataView<S>& d, int dof) {
  if constexpr (!std::is_same_v<S, double>) return true;
  return !SleepEnabled(m.raw()) || d.raw()->tree_awake[m.dof_treeid(dof)];
}

// Kernels that keep results of sleeping trees ask this once, so that a world without sleepers pays one comparison.
template <class S>
bool HasSleepers(const ModelView<S>& m, const DataView<S>& d) {
  if constexpr (std::is_same_v<S, double>) return AnyAsleep(m.raw(), d.raw());
  return false;
}
template <class S>
bool IsAwakeBody(const ModelView<S>& m, const DataView<S>& d, int body) {
  if constexpr (!std::is_same_v<S, double>) return true;
  return !HasSleepers(m, d) || d.raw()->body_awake[body] != mjS_ASLEEP;
}

// Whether quantities about the centre of mass of a body's tree stay as they are. Sleeping trees on a static base share
// its centre, which moves with any tree on it.
template <class S>
bool KeepsCenter(const ModelView<S>& m, const DataView<S>& d, int body) {
  return !IsAwakeBody(m, d, body) && m.body_treeid(m.body_rootid(body)) >= 0;
}

template <class S>
bool IsAwakeActuator(const ModelView<S>& m, const DataView<S>& d, int actuator) {
  if constexpr (std::is_same_v<S, double>) return !IsAsleep(m.raw(), d.raw(), mjOBJ_ACTUATOR, actuator);
  return true;
}

// Joints, geoms and sites are stored body by body in ascending order. The range of those that belong to the bodies
// [begin, end) follows from a binary search; body(i) is the owner of element i, of `count` in all.
struct ElementRange {
  int begin, end;
};
template <class Body>
ElementRange ElementsOf(int begin, int end, int count, const Body& body) {
  const auto first_from = [&](int b) {
    int low = 0, high = count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (body(middle) < b) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  if (count == 0) return {0, 0};
  return {body(0) >= begin ? 0 : first_from(begin), body(count - 1) < end ? count : first_from(end)};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STATE_AWAKE_KERNEL_H_
