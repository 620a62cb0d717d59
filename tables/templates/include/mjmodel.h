// mjModel: the compiled model, constant during simulation, with its options and enumerations.
#ifndef SINEW_MUJOCO_MJMODEL_H_
#define SINEW_MUJOCO_MJMODEL_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mjtnum.h>

@constants

@enums

@types

#endif  // SINEW_MUJOCO_MJMODEL_H_
