// The user interface: sections of items that are drawn with mjr and fed with window events.
#ifndef SINEW_MUJOCO_MJUI_H_
#define SINEW_MUJOCO_MJUI_H_

#include <mujoco/mjrender.h>

@constants

@enums

@types

#endif  // SINEW_MUJOCO_MJUI_H_
