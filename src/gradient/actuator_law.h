// The force of an actuator as a function of its length, velocity and input, and the row that it acts along.
#ifndef SINEW_GRADIENT_ACTUATOR_LAW_H_
#define SINEW_GRADIENT_ACTUATOR_LAW_H_

#include <vector>

#include "gradient/tendon_rows.h"
#include "gradient/transmission_rows.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {

// Slopes of the activation that drives an actuator: after the step, or, at one instant, of its rate.
struct ActivationSlopes {
  double next_by_act = 1, next_by_control = 0;
  double rate_by_act = 0, rate_by_control = 0;
};

// What the force along the transmission, f, and the integrator's slope of it by velocity, g, gain with length, velocity
// and input.
struct ForceSlopes {
  ChannelForce along;
  double f_input = 0, g_input = 0;
};
// A force at its limit stays there, though its direction may change with positions.
ForceSlopes SlopesOfForce(const ModelView<double>& m, const DataView<double>& d, int actuator, double input);

// What is left of the slopes of each actuator's force where tendons limit the sum of theirs: those of a tendon at its
// limit are scaled to keep the sum, so that together they push along the tendon's row with
//   G = sum_i gear_i f_i bound / total,     dG = bound / total sum_i (gear_i - G / bound) df_i
// and the slopes of actuator i count as by (bound / total) (1 - G / (bound gear_i)). Others have 1.
std::vector<double> SharesOfSlopes(const ModelView<double>& m, const DataView<double>& d);

// A control outside of its range has no effect; at its ends it counts as inside, as for finite differences.
bool ControlActs(const ModelView<double>& m, int actuator, double control);

// A control that acts later has no part in this step; what acts in it is part of the history.
bool ControlIsDelayed(const ModelView<double>& m, int actuator);

// What drives the force of an actuator without activation is its control; with one, the activation before the step, or,
// where it acts early, after it.
double InputOfForce(const ModelView<double>& m, const DataView<double>& d, int actuator);
double InputByControl(const ModelView<double>& m, const DataView<double>& d, int actuator,
                      const ActivationSlopes& slopes);
double InputByActivation(const ModelView<double>& m, int actuator, const ActivationSlopes& slopes);

// The row of an actuator: its moments, and how they turn.
class ActuatorRow {
 public:
  ActuatorRow(const ModelView<double>& m, const DataView<double>& d, const TendonRows& tendons, int actuator);
  ActuatorRow(const ActuatorRow&) = delete;  // the row has its numbers
  ActuatorRow& operator=(const ActuatorRow&) = delete;
  const Row& row() const { return row_; }
  // Slopes of the length by the dofs of the row, where they are not the moments: of balls and torques between sites,
  // whose lengths are no integrals of their rows, and of what has no length. Else null.
  const double* length() const { return own_.length.empty() ? nullptr : own_.length.data(); }

 private:
  void SetJoint(const ModelView<double>& m, const DataView<double>& d, int actuator);
  void SetBallLength(const ModelView<double>& m, const DataView<double>& d, int actuator);

  Row row_;
  std::vector<double> turn_;
  OwnRow own_;  // of a tendon, a site or a body; of joints, the lengths
};

// Whether the length of an actuator is zero in all poses: on a site without a reference, and on a body.
bool HasNoLength(const ModelView<double>& m, int actuator);

}  // namespace sinew

#endif  // SINEW_GRADIENT_ACTUATOR_LAW_H_
