// Makes specifications of resources by the decoders that programs register, chosen by media type or by the extension of
// the name.
#include "spec/decode.h"

#include <string>

#include "core/codecs.h"
#include "core/error.h"
#include "core/resources.h"

namespace sinew::inline spec {

std::unique_ptr<Spec> DecodeResource(mjResource& resource, std::string_view content_type, const mjVFS* vfs) {
  const mjpDecoder* decoder = FindDecoder(resource, content_type);
  if (!decoder) {
    throw Error("could not find a decoder for '" + std::string(resource.name) + "'",
                "register one for its extension or media type");
  }
  return DecodeResource(resource, *decoder, vfs);
}

std::unique_ptr<Spec> DecodeFile(const std::string& file, std::string_view content_type, const mjVFS* vfs) {
  const std::unique_ptr<Resource> unopened = Resource::Unopened(vfs, file);
  const mjpDecoder* decoder = FindDecoder(*unopened, content_type);
  if (!decoder) {
    const std::string type(content_type);
    throw Error("could not find a decoder for '" + file + "'" + (type.empty() ? "" : " of type '" + type + "'"),
                "register one for its extension or media type");
  }
  if (const auto opened = Resource::Open(vfs, "", file)) return DecodeResource(*opened, *decoder, vfs);
  // The decoder decides which formats can be made without a file.
  try {
    return DecodeResource(*unopened, *decoder, vfs);
  } catch (const Error& error) {
    throw Error(error.problem() + ": cannot open the file", error.remedy());
  }
}

std::unique_ptr<Spec> DecodeResource(mjResource& resource, const mjpDecoder& decoder, const mjVFS* vfs) {
  std::unique_ptr<Spec> spec(static_cast<Spec*>(decoder.decode(&resource, vfs)));
  if (!spec) throw Error("the decoder of '" + std::string(resource.name) + "' failed");
  return spec;
}

}  // namespace sinew::inline spec
