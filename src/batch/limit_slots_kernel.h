// Limits of hinges and slides in lanes: which of them each lane touches, and the rows of the union's limit slots
// (constraint/limit.cc). Of a limit in lanes only the position differs.
#ifndef SINEW_BATCH_LIMIT_SLOTS_KERNEL_H_
#define SINEW_BATCH_LIMIT_SLOTS_KERNEL_H_

#include "batch/lane_worlds.h"
#include "constraint/impedance.h"
#include "model/data_view.h"
#include "model/model_view.h"
#include "solve/slots.h"

namespace sinew {
inline namespace SINEW_ISA {

// One end of the range of a joint: distance = sign (position - bound), sign +1 at the lower end (side 0), -1 at the
// upper.
template <class S>
struct LimitEnd {
  S sign, distance;
  MaskOf<S> touches;

  LimitEnd(const ModelView<S>& m, const DataView<S>& d, int joint, int side) {
    using Number = typename LaneTraits<S>::Lane;
    const mjModel& model = *m.raw();
    sign = S(static_cast<Number>(side == 0 ? 1 : -1));
    const S bound(static_cast<Number>(model.jnt_range[2 * joint + side]));
    distance = sign * (d.qpos_data()[model.jnt_qposadr[joint]] - bound);
    touches = distance < S(static_cast<Number>(model.jnt_margin[joint]));
  }
};

// Lists for each lane the ends that it touches. Every end is written to the next place, and the place is kept where the
// lane touches it: this has no branch within a lane.
template <class S>
void FindLimits(const ModelView<S>& m, const DataView<S>& d, const LaneLimits& limits) {
  constexpr int kWidth = LaneTraits<S>::kWidth;
  for (int lane = 0; lane < kWidth; ++lane) limits.touched_count[lane] = 0;
  for (int i = 0; i < 2 * limits.count; ++i) {
    const LimitEnd<S> end(m, d, limits.joint[i / 2], i % 2);
    if (!Any(end.touches)) continue;
    for (int lane = 0; lane < kWidth; ++lane) {
      int& count = limits.touched_count[lane];
      limits.touched[lane * 2 * limits.count + count] = i;
      count += end.touches.Lane(lane);
    }
  }
}

// The rows of all limits of the union, zero in lanes that do not touch them.
template <class S>
void FillLimitSlots(const ModelView<S>& m, const DataView<S>& d, const LaneSlots& slots) {
  using Number = typename LaneTraits<S>::Lane;
  const auto number = [](double a) { return S(static_cast<Number>(a)); };
  const mjModel& model = *m.raw();
  for (int i = 0; i < slots.limits; ++i) {
    const LaneLimit& limit = slots.limit[i];
    const int joint = limit.joint, dof = model.jnt_dofadr[joint], first = slots.slot[limit.slot].first;
    const LimitEnd<S> end(m, d, joint, limit.side);
    const double margin = model.jnt_margin[joint];
    const ImpedanceAt<S> impedance = EvaluateImpedance<S>(model.jnt_solimp + mjNIMP * joint, end.distance, margin);
    const ReferenceGains gains = GainsOf(&model, model.jnt_solref + mjNREF * joint, nullptr, impedance.dwidth);
    const S ratio = (S(1) - impedance.value) / impedance.value;
    const S R = Max(number(kMinVal), ratio * number(model.dof_invweight0[dof]));
    const S aref =
        ReferenceOfRow(gains.K, gains.B, impedance.value, end.sign * d.qvel(dof), end.distance - number(margin));
    const auto write = [&end](double* to, int index, S x) {
      reinterpret_cast<S*>(to)[index] = Select(end.touches, x, S(0));
    };
    write(slots.jacobian[limit.slot], 0, end.sign);
    write(slots.aref, first, aref);
    write(slots.D, first, S(1) / R);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_BATCH_LIMIT_SLOTS_KERNEL_H_
