/* Levels: the release of MuJoCo whose meaning models have, where releases read one differently (docs/how/module.md). */
#ifndef SINEW_LEVEL_H_
#define SINEW_LEVEL_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Specifications that this thread makes from now on mean what they mean in this release: 100 times its major number and
   its minor one, 309 for 3.9; 0 is that of SINEW_LEVEL in the environment, or 308. A document that names its own
   (<compiler level="3.9">) keeps it. Returns the number that was given before. */
MJAPI int sinew_setLevel(int level);

/* Models in which a level made a difference have a number array of this name, with the major number and the minor. */
#define sinewLEVEL "sinew/level"

#ifdef __cplusplus
}
#endif

#endif /* SINEW_LEVEL_H_ */
