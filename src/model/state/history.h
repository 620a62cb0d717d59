// History buffers: the recent samples of a control or sensor, with their times, in mjData.history.
//
//   [ user, cursor, times (n), values (n x dim) ]
//
// Samples form a ring; the cursor is the index of the newest. The user slot of a sensor holds the time of its latest
// measurement. Samples are numbered here from the oldest, 0, to the newest, n - 1.
#ifndef SINEW_MODEL_STATE_HISTORY_H_
#define SINEW_MODEL_STATE_HISTORY_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"
#include "simd/pack.h"

namespace sinew::inline model {

// How a value between two samples is found.
enum class Interpolation { kHold = 0, kLinear = 1, kCubic = 2 };

inline namespace SINEW_ISA {

// A view of one buffer. In a pack of worlds the numbers of one lane lie `stride` apart.
template <class T>
class HistoryBuffer {
 public:
  HistoryBuffer(T* base, int samples, int dim, int stride = 1)
      : base_(base), samples_(samples), dim_(dim), stride_(stride) {}

  int samples() const { return samples_; }
  int dim() const { return dim_; }
  T& User() const { return base_[0]; }
  T& Time(int i) const { return base_[(2 + RingIndex(i)) * stride_]; }
  // The cursor is stored as a real number since the buffer is part of the state vector.
  void SetCursor(int index) const { base_[stride_] = static_cast<T>(index); }
  T* Value(int i) const { return base_ + (2 + samples_ + RingIndex(i) * dim_) * stride_; }

  // Adds a sample, in the order of times, and drops the oldest. A sample of the same time is overwritten.
  void Insert(T time, const T* value) const { Store(MakeRoom(time), time, value); }

  // Makes i the time and value of sample i; either may be null, and is kept.
  void Fill(const T* times, const T* values) const;

  // The sample that is the value at `time`, or -1 when samples have to be interpolated. Before the oldest and after the
  // newest sample, theirs are the values.
  int Exact(T time, Interpolation interpolation) const;

  // Component k at a time for which Exact returns -1.
  T Interpolate(T time, Interpolation interpolation, int k) const;

 private:
  int RingIndex(int i) const { return (static_cast<int>(base_[stride_]) + 1 + i) % samples_; }
  T Component(int i, int k) const { return Value(i)[k * stride_]; }

  void Store(int i, T time, const T* value) const {
    Time(i) = time;
    for (int k = 0; k < dim_; ++k) Value(i)[k * stride_] = value[k];
  }

  static bool Same(T a, T b) { return Abs(a - b) < T(kMinVal); }
  // Makes a free sample at the right place for a time and returns its number: that of the same time, else the oldest
  // one, moved up to where the time belongs.
  int MakeRoom(T time) const;

  // Number of the last sample that is not newer than `time`, -1 when all are.
  int Before(T time) const;

  // Slope at sample i for cubic interpolation, zero at both ends.
  T Slope(int i, int k) const;

  T* base_;
  int samples_, dim_, stride_;
};

template <class T>
int HistoryBuffer<T>::Before(T time) const {
  int i = samples_ - 1;
  while (i >= 0 && Time(i) > time) --i;
  return i;
}

template <class T>
int HistoryBuffer<T>::MakeRoom(T time) const {
  for (int i = 0; i < samples_; ++i) {
    if (Same(Time(i), time)) return i;
  }
  const int before = Before(time);
  if (before == samples_ - 1) {
    // A time newer than all turns the ring by one, which costs nothing; this is what every step does.
    base_[stride_] = static_cast<T>(RingIndex(0));
    return samples_ - 1;
  }
  if (before < 0) return 0;
  for (int i = 0; i < before; ++i) {
    Time(i) = Time(i + 1);
    for (int k = 0; k < dim_; ++k) Value(i)[k * stride_] = Component(i + 1, k);
  }
  return before;
}

template <class T>
void HistoryBuffer<T>::Fill(const T* times, const T* values) const {
  if (times) base_[stride_] = static_cast<T>(samples_ - 1);
  for (int i = 0; i < samples_; ++i) {
    if (times) Time(i) = times[i];
    for (int k = 0; values && k < dim_; ++k) Value(i)[k * stride_] = values[i * dim_ + k];
  }
}

template <class T>
int HistoryBuffer<T>::Exact(T time, Interpolation interpolation) const {
  const int last = samples_ - 1;
  if (time <= Time(0)) return 0;
  if (time >= Time(last)) return last;
  const int before = Before(time);
  if (Same(Time(before), time)) return before;
  if (Same(Time(before + 1), time)) return before + 1;
  return interpolation == Interpolation::kHold ? before : -1;
}

template <class T>
T HistoryBuffer<T>::Slope(int i, int k) const {
  if (i == 0 || i == samples_ - 1) return T(0);
  return (Component(i + 1, k) - Component(i - 1, k)) / (Time(i + 1) - Time(i - 1));
}

template <class T>
T HistoryBuffer<T>::Interpolate(T time, Interpolation interpolation, int k) const {
  const int i = Before(time);
  const T width = Time(i + 1) - Time(i), s = (time - Time(i)) / width;
  const T v0 = Component(i, k), v1 = Component(i + 1, k);
  if (interpolation == Interpolation::kLinear) return v0 + (v1 - v0) * s;

  // Cubic Hermite polynomials, with the slopes of Slope() at both ends.
  const T s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * v0 + (3 * s2 - 2 * s3) * v1 + (s3 - 2 * s2 + s) * width * Slope(i, k) +
         (s3 - s2) * width * Slope(i + 1, k);
}

}  // namespace SINEW_ISA

// ---- the buffers of a world

// The buffer of an actuator or sensor that has one (samples > 0).
HistoryBuffer<mjtNum> CtrlHistory(const mjModel* m, const mjData* d, int actuator);
HistoryBuffer<mjtNum> SensorHistory(const mjModel* m, const mjData* d, int sensor);

// Makes all buffers what they would be if zeros had been recorded before time 0: at every step, or by a sensor with an
// interval at its ticks, of which the latest is at its phase.
void ResetHistory(const mjModel* m, mjData* d);

// Throws when there is a buffer but no positive time step.
void RequireTimestepOfHistory(const mjModel* m);

// Control of an actuator as it acts at `time`: delayed, when the actuator has a buffer; otherwise ctrl. A negative
// `interpolation` means the model's.
mjtNum ReadCtrl(const mjModel* m, const mjData* d, int actuator, mjtNum time, int interpolation = -1);

// Value of a sensor as it reads at `time`, delayed: its place, or null when it was interpolated into `result`.
const mjtNum* ReadSensor(const mjModel* m, const mjData* d, int sensor, mjtNum time, mjtNum* result,
                         int interpolation = -1);

// Fill a buffer, from the oldest sample to the newest; null keeps times or values. Throws without a buffer, and for
// times that do not ascend. `phase` is the time of the sensor's latest measurement.
void InitCtrlHistory(const mjModel* m, mjData* d, int actuator, const mjtNum* times, const mjtNum* values);
void InitSensorHistory(const mjModel* m, mjData* d, int sensor, const mjtNum* times, const mjtNum* values,
                       mjtNum phase);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STATE_HISTORY_H_
