// Names of elements and attributes that stand for values, for reader and writer alike.
#ifndef SINEW_MJCF_VOCABULARY_H_
#define SINEW_MJCF_VOCABULARY_H_

#include <utility>

#include <mujoco/mujoco.h>

#include "model/storage/extension.h"

namespace sinew::mjcf {

// Elements of the section equality.
inline constexpr std::pair<const char*, mjtEq> kEqualityTypes[] = {
    {"connect", mjEQ_CONNECT},       {"weld", mjEQ_WELD},        {"joint", mjEQ_JOINT},
    {"tendon", mjEQ_TENDON},         {"flex", mjEQ_FLEX},        {"flexvert", mjEQ_FLEXVERT},
    {"flexstrain", mjEQ_FLEXSTRAIN}, {"distance", mjEQ_DISTANCE}};

// Offsets into mjsEquality::data of a weld: anchor, relative pose, torque scale.
inline constexpr int kWeldPose = 3;
inline constexpr int kWeldTorqueScale = 10;

// Attributes of actuators that name a target.
inline constexpr std::pair<const char*, mjtTrn> kTransmissionTargets[] = {
    {"joint", mjTRN_JOINT}, {"jointinparent", mjTRN_JOINTINPARENT}, {"tendon", mjTRN_TENDON},
    {"site", mjTRN_SITE},   {"cranksite", mjTRN_SLIDERCRANK},       {"body", mjTRN_BODY}};

// Attributes of a musculotendon that are single numbers of gainprm.
inline constexpr std::pair<const char*, int> kMusculotendonGains[] = {{"force", kPeakForce},
                                                                      {"fiberlength", kFiberLength},
                                                                      {"slacklength", kSlackLength},
                                                                      {"pennation", kPennation},
                                                                      {"vmax", kLargestVelocity},
                                                                      {"fiberdamping", kFiberDamping},
                                                                      {"stiffnessscale", kStiffnessScale}};
// Attributes of a musculotendon that are single numbers of dynprm.
inline constexpr std::pair<const char*, int> kMusculotendonDynamics[] = {
    {"tausmooth", kSmoothing}, {"minact", kLeastActivation}, {"musclemass", kMuscleMass}, {"slowshare", kSlowShare}};

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_VOCABULARY_H_
