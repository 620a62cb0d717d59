// SINEW_FLATTEN before the one-world function of a kernel inlines all that the kernel calls. Left to itself the
// compiler keeps functions of small vectors apart, which then travel through memory. Instrumented code would take
// minutes to compile.
//
// SINEW_STAGE before a stage of packs does the same, and keeps the stage a function: it is compiled once, wherever it
// is called from.
#ifndef SINEW_SIMD_FLATTEN_H_
#define SINEW_SIMD_FLATTEN_H_

#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SINEW_FLATTEN __attribute__((flatten))
#define SINEW_STAGE __attribute__((flatten, noinline))
#else
#define SINEW_FLATTEN
#define SINEW_STAGE
#endif

#endif  // SINEW_SIMD_FLATTEN_H_
