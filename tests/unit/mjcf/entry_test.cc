// Errors of the compiler name the entry of the reference that says what the element or attribute takes.
#include "mjcf/entry.h"

#include "tests/unit/compile/compile_xml.h"

namespace sinew::mjcf {
namespace {

// What a user reads when the sections do not compile.
std::string TextOf(const std::string& sections) {
  try {
    CompileXml(sections);
  } catch (const Error& error) {
    return WithEntries(error).what();
  }
  ADD_FAILURE() << "no error: " << sections;
  return "";
}

void ExpectEnd(const std::string& sections, const std::string& end) {
  const std::string text = TextOf(sections);
  ASSERT_GE(text.size(), end.size()) << text;
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
}

TEST(Entry, IsThatOfTheAttributeThatTheProblemNames) {
  ExpectEnd("<worldbody><geom type='box' size='.1 .2'/></worldbody>", "; see: sinew schema body/geom size");
  ExpectEnd("<worldbody><camera fovy='180'/></worldbody>", "; see: sinew schema body/camera fovy");
  ExpectEnd("<worldbody><body><joint axis='0 0 0'/><geom size='.1'/></body></worldbody>",
            "; see: sinew schema body/joint axis");
  ExpectEnd("<worldbody/><actuator><motor joint='range'/></actuator>", "; see: sinew schema actuator/motor joint");
}

TEST(Entry, IsThatOfTheElementWhereNoAttributeIsNamed) {
  ExpectEnd("<worldbody/><tendon><fixed name='t'/></tendon>", "; see: sinew schema tendon/fixed");
}

TEST(Entry, StandsWithEachOfManyProblems) {
  const std::string text = TextOf("<worldbody><geom/>\n<geom size='.1' condim='2'/></worldbody>");
  const size_t line = text.find('\n');
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_NE(text.substr(0, line).find("see: sinew schema body/geom size"), std::string::npos) << text;
  EXPECT_NE(text.substr(line).find("see: sinew schema body/geom condim"), std::string::npos) << text;
}

TEST(Entry, IsSaidOnceAndOnlyOfMjcf) {
  EXPECT_STREQ(WithEntries(Error("problem", "remedy")).what(), "problem; remedy");
  const Error once("size is wrong", "see: sinew schema body/geom size", {"", 0, "geom", "body/geom"});
  EXPECT_STREQ(WithEntries(once).what(), once.what());
  const Error unknown("size is wrong", "", {"", 0, "geom", "no/such/path"});
  EXPECT_STREQ(WithEntries(unknown).what(), unknown.what());
}

}  // namespace
}  // namespace sinew::mjcf
