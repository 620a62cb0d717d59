// Height fields, of PNG and of binary files.
#include "assets/hfield.h"
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  for (const char* type : {"image/png", "image/vnd.mujoco.hfield"}) {
    Try([&] {
      Elevation elevation = LoadHField(AsBytes(data, size), type, "");
      NormalizeElevation(elevation.data);
    });
  }
  return 0;
}
