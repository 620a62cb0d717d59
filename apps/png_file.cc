#include <spng.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "picture_file.h"

namespace sinew {

void WritePng(const std::string& path, int width, int height, std::span<const uint8_t> rgb) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file) throw std::runtime_error("cannot write " + path + "; does its folder exist?");
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(SPNG_CTX_ENCODER), spng_ctx_free);
  spng_ihdr header = {};
  header.width = static_cast<uint32_t>(width);
  header.height = static_cast<uint32_t>(height);
  header.color_type = SPNG_COLOR_TYPE_TRUECOLOR;
  header.bit_depth = 8;
  int status = spng_set_png_file(context.get(), file.get());
  if (!status) status = spng_set_ihdr(context.get(), &header);
  if (!status) status = spng_encode_image(context.get(), rgb.data(), rgb.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
  if (status) throw std::runtime_error("cannot write " + path + ": " + spng_strerror(status));
}

}  // namespace sinew
