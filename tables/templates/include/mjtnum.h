// The scalar types of the interface.
#ifndef SINEW_MUJOCO_MJTNUM_H_
#define SINEW_MUJOCO_MJTNUM_H_

#include <stdint.h>

// Real numbers. The library is built for double; mjUSESINGLE must match the library that is linked.
// Denominators smaller than mjMINVAL count as zero.
#ifdef mjUSESINGLE
  typedef float mjtNum;
  #define mjMINVAL 1E-15f
#else
  typedef double mjtNum;
  #define mjMINVAL 1E-15
#endif

typedef unsigned char mjtByte;  // flags and small enumerations
typedef int64_t mjtSize;        // sizes of arrays and buffers

#endif  // SINEW_MUJOCO_MJTNUM_H_
