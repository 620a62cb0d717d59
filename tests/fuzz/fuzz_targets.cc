// All fuzz targets in one program, which runs the one by whose name it is called: bin/stl_fuzz is a link to it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" {

// fuzz_list.h has TARGET(NAME_fuzz) for each file tests/fuzz/NAME_fuzz.cc, whose functions are compiled as
// NAME_fuzz_input and, where it has one, NAME_fuzz_start.
#define TARGET(name)                                  \
  int name##_input(const uint8_t* data, size_t size); \
  [[gnu::weak]] int name##_start(int* argc, char*** argv);
#include "fuzz_list.h"
#undef TARGET
}

namespace {

struct Target {
  std::string_view name;
  int (*input)(const uint8_t* data, size_t size);
  int (*start)(int* argc, char*** argv);  // null: there is none
};

constexpr Target kTargets[] = {
#define TARGET(name) {#name, name##_input, name##_start},
#include "fuzz_list.h"
#undef TARGET
};

const Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  std::string_view name = **argv;
  name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
  target = std::find_if(std::begin(kTargets), std::end(kTargets), [&](const Target& t) { return t.name == name; });
  if (target == std::end(kTargets)) {
    std::fprintf(stderr, "there is no fuzz target '%.*s': call one of the links beside this program\n",
                 static_cast<int>(name.size()), name.data());
    std::exit(EXIT_FAILURE);
  }
  return target->start ? target->start(argc, argv) : 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { return target->input(data, size); }
