// Pictures as PNG, by libspng, or JPEG, by stb_image_write.
#include "picture_file.h"

#include <spng.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "output_file.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wconversion"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace sinew {
namespace {

std::string ExtensionOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string Png(int width, int height, std::span<const uint8_t> rgb) {
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(SPNG_CTX_ENCODER), spng_ctx_free);
  spng_ihdr header = {};
  header.width = static_cast<uint32_t>(width);
  header.height = static_cast<uint32_t>(height);
  header.color_type = SPNG_COLOR_TYPE_TRUECOLOR;
  header.bit_depth = 8;
  int status = spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
  if (!status) status = spng_set_ihdr(context.get(), &header);
  if (!status) status = spng_encode_image(context.get(), rgb.data(), rgb.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
  size_t size = 0;
  const std::unique_ptr<void, void (*)(void*)> bytes(
      status ? nullptr : spng_get_png_buffer(context.get(), &size, &status), std::free);
  if (status) throw std::runtime_error(std::string("cannot encode the picture: ") + spng_strerror(status));
  return {static_cast<const char*>(bytes.get()), size};
}

std::string Jpeg(int width, int height, std::span<const uint8_t> rgb) {
  constexpr int kQuality = 92;  // of 100
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<size_t>(size));
  };
  if (!stbi_write_jpg_to_func(append, &bytes, width, height, 3, rgb.data(), kQuality)) {
    throw std::runtime_error("cannot encode the picture as JPEG");
  }
  return bytes;
}

}  // namespace

void CheckPictureName(const std::string& path) {
  const std::string extension = ExtensionOf(path);
  if (extension == ".png" || extension == ".jpg" || extension == ".jpeg") return;
  throw std::runtime_error("cannot write '" + path + "'; the name of a picture must end in .png or .jpg");
}

void WritePicture(const std::string& path, int width, int height, std::span<const uint8_t> rgb) {
  CheckPictureName(path);
  WriteToFile(path, ExtensionOf(path) == ".png" ? Png(width, height, rgb) : Jpeg(width, height, rgb));
}

}  // namespace sinew
