// Textures: patterns of the library, pixels from memory, or files. A cube has six square faces, one above the other, in
// the order right, left, up, down, front, back. Bytes are in [0, 255].
#include "assets/texture.h"

#include <algorithm>

#include "assets/builtin_texture.h"
#include "compile/assets/asset_file.h"
#include "compile/diagnose.h"
#include "compile/passes.h"
#include "core/ktx.h"
#include "core/load_limits.h"
#include "core/warning.h"

namespace sinew::inline compile {
namespace {

// Patterns have three channels; a fourth leaves the rest of the image empty, and an image of one channel is full after
// a third of the pattern. Without pixels, the image is drawn into the model.
Image FromPattern(const Texture& source) {
  const Image frame = FrameBuiltin(source);
  if (source.nchannel >= frame.channels) {
    return FrameImage(frame.width, frame.height, source.nchannel, frame.colorspace);
  }
  Image image = MakeImage(frame.width, frame.height, frame.channels, frame.colorspace);
  DrawBuiltin(source, image.pixels.data());
  image.channels = source.nchannel;
  image.pixels.resize(image.bytes());
  return image;
}

// Pixels from memory, in the layout of the model. A cube may have one square for all faces.
Image FromMemory(const Texture& source) {
  const bool cube = source.type != mjTEXTURE_2D;
  Image image = MakeImage(source.width, source.height, source.nchannel, source.colorspace);
  if (cube && image.height != image.width && image.height != kCubeFaces * image.width) {
    throw Error("width and height do not fit the type of the texture",
                "a cube is six squares one above the other, or one for all faces");
  }
  if (source.data->size() != image.pixels.size()) {
    throw Error("the texture has " + std::to_string(source.data->size()) + " bytes",
                "give width * height * nchannel = " + std::to_string(image.pixels.size()));
  }
  std::transform(source.data->begin(), source.data->end(), image.pixels.begin(),
                 [](std::byte byte) { return static_cast<mjtByte>(byte); });
  Flip(image, source.hflip, source.vflip);
  return image;
}

// The picture of a file, mirrored by the options of the texture.
Image LoadPicture(const Texture& source, const std::string& name, const mjVFS* vfs) {
  const auto file = OpenAssetFile(source, *source.compiler().texturedir, name, vfs);
  Image image;
  InFile(name, [&] {
    const TextureFormat format = FindTextureFormat(*source.content_type, name);
    if (format == TextureFormat::kKtx && (source.hflip || source.vflip)) {
      throw Error("KTX pictures cannot be mirrored", "remove hflip and vflip");
    }
    image = LoadTexture(ContentOf(*file), format, source.nchannel);
    Flip(image, source.hflip, source.vflip);
  });
  return image;
}

// A file of a cube may hold all faces on a grid, whose layout says which face is where.
Image FromFile(const Texture& source, const mjVFS* vfs) {
  Image image = LoadPicture(source, *source.file, vfs);
  if (source.type == mjTEXTURE_2D) return image;
  InFile(*source.file, [&] {
    const std::string_view layout(source.gridlayout, std::size(source.gridlayout));
    image = CutFaces(std::move(image), source.gridsize[0], source.gridsize[1], layout, source.rgb1);
  });
  return image;
}

LoadMemory Hold(const Image& image) {
  return HoldLoadMemory(static_cast<double>(image.bytes()), "the texture, with those before it,");
}

// Each face has a file of its own, and faces without one get the first colour. Those that are there count when the next
// one is decoded, and when all are put together.
Image FromFaces(const Texture& source, const mjVFS* vfs) {
  CubeFaces faces;
  std::vector<LoadMemory> held;
  bool any = false;
  for (size_t i = 0; i < std::min(faces.size(), source.cubefiles->size()); ++i) {
    const std::string& name = (*source.cubefiles)[i];
    if (name.empty()) continue;
    faces[i] = LoadPicture(source, name, vfs);
    held.push_back(Hold(*faces[i]));
    any = true;
  }
  if (!any) throw Error("the texture has neither a pattern nor pixels nor a file", "set builtin or file");
  if (source.type == mjTEXTURE_2D) throw Error("a texture of type 2d has no faces", "give one file, or another type");
  return StackFaces(faces, source.rgb1);
}

// A pattern goes before pixels, and these before files.
Image MakeTexture(const Texture& source, const mjVFS* vfs) {
  if (source.nchannel != 1 && source.nchannel != 3 && source.nchannel != 4) {
    throw Error("nchannel is " + std::to_string(source.nchannel), "use 1, 3 or 4");
  }
  if (source.builtin != mjBUILTIN_NONE) return FromPattern(source);
  if (!source.data->empty()) return FromMemory(source);
  return source.file->empty() ? FromFaces(source, vfs) : FromFile(source, vfs);
}

// Warns, with file and line, that renderers of this library do not show a KTX texture.
void WarnOfKtx(const Texture& source, const Image& image) {
  if (!IsKtx(image.pixels.data(), image.pixels.size())) return;
  const Error notice("file '" + *source.file + "' is a KTX picture, which pictures of this library do not show",
                     "save it as PNG", Place(source));
  Warn("%s", notice.what());
}

}  // namespace

// The memory of each texture is checked when its size is known: the first that does not fit is named. Pixels are held
// until the model has them; patterns take their memory in the model alone.
void DraftTextures(Draft& draft) {
  std::vector<LoadMemory> patterns;
  for (auto& texture : draft.spec.List<Texture>()) {
    texture->id = static_cast<int>(draft.textures.size());
    At(*texture, [&] {
      Image image = MakeTexture(*texture, draft.vfs);
      // A colour space that the user sets has precedence over that of the file.
      if (texture->colorspace != mjCOLORSPACE_AUTO) image.colorspace = texture->colorspace;
      WarnOfKtx(*texture, image);
      LoadMemory memory = Hold(image);
      image.pixels.empty() ? patterns.push_back(std::move(memory)) : KeepLoadMemory(std::move(memory));
      draft.textures.push_back({texture.get(), std::move(image)});
    });
  }
}

// Patterns are drawn straight into the model, to save a copy of what may be large.
void WriteTextures(const Draft& draft, mjModel* m) {
  mjtSize adr = 0;
  for (const TextureDraft& texture : draft.textures) {
    const Image& image = texture.image;
    const int id = texture.source->id;
    m->tex_type[id] = texture.source->type;
    m->tex_colorspace[id] = image.colorspace;
    m->tex_height[id] = image.height;
    m->tex_width[id] = image.width;
    m->tex_nchannel[id] = image.channels;
    m->tex_adr[id] = adr;
    if (image.pixels.empty()) {
      DrawBuiltin(*texture.source, m->tex_data + adr);
    } else {
      std::copy(image.pixels.begin(), image.pixels.end(), m->tex_data + adr);
    }
    adr += static_cast<mjtSize>(image.bytes());
  }
}

}  // namespace sinew::inline compile
