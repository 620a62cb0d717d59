// mjData: state, inputs and results of one simulated world, and the callbacks that work on it.
#ifndef SINEW_MUJOCO_MJDATA_H_
#define SINEW_MUJOCO_MJDATA_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>

@enums

@types

#endif  // SINEW_MUJOCO_MJDATA_H_
