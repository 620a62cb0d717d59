// Binary models: what is accepted must be safe to simulate.
#include "model/mjb.h"
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  mju_user_warning = [](const char*) {};
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  Try([&] { TryStep(*ReadMjb(data, size)); });
  return 0;
}
