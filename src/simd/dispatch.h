// Instruction sets of the machine that runs this, found once when they are first asked for.
#ifndef SINEW_SIMD_DISPATCH_H_
#define SINEW_SIMD_DISPATCH_H_

namespace sinew::inline simd {

// The smallest comes first.
enum class InstructionSet { kBaseline, kAvx2, kAvx512 };

// Whether this processor, and the operating system, can run code for an instruction set. AVX-512 stands for its parts
// F, DQ and VL.
bool CanRun(InstructionSet isa);

}  // namespace sinew::inline simd

#endif  // SINEW_SIMD_DISPATCH_H_
