// Polished contacts (tests/support/polished_contacts.h) for programs that load this library: bench/gradient_errors.py.
#include "tests/support/polished_contacts.h"

#include <optional>

namespace {
std::optional<sinew::PolishedPairs> pairs;
}

// Puts polishing into a table of collision functions, or takes it out.
extern "C" __attribute__((visibility("default"))) void polish_contacts(sinew::PolishedPairs::Table* table, int on) {
  pairs.reset();
  if (on) pairs.emplace(*table);
}

extern "C" __attribute__((visibility("default"))) sinew::PolishedCounts polished_counts() {
  return sinew::TakePolishedCounts();
}
