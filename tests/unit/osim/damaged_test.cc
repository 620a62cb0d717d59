// Damaged documents: whatever is cut out, doubled or overwritten, a document ends in an error with a line, or compiles.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/support/damaged_text.h"
#include "tests/testing/models_folder.h"
#include "tests/unit/osim/read_document.h"

namespace sinew::osim {
namespace {

// A document with a component of every kind that the reader knows.
std::string Whole() {
  std::ifstream file(ModelsFile("muscle/leg.osim"));
  return {std::istreambuf_iterator<char>(file), {}};
}

// A number that is none, or is too large or too small; or a tag that is lost.
std::string Damage(const std::string& text, std::mt19937& random) {
  static constexpr const char* kNumbers[] = {"nan", "inf", "-1", "1e300", "0", "two", "", "1e-300"};
  return DamagedText(text, kNumbers, '>', random);
}

TEST(OsimDamaged, TheWholeDocumentCompiles) { EXPECT_EQ(ErrorOf(Whole()), ""); }

TEST(OsimDamaged, TheWholeDocumentHasAllItsParts) {
  const ModelPtr m = CompileDocument(Whole());
  EXPECT_EQ(m->nv, 9);  // hip, knee, patella, and the ball that is free
  EXPECT_EQ(m->nu, 4);
  EXPECT_EQ(m->npair, 1);
  EXPECT_EQ(m->neq, 1);
}

TEST(OsimDamaged, EndInAnErrorWithALineOrCompile) {
  std::mt19937 random(1);
  int errors = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string document = Damage(Whole(), random);
    const std::string error = ErrorOf(document);
    if (error.empty()) continue;
    ++errors;
    const std::size_t file = error.find("m.osim");
    ASSERT_NE(file, std::string::npos) << error;
    // documents without an element, or without a root, have no line
    if (Contains(error, "has no element")) continue;
    EXPECT_TRUE(error.size() > file + 7 && error[file + 6] == ':' && std::isdigit(error[file + 7])) << error;
  }
  EXPECT_GE(errors, 200);
}

}  // namespace
}  // namespace sinew::osim
