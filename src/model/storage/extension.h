// Content of models that 3.8.0 does not have (docs/how/extensions.md): values of types beyond its enumerations,
// and number arrays with names of our own.
#ifndef SINEW_MODEL_STORAGE_EXTENSION_H_
#define SINEW_MODEL_STORAGE_EXTENSION_H_

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

namespace sinew::inline model {

// Value of dyntype, gaintype and biastype of a muscle with a tendon.
inline constexpr int kMusculotendon = sinewFIRST_EXTENSION;

// Columns of its parameters.
enum MusculotendonGain {
  kPeakForce,        // N
  kFiberLength,      // m, optimal
  kSlackLength,      // m, of the tendon
  kPennation,        // its sine, at the optimal fibre length; in a specification the angle
  kLargestVelocity,  // optimal fibre lengths per second
  kFiberDamping,     // peak forces at the largest velocity
  kStiffnessScale,   // of passive and tendon forces
  kCurves,           // CurveSet
  kRigidTendon,      // 1: rigid, 0: elastic
  kOwnCurves,        // where its curves begin in numeric_data, plus one; 0: the published ones
};
enum MusculotendonBias {
  kTendonRate,  // 1/s^2: of vibrations of straight tendons at qpos0 (force/fiber_kernel.h); mj_setConst
};
enum MusculotendonDynamics {
  kActivationTime,
  kDeactivationTime,
  kSmoothing,
  kLeastActivation,
  kMuscleMass,  // kg, of metabolic power; 0: follows from peak force and fibre length
  kSlowShare,   // of slow twitch fibres, of metabolic power
};

// Its activations: the fibre length in optimal ones, unless the tendon is rigid, and the activation. A fibre length of
// zero, as a reset leaves it, stands for equilibrium at the present path length.
inline constexpr int kElasticStates = 2, kRigidStates = 1;

// Values of sensor_type, in the order of their elements.
enum ExtensionSensor {
  kSensorFiberLength = sinewFIRST_EXTENSION,  // m
  kSensorFiberVelocity,                       // m/s
  kSensorFiberForce,                          // N, along the fibre
  kSensorPennation,                           // rad
  kSensorTendonStrain,
  kSensorFiberActiveForce,   // N, along the fibre
  kSensorFiberPassiveForce,  // N, along the fibre, with its damping
  kSensorFiberPower,         // W, positive where the fibre shortens
  kSensorTendonEnergy,       // J
  kSensorUmbergerPower,      // W, metabolic
  kSensorBhargavaPower,      // W, metabolic
  kEndOfSensors
};

// Names of number arrays that the compiler adds begin with this.
inline constexpr char kExtensionPrefix[] = "sinew/";

[[gnu::always_inline]] inline bool IsMusculotendon(const mjModel* m, int actuator) {
  return m->actuator_gaintype[actuator] == kMusculotendon;
}
// Whether the length of its fibre is a state; with a rigid tendon it follows from that of the actuator.
[[gnu::always_inline]] inline bool HasElasticTendon(const mjModel* m, int actuator) {
  return IsMusculotendon(m, actuator) && m->actuator_actnum[actuator] == kElasticStates;
}
inline bool IsExtensionSensor(int type) { return type >= kSensorFiberLength && type < kEndOfSensors; }

// Whether anything in a model is beyond 3.8.0.
bool UsesExtensions(const mjModel& m);

// Whether a fibre of any actuator is moved by an implicit step at the end of a time step: one with an elastic tendon,
// unless the integrator takes it as a differential equation.
bool HasFibers(const mjModel* m);

// Throws when extensions of a model that came from a file contradict each other.
void ValidateExtensions(const mjModel& m);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STORAGE_EXTENSION_H_
