// Abstract visualization: what to draw, from where, and how the mouse acts on it.
#ifndef SINEW_MUJOCO_MJVISUALIZE_H_
#define SINEW_MUJOCO_MJVISUALIZE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

@constants

@enums

@types

#endif  // SINEW_MUJOCO_MJVISUALIZE_H_
