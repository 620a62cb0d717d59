// MJCF text: read, compile, two steps.
#include <cstdlib>

#include "compile/compile.h"
#include "mjcf/read.h"
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("SINEW_FILE_ROOT", "/nonexistent", 1);  // a text must not read the files of this machine
  mju_user_warning = [](const char*) {};
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  Try([&] {
    const auto spec = ReadXmlText(std::string(data, data + size), "fuzz.xml", nullptr);
    TryStep(*Compile(*spec, nullptr));
  });
  return 0;
}
