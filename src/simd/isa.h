// Namespace of the instruction set that a file is compiled for.
//
// Kernels and everything they inline live in `sinew::SINEW_ISA`. Files that are compiled for another instruction set than
// the baseline define SINEW_ISA as its name (src/CMakeLists.txt), so that the linker cannot merge an AVX-512 copy of an
// inline function into code that runs on every machine.
#ifndef SINEW_SIMD_ISA_H_
#define SINEW_SIMD_ISA_H_

#ifndef SINEW_ISA
#define SINEW_ISA baseline
#endif

#endif  // SINEW_SIMD_ISA_H_
