// mjSpec: the editable model, a tree of elements from which mj_compile makes an mjModel.
#ifndef SINEW_MUJOCO_MJSPEC_H_
#define SINEW_MUJOCO_MJSPEC_H_

#include <stddef.h>

#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" {

// Text and arrays of variable length are standard containers in C++ ...
using mjString      = std::string;
using mjStringVec   = std::vector<std::string>;
using mjIntVec      = std::vector<int>;
using mjIntVecVec   = std::vector<std::vector<int>>;
using mjFloatVec    = std::vector<float>;
using mjFloatVecVec = std::vector<std::vector<float>>;
using mjDoubleVec   = std::vector<double>;
using mjByteVec     = std::vector<std::byte>;
#else
// ... and opaque in C, where the functions mjs_set* and mjs_get* write and read them.
typedef void mjString;
typedef void mjStringVec;
typedef void mjIntVec;
typedef void mjIntVecVec;
typedef void mjFloatVec;
typedef void mjFloatVecVec;
typedef void mjDoubleVec;
typedef void mjByteVec;
#endif

@enums

@types

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SINEW_MUJOCO_MJSPEC_H_
