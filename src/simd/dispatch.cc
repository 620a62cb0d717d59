#include "simd/dispatch.h"

namespace sinew::inline simd {
namespace {

bool Detect(InstructionSet isa) {
#if defined(__x86_64__)
  switch (isa) {
    case InstructionSet::kBaseline:
      return true;
    case InstructionSet::kAvx2:
      return __builtin_cpu_supports("avx2");
    case InstructionSet::kAvx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
  }
#endif
  return isa == InstructionSet::kBaseline;
}

}  // namespace

bool CanRun(InstructionSet isa) {
  static const bool avx2 = Detect(InstructionSet::kAvx2), avx512 = Detect(InstructionSet::kAvx512);
  if (isa == InstructionSet::kAvx2) return avx2;
  if (isa == InstructionSet::kAvx512) return avx512;
  return true;
}

}  // namespace sinew::inline simd
