// Extensions: resource providers, decoders and encoders of files, and engine plugins.
#ifndef SINEW_MUJOCO_MJPLUGIN_H_
#define SINEW_MUJOCO_MJPLUGIN_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjvisualize.h>

@enums

@types

// mjPLUGIN_LIB_INIT(name) { ... } defines a function that runs when the library that contains it is
// loaded: the place for mjp_registerPlugin and its kin. `name` must be unique within the library.
#if defined(__GNUC__) || defined(__clang__)
  #define mjPLUGIN_LIB_INIT(n)                                   \
    static void _mj_init_##n(void) __attribute__((constructor)); \
    static void _mj_init_##n(void)
#elif defined(_MSC_VER)
  // Pointers in the section .CRT$XCU are called at start-up. The linker is told to keep ours by its
  // name, which has an underscore more on 32-bit x86.
  #ifdef _M_IX86
    #define LINKER_NAME "__mj_ptr_"
  #else
    #define LINKER_NAME "_mj_ptr_"
  #endif
  #ifndef mjEXTERNC
    #ifdef __cplusplus
      #define mjEXTERNC extern "C"
    #else
      #define mjEXTERNC
    #endif
  #endif
  #pragma section(".CRT$XCU", read)
  #define mjPLUGIN_LIB_INIT(n)                                                                  \
    static void __cdecl _mj_init_##n(void);                                                     \
    mjEXTERNC __declspec(allocate(".CRT$XCU")) void(__cdecl * _mj_ptr_##n)(void) = _mj_init_##n; \
    __pragma(comment(linker, "/include:" LINKER_NAME #n))                                       \
    static void __cdecl _mj_init_##n(void)
#else
  #error "mjPLUGIN_LIB_INIT: no way known to run code at load time with this compiler"
#endif

#endif  // SINEW_MUJOCO_MJPLUGIN_H_
