// Namespace of the instruction set that a file is compiled for.
//
// Kernels and everything they inline live in `sinew::SINEW_ISA`. Files that are compiled for another instruction set
// than the baseline define SINEW_ISA as its name (src/CMakeLists.txt), so that the linker cannot merge an AVX-512 copy
// of an inline function into code that runs on every machine.
#ifndef SINEW_SIMD_ISA_H_
#define SINEW_SIMD_ISA_H_

#ifndef SINEW_ISA
#define SINEW_ISA baseline
#endif

// SINEW_DISPATCH before a function of one world compiles it, and all that it calls, for several instruction sets; the
// loader picks one. None of the copies contracts products and sums (cmake/settings.cmake), so that all give the same
// bits. x86-64-v4 is AVX-512: packs of four gain from its 32 registers and its masks. Sanitizers cannot run before the
// loader is done.
#if defined(__x86_64__) && defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SINEW_DISPATCH __attribute__((target_clones("arch=x86-64-v4", "avx2", "default"), flatten))
#else
#define SINEW_DISPATCH
#endif

#endif  // SINEW_SIMD_ISA_H_
