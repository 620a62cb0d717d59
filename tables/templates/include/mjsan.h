// Marks for AddressSanitizer: memory that a program holds but must not touch.
#ifndef SINEW_MUJOCO_MJSAN_H_
#define SINEW_MUJOCO_MJSAN_H_

// Compilers tell in different ways that the sanitizer is on.
#ifndef ADDRESS_SANITIZER
  #if defined(__SANITIZE_ADDRESS__)
    #define ADDRESS_SANITIZER
  #elif defined(__has_feature)
    #if __has_feature(address_sanitizer)
      #define ADDRESS_SANITIZER
    #endif
  #endif
#endif

#ifdef ADDRESS_SANITIZER
  #include <sanitizer/asan_interface.h>
#elif defined(_MSC_VER)
  #define ASAN_POISON_MEMORY_REGION(addr, size)
  #define ASAN_UNPOISON_MEMORY_REGION(addr, size)
#else
  #define ASAN_POISON_MEMORY_REGION(addr, size)   ((void)(addr), (void)(size))
  #define ASAN_UNPOISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#endif

#endif  // SINEW_MUJOCO_MJSAN_H_
