// Models from XML.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "capi/boundary.h"
#include "mjcf/print_schema.h"
#include "mjcf/read.h"

using sinew::capi::Guard;
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

int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad) {
  return Guard("mj_printSchema", [=] {
    const std::string text = flg_html ? sinew::mjcf::SchemaHtml(flg_pad != 0) : sinew::mjcf::SchemaText();
    if (filename) {
      std::ofstream file(filename);
      if (!(file << text)) return -1;
    }
    if (buffer) {
      if (buffer_sz <= 0 || static_cast<std::size_t>(buffer_sz) <= text.size()) return -1;
      buffer[text.copy(buffer, text.size())] = '\0';
    }
    return static_cast<int>(text.size());
  });
}
