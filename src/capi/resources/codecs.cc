// Decoders and encoders of model files (mjpDecoder, mjpEncoder): programs register formats, and files are read and
// written by content type or extension. Registered structs are copied; the functions in them must stay callable.
#include <mujoco/mujoco.h>

#include <string>
#include <string_view>

#include "assets/mesh_decoder.h"
#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/codecs.h"
#include "core/error.h"
#include "core/path.h"
#include "read/read_file.h"
#include "spec/decode.h"

using sinew::capi::Guard;
using sinew::capi::GuardWithText;
using sinew::capi::GuardWithWarning;

namespace {

std::string_view Text(const char* text) { return text ? text : ""; }

// The formats that the library brings are taken before a program can register others.
[[maybe_unused]] const bool kMeshDecodersRegistered = (sinew::RegisterMeshDecoders(), true);

}  // namespace

void mjp_defaultDecoder(mjpDecoder* decoder) {
  SINEW_CHECK(mjp_defaultDecoder);
  *decoder = {};
}
void mjp_registerDecoder(const mjpDecoder* decoder) {
  if (!sinew::IsComplete(decoder)) {
    mju_warning("mjp_registerDecoder: the decoder lacks can_decode, decode, or both content_type and extension");
    return;
  }
  Guard("mjp_registerDecoder", [&] { sinew::RegisterDecoder(*decoder); });
}
const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type) {
  return Guard("mjp_findDecoder", [&] {
    return resource && resource->name ? sinew::FindDecoder(*resource, Text(content_type)) : nullptr;
  });
}
// A failure is a warning and null, since the caller has no buffer for a text.
mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs) {
  return GuardWithWarning<mjSpec*>("mju_decodeResource", nullptr, [&] {
    if (!resource || !resource->name) throw sinew::Error("there is no resource");
    return sinew::DecodeResource(*resource, Text(content_type), vfs).release();
  });
}
// The format follows from the content type, else from the extension, else from the root element of XML.
mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char* error, int error_sz) {
  return GuardWithText<mjSpec*>("mj_parse", error, error_sz, nullptr, [&] {
    return sinew::ReadModelFile(std::string(Text(filename)), Text(content_type), vfs).release();
  });
}

void mjp_defaultEncoder(mjpEncoder* encoder) {
  SINEW_CHECK(mjp_defaultEncoder);
  *encoder = {};
}
void mjp_registerEncoder(const mjpEncoder* encoder) {
  if (!sinew::IsComplete(encoder)) {
    mju_warning("mjp_registerEncoder: the encoder lacks encode, close_resource, or both content_type and extension");
    return;
  }
  Guard("mjp_registerEncoder", [&] { sinew::RegisterEncoder(*encoder); });
}
const mjpEncoder* mjp_findEncoder(const char* filename, const char* content_type) {
  if (Text(content_type).empty() && sinew::Extension(Text(filename)).empty()) {
    mju_warning("mjp_findEncoder: there is neither a content type nor an extension to find an encoder by");
    return nullptr;
  }
  return Guard("mjp_findEncoder", [&] { return sinew::FindEncoder(Text(filename), Text(content_type)); });
}
int mj_encode(const mjSpec* s, const mjModel* m, const char* filename, const char* content_type, const mjVFS* vfs,
              char* error, int error_sz) {
  return GuardWithText("mj_encode", error, error_sz, -1,
                       [&] { return sinew::Encode(s, m, Text(filename), Text(content_type), vfs); });
}
