// What fuzz targets share: input as bytes, and how an input that is refused ends.
#ifndef SINEW_TESTS_FUZZ_INPUT_H_
#define SINEW_TESTS_FUZZ_INPUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <mujoco/mujoco.h>

#include "core/error.h"
#include "model/storage/data.h"
#include "model/storage/model.h"
#include "step/step.h"

namespace sinew {

inline std::span<const std::byte> AsBytes(const uint8_t* data, size_t size) {
  return std::as_bytes(std::span(data, size));
}

// Runs a reader; that it refuses its input is no finding.
template <class Reader>
void Try(Reader&& reader) {
  try {
    reader();
  } catch (const Error&) {
  }
}

// Two steps of a model that was accepted. Large models, and those that ask for iterations without end, would only make
// the fuzzer slow.
inline void TryStep(mjModel& m) {
  constexpr mjtSize kMaxArena = mjtSize{1} << 26;
  constexpr mjtSize kMaxObjects = 1000;
  constexpr int kMaxIterations = 1000;
  if (m.narena > kMaxArena || m.nv > kMaxObjects || m.ngeom > kMaxObjects || m.nuserdata > kMaxObjects) return;
  for (int* iterations : {&m.opt.iterations, &m.opt.ls_iterations, &m.opt.noslip_iterations, &m.opt.ccd_iterations,
                          &m.opt.sdf_iterations, &m.opt.sdf_initpoints}) {
    *iterations = std::min(*iterations, kMaxIterations);
  }
  const DataPtr d(MakeData(m));
  for (int i = 0; i < 2; ++i) Step(&m, d.get());
}

}  // namespace sinew

#endif  // SINEW_TESTS_FUZZ_INPUT_H_
