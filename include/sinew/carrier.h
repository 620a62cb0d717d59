/* Models with extensions for programs that must also load in MuJoCo 3.8.0 (docs/how/extensions.md). */
#ifndef SINEW_CARRIER_H_
#define SINEW_CARRIER_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

/* mj_saveXML with placeholders for what MuJoCo 3.8.0 does not know; texts in <custom> carry it. This library reads such
   a file as the model that was written. Returns 0, or -1 and a text. */
MJAPI int sinew_saveCarrierXml(const mjSpec* s, const char* filename, char* error, int error_sz);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_CARRIER_H_ */
