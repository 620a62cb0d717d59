// Names and paths of the model: two buffers of texts, each terminated, with addresses by object.
#ifndef SINEW_COMPILE_NAMES_H_
#define SINEW_COMPILE_NAMES_H_

#include <string>
#include <vector>

#include "compile/draft.h"

namespace sinew::inline compile {

// The names of all objects of one kind, by id, and where the model keeps their addresses.
struct NameGroup {
  int* mjModel::*adr;
  std::vector<std::string> names;
};

// All kinds, in the order of the buffer.
std::vector<NameGroup> CollectNames(const Draft& draft);

// Lengths of the buffers.
mjtSize NamesLength(const Draft& draft, const std::vector<NameGroup>& groups);
mjtSize PathsLength(const Draft& draft);

void WriteNames(const Draft& draft, const std::vector<NameGroup>& groups, mjModel* m);
void WritePaths(const Draft& draft, mjModel* m);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_NAMES_H_
