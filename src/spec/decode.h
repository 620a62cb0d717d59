// Resources to specifications, by the decoders of the process.
#ifndef SINEW_SPEC_DECODE_H_
#define SINEW_SPEC_DECODE_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <string_view>

#include "spec/spec.h"

namespace sinew::inline spec {

// Throws when there is no decoder for the media type or the extension of the name, or when it fails.
std::unique_ptr<Spec> DecodeResource(mjResource& resource, std::string_view content_type, const mjVFS* vfs);

// The same for a file, which the decoder that claims it by its name or media type gets even when it cannot be opened:
// it may know the content from elsewhere.
std::unique_ptr<Spec> DecodeFile(const std::string& file, std::string_view content_type, const mjVFS* vfs);

// The same with a decoder that was found before.
std::unique_ptr<Spec> DecodeResource(mjResource& resource, const mjpDecoder& decoder, const mjVFS* vfs);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_DECODE_H_
