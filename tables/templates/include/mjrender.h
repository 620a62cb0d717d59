// OpenGL rendering: resources and settings of a context.
#ifndef SINEW_MUJOCO_MJRENDER_H_
#define SINEW_MUJOCO_MJRENDER_H_

#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

@constants

@enums

@types

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SINEW_MUJOCO_MJRENDER_H_
