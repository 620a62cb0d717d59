// Short models for the tests of the reader.
#ifndef SINEW_TESTS_UNIT_MJCF_READ_HELPERS_H_
#define SINEW_TESTS_UNIT_MJCF_READ_HELPERS_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/error.h"
#include "core/handlers.h"
#include "read/read_xml.h"

namespace sinew::mjcf {

inline std::unique_ptr<Spec> Read(const std::string& sections) {
  return ReadXmlText("<mujoco>\n" + sections + "\n</mujoco>", "test.xml", nullptr);
}

inline std::unique_ptr<Spec> ReadWorld(const std::string& children) {
  return Read("<worldbody>" + children + "</worldbody>");
}

// The text of the error of a whole document; empty when it is read.
inline std::string ErrorOfText(const std::string& text) {
  try {
    ReadXmlText(text, "test.xml", nullptr);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline std::string ErrorOf(const std::string& sections) { return ErrorOfText("<mujoco>\n" + sections + "\n</mujoco>"); }

inline std::string ErrorOfWorld(const std::string& children) {
  return ErrorOf("<worldbody>" + children + "</worldbody>");
}

// The warnings that an action causes, a line each.
template <class Action>
std::string WarningsOf(Action&& action) {
  thread_local std::string messages;
  messages.clear();
  const MessageHandler old = ThreadWarningHandler();
  SetThreadWarningHandler([](const char* text) { messages += std::string(text) + "\n"; });
  action();
  SetThreadWarningHandler(old);
  return messages;
}

// Expects an error that contains all of the parts.
inline void ExpectParts(const std::string& error, std::initializer_list<const char*> parts) {
  EXPECT_FALSE(error.empty()) << "no error";
  for (const char* part : parts)
    EXPECT_NE(error.find(part), std::string::npos) << "no \"" << part << "\" in: " << error;
}

}  // namespace sinew::mjcf

#endif  // SINEW_TESTS_UNIT_MJCF_READ_HELPERS_H_
