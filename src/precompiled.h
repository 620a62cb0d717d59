// What most files include, compiled once (CMakeLists.txt). Files include what they use all the same: builds without
// precompiled headers, and those for larger instruction sets, have no other way to it.
#ifndef SINEW_PRECOMPILED_H_
#define SINEW_PRECOMPILED_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/stack.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

#endif  // SINEW_PRECOMPILED_H_
