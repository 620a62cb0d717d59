// Binary models: the input is a list of changes to a good file, so that the fuzzer need not guess the header. What is
// accepted must be safe to simulate.
#include <cstring>
#include <vector>

#include "compile/compile.h"
#include "model/files/mjb.h"
#include "read/read_xml.h"
#include "tests/fuzz/input.h"
#include "tests/testing/models_folder.h"

namespace {

std::vector<char> good;  // the file of models/sensors.xml

struct Change {
  uint32_t place, value;
};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using namespace sinew;
  const ModelPtr m = Compile(*ReadXml(ModelsFile("sensors.xml"), nullptr), nullptr);
  good.resize(MjbSize(*m));
  WriteMjb(*m, good.data(), good.size());
  mju_user_warning = [](const char*) {};
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  std::vector<char> file = good;
  for (; size >= sizeof(Change); data += sizeof(Change), size -= sizeof(Change)) {
    Change change;
    std::memcpy(&change, data, sizeof(change));
    std::memcpy(file.data() + change.place % (file.size() / 4) * 4, &change.value, sizeof(change.value));
  }
  Try([&] { TryStep(*ReadMjb(file.data(), file.size() - size)); });
  return 0;
}
