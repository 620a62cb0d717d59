// The functions and global variables of the library. Including this header includes all others
// except mjxmacro.h.
#ifndef SINEW_MUJOCO_MUJOCO_H_
#define SINEW_MUJOCO_MUJOCO_H_

@constants

#include <math.h>
#include <stdlib.h>

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjrender.h>
#include <mujoco/mjsan.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjui.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

@globals

@functions Virtual file system..Error and memory

// ---- Elementary functions on mjtNum: those of <math.h> in the precision of mjtNum --------------

#ifndef mjUSESINGLE
  #define mju_sqrt  sqrt
  #define mju_exp   exp
  #define mju_sin   sin
  #define mju_cos   cos
  #define mju_tan   tan
  #define mju_asin  asin
  #define mju_acos  acos
  #define mju_atan2 atan2
  #define mju_tanh  tanh
  #define mju_pow   pow
  #define mju_abs   fabs
  #define mju_log   log
  #define mju_log10 log10
  #define mju_floor floor
  #define mju_ceil  ceil
#else
  #define mju_sqrt  sqrtf
  #define mju_exp   expf
  #define mju_sin   sinf
  #define mju_cos   cosf
  #define mju_tan   tanf
  #define mju_asin  asinf
  #define mju_acos  acosf
  #define mju_atan2 atan2f
  #define mju_tanh  tanhf
  #define mju_pow   powf
  #define mju_abs   fabsf
  #define mju_log   logf
  #define mju_log10 log10f
  #define mju_floor floorf
  #define mju_ceil  ceilf
#endif

@functions Vector math

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SINEW_MUJOCO_MUJOCO_H_
