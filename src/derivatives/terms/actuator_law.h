// The force of an actuator as a function of its length, velocity and input, and the row that it acts along.
#ifndef SINEW_DERIVATIVES_TERMS_ACTUATOR_LAW_H_
#define SINEW_DERIVATIVES_TERMS_ACTUATOR_LAW_H_

#include <optional>
#include <vector>

#include "derivatives/terms/activation_law.h"
#include "derivatives/terms/tendon_rows.h"
#include "derivatives/terms/transmission_rows.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline derivatives {

// Derivatives of the force along the transmission, f, and of the integrator's slope of it by velocity, g, by length,
// velocity, the control that acts and the activations of the actuator; g also with the control as it stands, without
// range and delay (g_plain).
struct ForceSlopes {
  ScalarForce along;
  double f_control = 0, g_control = 0, g_plain = 0;
  double f_act[kMostActivations] = {}, g_act[kMostActivations] = {};
};

// The effect of limits of actuators and tendons on the slopes of a driving force f: of motors without cogging and
// friction, of others the whole. A tendon at its limit scales forces by r to keep their sum T, so that
//   d(r f) = r df - (r f / T) dT,    dT = sum of all df
// and along the tendon's row, with the gears g, all push with
//   G = r sum_i g_i f_i,    dG = r sum_i (g_i - sum_j g_j f_j / T) df_i
// Where an actuator's own range holds the force afterwards, r f stays, and it has no part in the sum over j.
struct ForceShare {
  double along = 1;         // slopes count by this along the row
  double own = 1, sum = 0;  // those of r f: own df + sum dT
};
std::vector<ForceShare> SharesOfSlopes(const ModelView<double>& m, const DataView<double>& d);

// Slopes of `share` of the driving force, and of all that comes after limits. A force at its limit stays there, though
// its direction may change with positions.
ForceSlopes SlopesOfForce(const ModelView<double>& m, const DataView<double>& d, int actuator, double share);

// The row of an actuator: its moments, and how they turn.
class ActuatorRow {
 public:
  ActuatorRow(const ModelView<double>& m, const DataView<double>& d, const TendonRows& tendons, int actuator);
  ActuatorRow(const ActuatorRow&) = delete;  // the row has its numbers
  ActuatorRow& operator=(const ActuatorRow&) = delete;
  const Row& row() const { return row_; }
  // Slopes of the length by the dofs of the row, where they are not the moments: of balls and torques between sites,
  // whose lengths are no integrals of their rows, and of what has no length. Else null.
  const double* length() const {
    if (moment_) return moment_->has_length() ? moment_->length() : nullptr;
    return own_.length.empty() ? nullptr : own_.length.data();
  }

 private:
  Row row_;
  std::optional<ActuatorMoment<double>> moment_;  // of a joint
  OwnRow own_;                                    // of a tendon, a site or a body
};

// Whether the length of an actuator is zero in all poses: on a site without a reference, and on a body.
bool HasNoLength(const ModelView<double>& m, int actuator);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_ACTUATOR_LAW_H_
