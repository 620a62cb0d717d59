// SKN skins.
#include "assets/skin.h"
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  Try([&] {
    SkinData skin = LoadSkn(AsBytes(data, size));
    FinishSkin(skin);
  });
  return 0;
}
