// Elements by name, and what to say of names that no element has.
#ifndef SINEW_NAMES_H_
#define SINEW_NAMES_H_

#include <mujoco/mujoco.h>
#include <sinew/elements.h>
#include <sinew/error.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew {
inline namespace face {

// Letters to change, insert or take away between two words.
inline size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({change, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

// The known name that is most like one that does not exist, as the end of a sentence; empty if none is alike.
inline std::string Suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  size_t least = std::max<size_t>(name.size() / 3, 1) + 1;  // words further apart are no slips of the pen
  for (const std::string& other : known) {
    const size_t distance = EditDistance(name, other);
    if (other.empty() || distance >= least) continue;
    least = distance;
    nearest = &other;
  }
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

// The names of all elements of a type; empty for those without.
inline std::vector<std::string> NamesOf(const mjModel* m, mjtObj type) {
  std::vector<std::string> names;
  for (int id = 0; id < CountOf(m, type); ++id) {
    const char* name = mj_id2name(m, type, id);
    names.emplace_back(name ? name : "");
  }
  return names;
}

// The id of an element by its name; throws NameError.
inline int FindElement(const mjModel* m, mjtObj type, const std::string& name) {
  const int id = mj_name2id(m, type, name.c_str());
  if (id >= 0) return id;
  const std::string kind = type == mjOBJ_KEY ? "keyframe" : mju_type2Str(type);
  throw NameError("the model has no " + kind + " named '" + name + "'" + Suggestion(name, NamesOf(m, type)));
}

// An id that exists; throws NameError otherwise.
inline int CheckId(const mjModel* m, mjtObj type, int id) {
  const int count = CountOf(m, type);
  if (id >= 0 && id < count) return id;
  throw NameError("the model has no " + std::string(mju_type2Str(type)) + " " + std::to_string(id) + "; it has " +
                  std::to_string(count));
}

}  // namespace face
}  // namespace sinew

#endif  // SINEW_NAMES_H_
