#include "hfd/zml.h"

#include "tests/unit/hfd/hfd_text.h"

namespace sinew::hfd {
namespace {

std::string ProblemOf(const std::string& text) {
  try {
    LoadZml("m.hfd", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Zml, KeysValuesGroupsAndLists) {
  const auto document =
      LoadZml("folder/m.hfd",
              "# first\nmodel { a = 1 b{c=x d=\"two words\"}\n/* more\n lines */ e = [ 1..2 { f = 3 } ] "
              "$v = 7 g = $v h [ 4 ] }");
  const auto& model = *document.root;
  EXPECT_EQ(document.directory, "folder/");
  EXPECT_EQ(model.tag, "model");
  EXPECT_EQ(model.line, 2);
  ASSERT_EQ(model.children.size(), 5u);
  EXPECT_EQ(model.children[0].text, "1");
  EXPECT_EQ(model.children[1].children[1].text, "two words");
  EXPECT_EQ(model.children[2].line, 4);
  EXPECT_EQ(model.children[2].children[0].text, "1..2");
  EXPECT_EQ(model.children[2].children[0].tag, kItem);
  EXPECT_EQ(model.children[2].children[1].children[0].tag, "f");
  EXPECT_EQ(model.children[3].text, "7");
  EXPECT_EQ(model.children[4].children.size(), 1u);
  EXPECT_EQ(model.children[4].children[0].parent, &model.children[4]);
}

TEST(Zml, TextThatIsNoneIsRefusedWithItsLine) {
  EXPECT_TRUE(Contains(ProblemOf(""), "m.hfd:1: the document has no entry"));
  EXPECT_TRUE(Contains(ProblemOf("model {\n a = 1\n"), "m.hfd:3: the end of the file stands where a key is expected"));
  EXPECT_TRUE(Contains(ProblemOf("model {\n a 1 }"), "m.hfd:2: '1' stands where a value of 'a' is expected"));
  EXPECT_TRUE(Contains(ProblemOf("model {\n a = }"), "m.hfd:2: '}' stands where a value of 'a' is expected"));
  EXPECT_TRUE(Contains(ProblemOf("model {\n\n a = \"x }"), "m.hfd:3: the text in quotes has no end"));
  EXPECT_TRUE(Contains(ProblemOf("model {\n /* x }"), "m.hfd:2: the comment has no end"));
  EXPECT_TRUE(Contains(ProblemOf("model { a = $b }"), "m.hfd:1: '$b' is not defined"));
  EXPECT_TRUE(Contains(ProblemOf("model { << other.hfd >> }"), "other files are not read"));
  EXPECT_TRUE(Contains(ProblemOf("model { }\nmodel { }"), "m.hfd:2: the document has a second entry"));
  std::string deep = "model ";
  for (int i = 0; i < 1000; ++i) deep += "{ a ";
  EXPECT_TRUE(Contains(ProblemOf(deep), "nested too deeply"));
  deep = "model ";
  for (int i = 0; i < 1000; ++i) deep += "[";
  EXPECT_TRUE(Contains(ProblemOf(deep), "nested too deeply"));
}

}  // namespace
}  // namespace sinew::hfd
