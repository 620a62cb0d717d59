// Decoders and encoders of the process: who reads and writes files that are neither MJCF nor URDF. They are found by
// media type ("model/gltf-binary") or, failing that, by the extension of a file's name, whatever the case of either.
#ifndef SINEW_CORE_CODECS_H_
#define SINEW_CORE_CODECS_H_

#include <mujoco/mujoco.h>

#include <string_view>

namespace sinew::inline core {

// Whether a codec has its callbacks, and a media type or an extension to be found by.
bool IsComplete(const mjpDecoder* decoder);
bool IsComplete(const mjpEncoder* encoder);

// Registers copies of a complete codec: one for its media type, and one for each of its extensions, which are
// separated by '|' and begin with a dot. The same callbacks again for a type or extension change nothing, other ones
// throw. All functions here are thread-safe.
void RegisterDecoder(const mjpDecoder& decoder);
void RegisterEncoder(const mjpEncoder& encoder);

// The decoder for the media type or, when there is none or it refuses the resource, for the extension of the resource's
// name; nullptr when none accepts it. The result lives as long as the process, and has either the media type or the
// extension.
const mjpDecoder* FindDecoder(const mjResource& resource, std::string_view content_type);

// The same for writing a file.
const mjpEncoder* FindEncoder(std::string_view file, std::string_view content_type);

// Writes a specification, a model or both to a file on disk with the encoder for it, and returns the number of bytes.
// Throws when there is no encoder, when it fails, and when the file cannot be written.
int Encode(const mjSpec* spec, const mjModel* model, std::string_view file, std::string_view content_type,
           const mjVFS* vfs);

}  // namespace sinew::inline core

#endif  // SINEW_CORE_CODECS_H_
