// PNG files, by libspng.
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include <spng.h>

#include "assets/image.h"
#include "core/error.h"

namespace sinew::inline assets {
namespace {

struct FreeContext {
  void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using Context = std::unique_ptr<spng_ctx, FreeContext>;

void Check(int status) {
  if (status != 0) throw Error(std::string("the PNG file is damaged: ") + spng_strerror(status), "save it again");
}

Context OpenPng(std::span<const std::byte> file) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // a fuzzer cannot guess checksums
  constexpr int kFlags = SPNG_CTX_IGNORE_ADLER32, kCrc = SPNG_CRC_USE;
#else
  constexpr int kFlags = 0, kCrc = SPNG_CRC_ERROR;
#endif
  Context context(spng_ctx_new(kFlags));
  if (!context) throw std::bad_alloc();
  Check(spng_set_crc_action(context.get(), kCrc, kCrc));
  // Ancillary chunks (texts, profiles) are compressed too; nothing in them is used.
  constexpr size_t kMaxChunk = size_t{1} << 24;
  Check(spng_set_chunk_limits(context.get(), kMaxChunk, 4 * kMaxChunk));
  Check(spng_set_png_buffer(context.get(), file.data(), file.size()));
  return context;
}

// A byte of a compressed stream holds at most 1032 bytes of pixels: a header that declares more lies.
void CheckPlausible(const spng_ihdr& header, size_t file_size) {
  constexpr uint64_t kMaxRatio = 1032;
  const uint64_t bits = uint64_t{header.width} * header.height * header.bit_depth;
  if (bits / 8 <= kMaxRatio * file_size) return;
  throw Error("the PNG file declares " + std::to_string(header.width) + " by " + std::to_string(header.height) +
                  " pixels, more than it can hold",
              "save it again");
}

}  // namespace

Image DecodePng(std::span<const std::byte> file, int channels) {
  const Context context = OpenPng(file);
  spng_ihdr header;
  Check(spng_get_ihdr(context.get(), &header));
  CheckPlausible(header, file.size());

  // Images that end with one channel are decoded as RGB.
  Image image = MakeImage(header.width, header.height, channels == 4 ? 4 : 3, mjCOLORSPACE_LINEAR);
  const int format = channels == 4 ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8;
  Check(spng_decode_image(context.get(), image.pixels.data(), image.pixels.size(), format, SPNG_DECODE_TRNS));
  uint8_t intent;
  if (spng_get_srgb(context.get(), &intent) == 0) image.colorspace = mjCOLORSPACE_SRGB;
  if (channels != 1) return image;

  const size_t count = image.pixels.size() / 3;
  for (size_t i = 0; i < count; ++i) image.pixels[i] = image.pixels[3 * i];
  image.pixels.resize(count);
  image.channels = 1;
  return image;
}

}  // namespace sinew::inline assets
