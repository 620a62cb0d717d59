// Visibility of the exported names.
#ifndef SINEW_MUJOCO_MJEXPORT_H_
#define SINEW_MUJOCO_MJEXPORT_H_

// How a compiler marks what crosses the boundary of a shared library.
#if defined(_WIN32) || defined(__CYGWIN__)
  #define MUJOCO_HELPER_DLL_EXPORT __declspec(dllexport)
  #define MUJOCO_HELPER_DLL_IMPORT __declspec(dllimport)
  #define MUJOCO_HELPER_DLL_LOCAL
#elif defined(__GNUC__)
  #define MUJOCO_HELPER_DLL_EXPORT __attribute__((visibility("default")))
  #define MUJOCO_HELPER_DLL_IMPORT __attribute__((visibility("default")))
  #define MUJOCO_HELPER_DLL_LOCAL  __attribute__((visibility("hidden")))
#else
  #define MUJOCO_HELPER_DLL_EXPORT
  #define MUJOCO_HELPER_DLL_IMPORT
  #define MUJOCO_HELPER_DLL_LOCAL
#endif

// MJAPI: part of the interface. MJLOCAL: internal to the library.
// MJ_STATIC builds or uses a static library; MUJOCO_DLL_EXPORTS is for building the shared one.
#if defined(MJ_STATIC)
  #define MJAPI
  #define MJLOCAL
#elif defined(MUJOCO_DLL_EXPORTS)
  #define MJAPI   MUJOCO_HELPER_DLL_EXPORT
  #define MJLOCAL MUJOCO_HELPER_DLL_LOCAL
#else
  #define MJAPI   MUJOCO_HELPER_DLL_IMPORT
  #define MJLOCAL MUJOCO_HELPER_DLL_LOCAL
#endif

#endif  // SINEW_MUJOCO_MJEXPORT_H_
