#include "derivatives/integrators/delayed_controls.h"

#include <algorithm>

#include "derivatives/base/columns.h"
#include "derivatives/terms/activation_law.h"
#include "model/state/history.h"

namespace sinew::inline derivatives {

DelayedControls::DelayedControls(const mjModel* m, int steps, double* gradient)
    : m_(m), gradient_(gradient), times_(static_cast<size_t>(steps)) {
  for (int i = 0; i < m->nu; ++i) {
    if (IsDelayed(ModelView<double>(m), i)) delayed_.push_back(i);
  }
}

void DelayedControls::Begin(int step, double time) { times_[static_cast<size_t>(step)] = time; }

void DelayedControls::Take(const mjData* d, std::vector<double>& slopes) const {
  for (const int i : delayed_) {
    if (gradient_ && slopes[Size(i)] != 0) Spread(d, i, slopes[Size(i)]);
    slopes[Size(i)] = 0;
  }
}

// A value of the history is linear in its samples: the weight of a sample is the value that its unit gives.
void DelayedControls::Spread(const mjData* d, int actuator, double slope) const {
  const int samples = m_->actuator_history[2 * actuator];
  const auto order = static_cast<Interpolation>(m_->actuator_history[2 * actuator + 1]);
  const double* const kept = d->history + m_->actuator_historyadr[actuator];
  std::vector<double> numbers(kept, kept + 2 + 2 * samples);
  const HistoryBuffer<double> buffer(numbers.data(), samples, 1);
  const double time = d->time - m_->actuator_delay[actuator];
  const int exact = buffer.Exact(time, order);
  for (int i = 0; i < samples; ++i) *buffer.Value(i) = 0;
  for (int i = 0; i < samples; ++i) {
    const auto step = std::lower_bound(times_.begin(), times_.end(), buffer.Time(i));
    if (step == times_.end() || *step != buffer.Time(i)) continue;  // from before the start
    *buffer.Value(i) = 1;
    const double weight = exact >= 0 ? (exact == i ? 1 : 0) : buffer.Interpolate(time, order, 0);
    *buffer.Value(i) = 0;
    gradient_[(step - times_.begin()) * m_->nu + actuator] += slope * weight;
  }
}

}  // namespace sinew::inline derivatives
