/* Checks of C programs. Each ends the program, with its place, where it does not hold. */
#ifndef SINEW_TESTS_CAPI_CHECK_H_
#define SINEW_TESTS_CAPI_CHECK_H_

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                       \
    }                                                                \
  } while (0)

/* The text of the last error that RAISES has seen; the handler jumps back, as those of programs in other languages. */
static jmp_buf caught;
static char message[1000];
static void Catch(const char* text) {
  snprintf(message, sizeof(message), "%s", text);
  longjmp(caught, 1);
}

/* The call raises an error that contains `part`. */
#define RAISES(call, part)                                  \
  do {                                                      \
    mju_user_error = Catch;                                 \
    message[0] = 0;                                         \
    if (!setjmp(caught)) (void)(call);                      \
    mju_user_error = NULL;                                  \
    if (!message[0] || !strstr(message, part)) {            \
      printf("%s:%d: '%s'\n", __FILE__, __LINE__, message); \
      exit(1);                                              \
    }                                                       \
  } while (0)

#endif /* SINEW_TESTS_CAPI_CHECK_H_ */
