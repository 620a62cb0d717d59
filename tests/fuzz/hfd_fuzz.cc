// Text of Hyfydy's format: read, compile, two steps.
#include "tests/fuzz/xml_input.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  sinew::Seclude();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sinew::ReadCompileStep(data, size, "fuzz.hfd");
  return 0;
}
