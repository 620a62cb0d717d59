// Models that try to exhaust time or memory, to read what is not theirs, or to crash the loader.
#ifndef SINEW_TESTS_UNIT_HOSTILE_CASES_H_
#define SINEW_TESTS_UNIT_HOSTILE_CASES_H_

#include <map>
#include <string>
#include <vector>

namespace sinew::hostile {

enum class Outcome { kError, kLoads, kEither };

// `files` stand in a virtual file system beside the model.
struct Case {
  std::string name;  // letters, digits and underscores
  Outcome outcome;
  std::string xml;
  std::map<std::string, std::string> files = {};
};

using Cases = std::vector<Case>;

// ---- texts

inline std::string Repeat(size_t count, const std::string& text) {
  std::string all;
  all.reserve(count * text.size());
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

inline std::string Model(const std::string& sections) { return "<mujoco>" + sections + "</mujoco>"; }
inline std::string World(const std::string& bodies) { return Model("<worldbody>" + bodies + "</worldbody>"); }
inline std::string Asset(const std::string& assets) { return Model("<asset>" + assets + "</asset>"); }

// The bytes of numbers, one behind the other.
template <class... T>
std::string Bytes(T... values) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&values), sizeof(values)), ...);
  return bytes;
}

// ---- the tables

Cases CountCases();      // replicate, composite, flexcomp, textures and height fields with absurd counts
Cases StructureCases();  // nesting, names, attributes, references in circles, XML that is no model
Cases FileCases();       // binary files that lie about their content, includes, attachments
Cases NumberCases();     // numbers that are none, that overflow, that make no sense

}  // namespace sinew::hostile

#endif  // SINEW_TESTS_UNIT_HOSTILE_CASES_H_
