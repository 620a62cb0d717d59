// Decoders and encoders of the process are kept in registries (core/registry.h).
#include "core/codecs.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "core/error.h"
#include "core/path.h"
#include "core/registry.h"
#include "core/write_file.h"

namespace sinew::inline core {
namespace {

// The functions of a codec, for comparison.
auto Callbacks(const mjpDecoder& d) { return std::tie(d.can_decode, d.decode); }
auto Callbacks(const mjpEncoder& e) { return std::tie(e.encode, e.close_resource); }

// A codec under one of its names: a media type, or an extension, which begins with a dot.
template <class Codec>
struct CodecEntry {
  std::string name;
  Codec codec;

  void Own() {
    const bool is_extension = name.front() == '.';
    codec.content_type = is_extension ? nullptr : name.c_str();
    codec.extension = is_extension ? name.c_str() : nullptr;
  }
  bool SameAs(const CodecEntry& other) const { return Callbacks(codec) == Callbacks(other.codec); }
};

template <class Codec>
Registry<CodecEntry<Codec>>& Codecs() {
  return Registry<CodecEntry<Codec>>::Instance();
}

bool IsEmpty(const char* text) { return !text || !*text; }

template <class Codec>
bool HasName(const Codec& codec) {
  return !IsEmpty(codec.content_type) || !IsEmpty(codec.extension);
}

template <class Codec>
void Register(const Codec& codec, const char* kind) {
  if (!IsEmpty(codec.content_type)) Codecs<Codec>().Add({codec.content_type, codec}, kind);
  std::string_view rest = codec.extension ? codec.extension : "";
  while (!rest.empty()) {
    const std::string_view extension = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), extension.size() + 1));
    if (extension.starts_with('.')) Codecs<Codec>().Add({std::string(extension), codec}, kind);
  }
}

// The first that `accepts`, of the media type and of the extension; nullptr when there is none.
template <class Codec, class Accepts>
const Codec* Find(std::string_view file, std::string_view content_type, Accepts&& accepts) {
  for (const std::string_view name : {content_type, Extension(file)}) {
    const CodecEntry<Codec>* entry = Codecs<Codec>().At(Codecs<Codec>().Find(name));
    if (entry && accepts(entry->codec)) return &entry->codec;
  }
  return nullptr;
}

// The resource to which an encoder writes: its `data` points to the content.
class EncodedResource : public mjResource {
 public:
  EncodedResource(const mjpEncoder& encoder, std::string_view file, const mjVFS* files)
      : mjResource{}, encoder_(encoder), name_(file) {
    name = name_.data();
    vfs = const_cast<mjVFS*>(files);
  }
  ~EncodedResource() {
    if (written_) encoder_.close_resource(this);
  }
  EncodedResource(const EncodedResource&) = delete;

  // The bytes that the encoder makes, which live as long as the resource. An encoder that fails keeps nothing to close.
  std::string_view Fill(const mjSpec* spec, const mjModel* model) {
    const int size = encoder_.encode(spec, model, vfs, this);
    written_ = size >= 0;
    if (size < 0 || (size > 0 && !data)) throw Error("the encoder of '" + name_ + "' failed");
    return {static_cast<const char*>(data), static_cast<size_t>(size)};
  }

 private:
  const mjpEncoder& encoder_;
  std::string name_;
  bool written_ = false;
};

}  // namespace

bool IsComplete(const mjpDecoder* decoder) {
  return decoder && decoder->can_decode && decoder->decode && HasName(*decoder);
}
bool IsComplete(const mjpEncoder* encoder) {
  return encoder && encoder->encode && encoder->close_resource && HasName(*encoder);
}

void RegisterDecoder(const mjpDecoder& decoder) { Register(decoder, "decoder"); }
void RegisterEncoder(const mjpEncoder& encoder) { Register(encoder, "encoder"); }

const mjpDecoder* FindDecoder(const mjResource& resource, std::string_view content_type) {
  return Find<mjpDecoder>(resource.name, content_type,
                          [&](const mjpDecoder& decoder) { return decoder.can_decode(&resource) != 0; });
}

const mjpEncoder* FindEncoder(std::string_view file, std::string_view content_type) {
  return Find<mjpEncoder>(file, content_type, [](const mjpEncoder&) { return true; });
}

int Encode(const mjSpec* spec, const mjModel* model, std::string_view file, std::string_view content_type,
           const mjVFS* vfs) {
  const mjpEncoder* encoder = FindEncoder(file, content_type);
  if (!encoder) {
    throw Error("no encoder found for file '" + std::string(file) + "'",
                "register one for its extension or media type");
  }
  EncodedResource resource(*encoder, file, vfs);
  const std::string_view content = resource.Fill(spec, model);
  WriteFile(std::string(file), content);
  return static_cast<int>(content.size());
}

}  // namespace sinew::inline core
