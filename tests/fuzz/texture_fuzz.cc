// Textures of all formats, cut into the faces of a cube.
#include "assets/texture.h"
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  const double color[3] = {1, 0.5, 0};
  for (const TextureFormat format : {TextureFormat::kPng, TextureFormat::kKtx, TextureFormat::kRaw}) {
    for (const int channels : {1, 3, 4}) {
      Try([&] { CutFaces(LoadTexture(AsBytes(data, size), format, channels), 3, 4, ".U..LFRB.D..", color); });
    }
  }
  return 0;
}
