// Drawing: contexts. A context that mjr_makeContext has not filled owns nothing of the graphics driver, so that it can
// be declared and freed where there is none.
#include <mujoco/mujoco.h>

void mjr_defaultContext(mjrContext* con) { *con = {}; }
void mjr_freeContext(mjrContext* con) { mjr_defaultContext(con); }
