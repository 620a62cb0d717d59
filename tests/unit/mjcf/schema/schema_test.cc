#include "mjcf/schema/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mjcf/schema/print_schema.h"
#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

TEST(Schema, ElementsAreFoundInTheirParents) {
  const ElementRow* world = FindChild(Root(), "worldbody");
  ASSERT_NE(world, nullptr);
  const ElementRow* body = FindChild(*world, "body");
  ASSERT_NE(body, nullptr);
  EXPECT_EQ(FindChild(*body, "body"), body);
  EXPECT_EQ(FindChild(*FindChild(*body, "frame"), "geom"), FindPath("body/geom"));
  EXPECT_EQ(FindChild(Root(), "body"), nullptr);
  EXPECT_EQ(FindChild(*FindPath("default"), "default"), FindPath("default"));
}

TEST(Schema, ClassesGiveNoNamesAndReferences) {
  EXPECT_NE(FindAttribute(*FindPath("body/geom"), "name"), nullptr);
  EXPECT_EQ(FindAttribute(*FindPath("default/geom"), "name"), nullptr);
  EXPECT_EQ(FindAttribute(*FindPath("default/motor"), "joint"), nullptr);
  EXPECT_FALSE(FindAttribute(*FindPath("default/pair"), "condim")->required);
}

// Text that an attribute accepts.
std::string LegalText(const Attribute& attribute) {
  switch (attribute.value) {
    case Value::kKeyword:
    case Value::kKeywords:
    case Value::kFlag:
      return attribute.keywords.front().word;
    case Value::kReal:
    case Value::kInt: {
      std::string text;
      for (int i = 0; i < std::max(attribute.min, 1); ++i) text += "1 ";
      return text;
    }
    default:
      return "xyz";
  }
}

// A tag around or without content.
std::string Tag(const std::string& name, const std::string& attributes, const std::string& content) {
  std::string text = "<";
  text.append(name).append(" ").append(attributes).append(">").append(content).append("</").append(name).append(">");
  return text;
}

// The steps of a path: "body/geom" to body, geom.
std::vector<std::string> Steps(std::string_view path) {
  std::vector<std::string> steps;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    steps.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return steps;
}

// The document in which an element with one attribute stands.
std::string Document(const std::vector<std::string>& steps, const std::string& attribute) {
  if (steps.front() == "mujoco") return Tag("mujoco", attribute, "");
  std::string text = Tag(steps.back(), attribute, "");
  for (std::size_t i = steps.size() - 1; i-- > 0;) text = Tag(steps[i], "", text);
  if (steps.front() == "body") text = Tag("worldbody", "", text);
  return Tag("mujoco", "", text);
}

// An attribute that the schema knows and no code reads would be lost without a word.
TEST(Schema, NoAttributeIsPassedOver) {
  const std::set<std::string> later = {"extension", "model",    "skin",   "attach", "replicate",
                                       "composite", "flexcomp", "plugin", "flex"};
  for (const ElementRow& row : Elements()) {
    const auto steps = Steps(row.path);
    const bool is_later =
        std::any_of(steps.begin(), steps.end(), [&](const std::string& step) { return later.contains(step); });
    for (const auto index : row.attributes) {
      const Attribute& attribute = Attributes()[index];
      std::string text = attribute.name;
      text.append("='").append(LegalText(attribute)).append("'");
      const std::string error = ErrorOfText(Document(steps, text));
      EXPECT_EQ(error.find("unknown"), std::string::npos) << row.path << ": " << error;
      if (is_later) continue;
      EXPECT_EQ(error.find("not supported"), std::string::npos) << row.path << ": " << error;
    }
  }
}

TEST(Schema, IsPrinted) {
  const std::string text = SchemaText();
  EXPECT_TRUE(text.starts_with("mujoco (!)                    model \n   compiler (*)               alignfree angle "));
  EXPECT_NE(text.find("\n   (world)body (R)            axisangle childclass euler "), std::string::npos);
  EXPECT_NE(text.find("\n      geom (*)                axisangle class "), std::string::npos);
  EXPECT_NE(SchemaHtml(true).find("<i>no attributes</i>"), std::string::npos);
  EXPECT_EQ(mj_printSchema(nullptr, nullptr, 0, 0, 0), static_cast<int>(text.size()));
  char small[10];
  EXPECT_EQ(mj_printSchema(nullptr, small, sizeof(small), 0, 0), -1);
}

}  // namespace
}  // namespace sinew::mjcf
