// Polygons of VTK.
#include "assets/mesh.h"
#include "assets/mesh_files.h"
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  Try([&] { CompileMesh(LoadVtp(AsBytes(data, size)), {.needs_hull = true}); });
  return 0;
}
