#include "core/error.h"

#include <gtest/gtest.h>

#include "core/suggest.h"

namespace sinew {
namespace {

TEST(Error, TextHasWhatIsKnown) {
  EXPECT_STREQ(Error("broken").what(), "broken");
  EXPECT_STREQ(Error("broken", "mend it", {"a.xml", 3, "geom 'g'"}).what(), "a.xml:3: geom 'g': broken; mend it");
  EXPECT_STREQ(Error("broken").At({"", 3, ""}).what(), "line 3: broken");
}

TEST(Error, KeepsThePlaceThatItHas) {
  const Error error = Error("broken", "", {"a.xml", 3, ""}).At({"b.xml", 7, "geom 'g'"});
  EXPECT_STREQ(error.what(), "a.xml:3: geom 'g': broken");
}

TEST(Error, JoinedErrorsFollowTheFirst) {
  const Error pair = Error::Join({Error("two", "mend"), Error("three")});
  const Error all = Error::Join({Error("one"), pair}).At({"a.xml", 1, ""});
  EXPECT_STREQ(all.what(), "a.xml:1: one\ntwo; mend\nthree");
  EXPECT_EQ(all.problem(), "one");
  ASSERT_EQ(all.others().size(), 2u);
  EXPECT_EQ(all.others()[0].remedy(), "mend");
  EXPECT_TRUE(Error::Join({Error("one")}).others().empty());
}

TEST(Error, TextEndsAtTwentyProblems) {
  const Error error = Error::Join(Error::List(30, Error("broken")));
  EXPECT_EQ(error.others().size(), 29u);
  EXPECT_TRUE(std::string(error.what()).ends_with("\n(10 more problems)"));
}

TEST(Suggest, TakesTheNearestWord) {
  const std::string_view words[] = {"sphere", "capsule", "box"};
  EXPECT_EQ(Suggest("shpere", words), "did you mean 'sphere'?");
  EXPECT_EQ(Suggest("Box", words), "did you mean 'box'?");
  EXPECT_EQ(Suggest("cone", words), "allowed: sphere, capsule, box");
  EXPECT_EQ(Suggest("x", {}), "");
  EXPECT_EQ(Nearest("", words), "");
  EXPECT_EQ(Nearest(std::string(1'000'000, 's'), words), "");
}

}  // namespace
}  // namespace sinew
