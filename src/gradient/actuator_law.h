// The force of an actuator as a function of its length, velocity and input, and the row that it acts along.
#ifndef SINEW_GRADIENT_ACTUATOR_LAW_H_
#define SINEW_GRADIENT_ACTUATOR_LAW_H_

#include <vector>

#include "gradient/activation_law.h"
#include "gradient/tendon_rows.h"
#include "gradient/transmission_rows.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {

// What the force along the transmission, f, and the integrator's slope of it by velocity, g, gain with length,
// velocity, control and the activations of the actuator.
struct ForceSlopes {
  ChannelForce along;
  double f_control = 0, g_control = 0;
  double f_act[kMostStates] = {}, g_act[kMostStates] = {};

  // What counts of the force where others share it; not of the integrator's slope.
  void ScaleForce(double share) {
    along.f_length *= share;
    along.f_velocity *= share;
    f_control *= share;
    for (double& slope : f_act) slope *= share;
  }
};
// A force at its limit stays there, though its direction may change with positions.
ForceSlopes SlopesOfForce(const ModelView<double>& m, const DataView<double>& d, int actuator);

// What is left of the slopes of each actuator's force where tendons limit the sum of theirs: those of a tendon at its
// limit are scaled to keep the sum, so that together they push along the tendon's row with
//   G = sum_i gear_i f_i bound / total,     dG = bound / total sum_i (gear_i - G / bound) df_i
// and the slopes of actuator i count as by (bound / total) (1 - G / (bound gear_i)). Others have 1.
std::vector<double> SharesOfSlopes(const ModelView<double>& m, const DataView<double>& d);

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
