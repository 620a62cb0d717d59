// Models from a piece of MJCF, for tests of the compiler.
#ifndef SINEW_TESTS_UNIT_COMPILE_COMPILE_XML_H_
#define SINEW_TESTS_UNIT_COMPILE_COMPILE_XML_H_

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compile/compile.h"
#include "core/error.h"
#include "read/read_xml.h"

namespace sinew {

// Compiles <mujoco>`sections`</mujoco>; the text begins in line 1 of "test.xml".
inline ModelPtr CompileXml(const std::string& sections) {
  const auto spec = ReadXmlText("<mujoco>" + sections + "</mujoco>", "test.xml", nullptr);
  return Compile(*spec, nullptr);
}

// The same for the content of <worldbody>.
inline ModelPtr CompileWorld(const std::string& bodies) { return CompileXml("<worldbody>" + bodies + "</worldbody>"); }

// The message of the error that compiling the sections causes; fails without one.
inline std::string ErrorOf(const std::string& sections) {
  try {
    CompileXml(sections);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error: " << sections;
  return "";
}

// Numbers of an array of the model, for comparisons.
template <class T>
std::vector<T> Take(const T* begin, mjtSize count) {
  return std::vector<T>(begin, begin + count);
}

template <class T>
void ExpectNear(const T* values, const std::vector<double>& expected, double tolerance) {
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance) << "at " << i;
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_COMPILE_COMPILE_XML_H_
