// Drawing: contexts, as far as they need no graphics driver (render/context.h). What draws or reads pixels is in
// tables/unimplemented.txt.
#include "render/context.h"

#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"

using sinew::capi::Guard;

void mjr_defaultContext(mjrContext* con) { *con = {}; }
void mjr_freeContext(mjrContext* con) { mjr_defaultContext(con); }

void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale) {
  SINEW_NOT_NULL(mjr_makeContext, con);
  Guard("mjr_makeContext", [&] { sinew::MakeContext(m, fontscale, *con); });
}

void mjr_changeFont(int fontscale, mjrContext* con) {
  SINEW_NOT_NULL(mjr_changeFont, con);
  con->fontScale = sinew::NearestFontScale(fontscale);
}

void mjr_resizeOffscreen(int width, int height, mjrContext* con) {
  SINEW_NOT_NULL(mjr_resizeOffscreen, con);
  SINEW_NOT_NEGATIVE(mjr_resizeOffscreen, width, height);
  con->offWidth = width;
  con->offHeight = height;
}

// ---- changed assets: nothing is kept of them

void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid) {
  SINEW_NOT_NULL(mjr_uploadTexture, m, con);
  SINEW_IN_RANGE(mjr_uploadTexture, texid, m->ntex);
}

void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid) {
  SINEW_NOT_NULL(mjr_uploadMesh, m, con);
  SINEW_IN_RANGE(mjr_uploadMesh, meshid, m->nmesh);
}

void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid) {
  SINEW_NOT_NULL(mjr_uploadHField, m, con);
  SINEW_IN_RANGE(mjr_uploadHField, hfieldid, m->nhfield);
}

// ---- buffers

void mjr_setBuffer(int framebuffer, mjrContext* con) {
  SINEW_NOT_NULL(mjr_setBuffer, con);
  con->currentBuffer = sinew::AvailableBuffer(*con, framebuffer);
}

void mjr_restoreBuffer(const mjrContext* con) { SINEW_NOT_NULL(mjr_restoreBuffer, con); }

mjrRect mjr_maxViewport(const mjrContext* con) {
  SINEW_NOT_NULL(mjr_maxViewport, con);
  return sinew::WholeBuffer(*con);
}

int mjr_findRect(int x, int y, int nrect, const mjrRect* rect) {
  SINEW_NOT_NEGATIVE(mjr_findRect, nrect);
  SINEW_NOT_NULL_IF(nrect > 0, mjr_findRect, rect);
  return sinew::FindRectangle(x, y, nrect, rect);
}

// Nothing is ever under way, and nothing fails.
void mjr_finish(void) {}
int mjr_getError(void) { return 0; }
