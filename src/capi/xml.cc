// Models from XML.
#include <mujoco/mujoco.h>

#include "capi/boundary.h"
#include "mjcf/read.h"

using sinew::capi::GuardWithText;

mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  return GuardWithText<mjSpec*>("mj_parseXML", error, error_sz, nullptr,
                                [=] { return sinew::ReadXml(filename, vfs).release(); });
}
mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz) {
  return GuardWithText<mjSpec*>("mj_parseXMLString", error, error_sz, nullptr,
                                [=] { return sinew::ReadXmlText(xml, "", vfs).release(); });
}

// mj_loadXML keeps no specification behind the scenes.
void mj_freeLastXML() {}
