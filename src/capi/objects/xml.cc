// Models from XML and back. Documents are MJCF or URDF, told apart by the root element; texts of errors go into the
// caller's buffer.
#include <mujoco/mujoco.h>
#include <sinew/carrier.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "capi/objects/last_spec.h"
#include "compile/copy_back/copy_back.h"
#include "core/write_file.h"
#include "mjcf/dependencies.h"
#include "mjcf/relocate.h"
#include "mjcf/schema/print_schema.h"
#include "mjcf/write/write.h"
#include "read/read_xml.h"

using sinew::capi::Given;
using sinew::capi::Guard;
using sinew::capi::GuardWithText;

// The specification is the caller's, who frees it by mj_deleteSpec; null and a text where the document is wrong.
mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  return GuardWithText<mjSpec*>("mj_parseXML", error, error_sz, nullptr,
                                [=] { return sinew::ReadXml(Given("filename", filename), vfs).release(); });
}
mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz) {
  return GuardWithText<mjSpec*>("mj_parseXMLString", error, error_sz, nullptr,
                                [=] { return sinew::ReadXmlText(Given("xml", xml), "", vfs).release(); });
}

// Paths of all files that a model needs, without reading what is not text.
void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies) {
  SINEW_CHECK(mju_getXMLDependencies);
  Guard("mju_getXMLDependencies", [=] { *dependencies = sinew::mjcf::XmlDependencies(filename); });
}

// ---- models to XML

namespace {

// The specification of the model that was loaded last; threads may load at the same time.
std::mutex last_mutex;
std::unique_ptr<sinew::Spec> last_spec;

// Throws Error where there is no specification.
sinew::Spec& Given(const mjSpec* s) {
  if (!s) throw sinew::Error("Cannot write empty model", "pass a specification");
  return *static_cast<sinew::Spec*>(const_cast<mjSpec*>(s));
}

// The text for a file (null: for one beside that of the model), from where it finds its assets. Compilation checks what
// a writer relies on.
std::string TextOf(sinew::Spec& spec, const char* filename, bool carry = false) {
  if (!spec.is_compiled) throw sinew::Error("XML Write error: Only compiled model can be written");
  if (!spec.pending_keys.empty()) {
    throw sinew::Error("the model has keyframes that wait for its compilation", "compile it again before writing it");
  }
  const sinew::mjcf::Relocation relocation(spec, filename);
  return sinew::mjcf::WriteXml(spec, carry);
}

}  // namespace

void sinew::capi::KeepLastSpec(std::unique_ptr<Spec> spec) {
  const std::lock_guard lock(last_mutex);
  last_spec = std::move(spec);
}

void mj_freeLastXML() { sinew::capi::KeepLastSpec(nullptr); }

// Writes the model that was loaded last from XML, with the numbers of `m` where one is given. Returns 1, or 0 with a
// text in `error`.
int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz) {
  return GuardWithText<int>("mj_saveLastXML", error, error_sz, 0, [=] {
    const std::lock_guard lock(last_mutex);
    if (!last_spec) throw sinew::Error("No XML model loaded");
    if (m) sinew::CopyBack(*m, *last_spec);
    const std::string text = TextOf(*last_spec, filename);
    if (filename) {
      sinew::WriteFile(filename, text);
    } else {
      if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw sinew::Error("cannot write to the standard output");
      }
    }
    return 1;
  });
}

// Returns 0, or -1 with a text in `error`.
int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz) {
  return GuardWithText<int>("mj_saveXML", error, error_sz, -1, [&] {
    sinew::WriteFile(Given("filename", filename), TextOf(Given(s), filename));
    return 0;
  });
}

int sinew_saveCarrierXml(const mjSpec* s, const char* filename, char* error, int error_sz) {
  return GuardWithText<int>("sinew_saveCarrierXml", error, error_sz, -1, [&] {
    sinew::WriteFile(Given("filename", filename), TextOf(Given(s), filename, /*carry=*/true));
    return 0;
  });
}

// Returns 0; the length that the text has when the buffer is too short for it, and -1 for any other failure.
int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  int too_long = 0;
  const int status = GuardWithText<int>("mj_saveXMLString", error, error_sz, -1, [&] {
    const std::string text = TextOf(Given(s), nullptr);
    if (xml_sz <= 0 || text.size() >= static_cast<std::size_t>(xml_sz)) {
      too_long = static_cast<int>(text.size());
      throw sinew::Error("Output string too short, should be at least " + std::to_string(text.size() + 1));
    }
    if (!xml) throw sinew::Error("there is no memory for the text", "pass a buffer");
    xml[text.copy(xml, text.size())] = '\0';
    return 0;
  });
  return too_long > 0 ? too_long : status;
}

// Language bindings set how many significant digits are written.
extern "C" {
MJAPI int _mjPRIVATE__get_xml_precision() { return sinew::mjcf::XmlPrecision(); }
MJAPI void _mjPRIVATE__set_xml_precision(int precision) { sinew::mjcf::SetXmlPrecision(precision); }
}

// ---- the schema

// Returns the length of the text, or -1 where a file or a buffer cannot take it. Both may be null.
int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int flg_pad) {
  return Guard("mj_printSchema", [=] {
    const std::string text = flg_html ? sinew::mjcf::SchemaHtml(flg_pad != 0) : sinew::mjcf::SchemaText();
    try {
      if (filename) sinew::WriteFile(filename, text);
    } catch (const sinew::Error&) {
      return -1;
    }
    if (buffer) {
      if (buffer_sz <= 0 || static_cast<std::size_t>(buffer_sz) <= text.size()) return -1;
      buffer[text.copy(buffer, text.size())] = '\0';
    }
    return static_cast<int>(text.size());
  });
}
