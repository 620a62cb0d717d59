// Damaged documents: whatever is cut out, doubled or overwritten, a document ends in an error with a line, or compiles.
#include <algorithm>
#include <cctype>
#include <random>

#include "tests/unit/hfd/hfd_text.h"

namespace sinew::hfd {
namespace {

// One of several kinds of damage at a random place.
std::string Damage(std::string text, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t at = pick(text.size()), length = std::min<std::size_t>(1 + pick(60), text.size() - at);
  switch (pick(6)) {
    case 0:
      return text.erase(at, length);
    case 1:
      return text.insert(at, text.substr(at, length));
    case 2:
      return text.replace(at, 1, 1, static_cast<char>(random() % 256));
    case 3:
      return text.substr(0, at);
    case 4: {  // a number of another size
      const char* const numbers[] = {"nan", "inf", "-1", "1e300", "0", "two", "", "1e-300", "$none", "9..1"};
      const std::size_t begin = text.find_first_of("0123456789", at);
      if (begin == std::string::npos) return text;
      const std::size_t end = text.find_first_not_of("0123456789.e-+", begin);
      return text.replace(begin, end - begin, numbers[pick(10)]);
    }
    default: {  // a line is lost
      const std::size_t begin = text.find('\n', at);
      if (begin == std::string::npos) return text;
      const std::size_t end = text.find('\n', begin + 1);
      return end == std::string::npos ? text : text.erase(begin, end - begin);
    }
  }
}

TEST(HfdDamaged, TheWholeDocumentCompiles) { EXPECT_EQ(ErrorOf(WholeText()), ""); }

TEST(HfdDamaged, EndInAnErrorWithALineOrCompile) {
  std::mt19937 random(1);
  int errors = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string error = ErrorOf(Damage(WholeText(), random));
    if (error.empty()) continue;
    ++errors;
    const std::size_t file = error.find("m.hfd");
    ASSERT_NE(file, std::string::npos) << error;
    EXPECT_TRUE(error.size() > file + 6 && error[file + 5] == ':' && std::isdigit(error[file + 6])) << error;
  }
  EXPECT_GE(errors, 150);
}

}  // namespace
}  // namespace sinew::hfd
