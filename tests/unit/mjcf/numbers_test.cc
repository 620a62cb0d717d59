#include "mjcf/numbers.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

namespace sinew::mjcf {
namespace {

double Real(const std::string& word, NumberError expected = NumberError::kNone) {
  double value = 0;
  EXPECT_EQ(ParseReal(word, &value), expected) << word;
  return value;
}

TEST(Numbers, RealsOfTheCLanguage) {
  EXPECT_EQ(Real("1.5"), 1.5);
  EXPECT_EQ(Real("-.5e1"), -5);
  EXPECT_EQ(Real("+2"), 2);
  EXPECT_EQ(Real("0x1p-3"), 0.125);
  EXPECT_TRUE(std::isinf(Real("INF")));
  EXPECT_TRUE(std::isnan(Real("NaN")));
  EXPECT_EQ(Real("1e-400"), 0);
}

TEST(Numbers, RefusesWhatFollowsANumber) {
  for (const char* word : {"", "1,5", "1d0", ".1f", "1 2", "abc", "--1", "."}) Real(word, NumberError::kFormat);
  Real("1e400", NumberError::kRange);
  Real("-1e400", NumberError::kRange);
}

TEST(Numbers, IgnoresTheLocale) {
  // A locale with a decimal comma, where the system has one.
  const bool comma = std::setlocale(LC_NUMERIC, "de_DE.UTF-8") != nullptr;
  EXPECT_EQ(Real("1.5"), 1.5);
  if (comma) std::setlocale(LC_NUMERIC, "C");
}

TEST(Numbers, Integers) {
  int value = 0;
  EXPECT_EQ(ParseInt("-12", &value), NumberError::kNone);
  EXPECT_EQ(value, -12);
  EXPECT_EQ(ParseInt("+7", &value), NumberError::kNone);
  EXPECT_EQ(value, 7);
  for (const char* word : {"", "3.", "0x3", "1e0", "+-3", "+", "1_000"}) {
    EXPECT_EQ(ParseInt(word, &value), NumberError::kFormat) << word;
  }
  EXPECT_EQ(ParseInt("2147483648", &value), NumberError::kRange);
}

TEST(Numbers, Bytes) {
  long long bytes = 0;
  EXPECT_TRUE(ParseBytes("3k", &bytes));
  EXPECT_EQ(bytes, 3072);
  EXPECT_TRUE(ParseBytes(" 5 ", &bytes));
  EXPECT_EQ(bytes, 5);
  EXPECT_TRUE(ParseBytes("1E", &bytes));
  EXPECT_EQ(bytes, 1LL << 60);
  EXPECT_TRUE(ParseBytes("-1", &bytes));
  EXPECT_EQ(bytes, -1);
  for (const char* text : {"", "M", "1 M", "1.5M", "1kk", "-2", "16E", "99999999999999999999"}) {
    EXPECT_FALSE(ParseBytes(text, &bytes)) << text;
  }
}

TEST(Numbers, WordsBetweenBlanks) {
  EXPECT_EQ(Words("  a\tb\nc "), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(Words(" \n ").empty());
}

}  // namespace
}  // namespace sinew::mjcf
