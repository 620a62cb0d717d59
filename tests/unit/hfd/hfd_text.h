// Short documents of Hyfydy for the tests of the reader.
#ifndef SINEW_TESTS_UNIT_HFD_HFD_TEXT_H_
#define SINEW_TESTS_UNIT_HFD_HFD_TEXT_H_

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "compile/compile.h"
#include "core/error.h"
#include "model/storage/data.h"
#include "read/read_xml.h"
#include "tests/testing/models_folder.h"

namespace sinew::hfd {

inline std::unique_ptr<Spec> ReadText(const std::string& text) { return ReadXmlText(text, "m.hfd", nullptr); }

// The text becomes the entries of a model.
inline std::string ModelOf(const std::string& entries) { return "model {\n" + entries + "\n}\n"; }

inline ModelPtr CompileText(const std::string& text) { return Compile(*ReadText(text), nullptr); }

inline std::string ErrorOf(const std::string& text) {
  try {
    CompileText(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// All warnings, one a line.
inline std::string WarningsOf(const std::string& text) {
  std::string all;
  const auto spec = ReadText(text);
  for (const std::string& warning : spec->warnings) all += warning + "\n";
  return all;
}

inline bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A document with a part of every kind that the reader knows.
inline std::string WholeText() {
  std::ifstream file(ModelsFile("muscle/leg.hfd"));
  return {std::istreambuf_iterator<char>(file), {}};
}

inline const std::string kArm =
    "body { name = arm mass = 2 inertia = [ 1 1 1 ] joint { name = elbow parent = ground pos_in_parent = [ 0 1 0 ] "
    "pos_in_child = [ 0 0.2 0 ] limits = [ 0..0 0..0 -90..0 ] } }\n";
inline const std::string kGround = "body { name = ground mass = 0 }\n";

}  // namespace sinew::hfd

#endif  // SINEW_TESTS_UNIT_HFD_HFD_TEXT_H_
