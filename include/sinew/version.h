/* Two versions: that of Sinew, here, and that of the C interface, mjVERSION_HEADER in <mujoco/mujoco.h>. */
#ifndef SINEW_VERSION_H_
#define SINEW_VERSION_H_

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 3
#define SINEW_VERSION_PATCH 0

/* One number that grows with the version, for comparisons in the preprocessor. */
#define SINEW_VERSION (SINEW_VERSION_MAJOR * 1000000 + SINEW_VERSION_MINOR * 1000 + SINEW_VERSION_PATCH)

#endif /* SINEW_VERSION_H_ */
