// What the targets for XML share: a text is read, compiled and stepped twice, away from this machine's files.
#ifndef SINEW_TESTS_FUZZ_XML_INPUT_H_
#define SINEW_TESTS_FUZZ_XML_INPUT_H_

#include <cstdlib>
#include <string>

#include "compile/compile.h"
#include "read/read_xml.h"
#include "tests/fuzz/input.h"

namespace sinew {

// A text must not read the files of this machine, nor fill the log with warnings.
inline void Seclude() {
  setenv("SINEW_FILE_ROOT", "/nonexistent", 1);
  mju_user_warning = [](const char*) {};
}

inline void ReadCompileStep(const uint8_t* data, size_t size, const std::string& name) {
  Try([&] {
    const auto spec = ReadXmlText(std::string(data, data + size), name, nullptr);
    TryStep(*Compile(*spec, nullptr));
  });
}

}  // namespace sinew

#endif  // SINEW_TESTS_FUZZ_XML_INPUT_H_
