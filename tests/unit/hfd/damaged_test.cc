// Damaged documents: whatever is cut out, doubled or overwritten, a document ends in an error with a line, or compiles.
#include <algorithm>
#include <cctype>
#include <random>

#include "tests/support/damaged_text.h"
#include "tests/unit/hfd/hfd_text.h"

namespace sinew::hfd {
namespace {

// A number that is none, or is too large or too small; or a line that is lost.
std::string Damage(const std::string& text, std::mt19937& random) {
  static constexpr const char* kNumbers[] = {"nan", "inf", "-1", "1e300", "0", "two", "", "1e-300", "$none", "9..1"};
  return DamagedText(text, kNumbers, '\n', random);
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
