// Attributes that touch are separated, and nothing else changes.
#include "mjcf/xml/xml_spacing.h"

#include <gtest/gtest.h>

#include "tests/unit/mjcf/read_helpers.h"

namespace sinew::mjcf {
namespace {

TEST(SeparateAttributes, PutsBlanksBetweenThem) {
  EXPECT_EQ(SeparateAttributes("<a b=\"1\"c='2'd=\"'\"/>"), "<a b=\"1\" c='2' d=\"'\"/>");
  EXPECT_EQ(SeparateAttributes("<a>\n<b c='>'d='<'>\n</b></a>"), "<a>\n<b c='>' d='<'>\n</b></a>");
}

TEST(SeparateAttributes, LeavesTheRest) {
  for (const char* text :
       {"", "<a b='1' c='2'/>", "<a b='1'/>", "<a b='1'>x='1'y='2'</a>", "<a\nb='1'\n\tc='2'\r\n/>",
        "<!-- a='1'b='2' --><a/>", "<!-- <a b='1'c='2'/> --><a/>", "<?xml version='1.0'encoding='x'?><a/>",
        "<![CDATA[<a b='1'c='2'>]]>", "<!DOCTYPE a SYSTEM 'x'>", "<a b='1", "<a b='1'", "<!-- a", "<a b=\"1\" c='"}) {
    EXPECT_EQ(SeparateAttributes(text), text);
  }
}

// Lines in messages stay those of the file.
TEST(SeparateAttributes, TouchingAttributesAreRead) {
  const auto spec = ReadWorld("<geom name='x'type='box' size='1 2 3'/>");
  EXPECT_EQ(spec->world().geoms.front()->name, "x");
  EXPECT_EQ(spec->world().geoms.front()->type, mjGEOM_BOX);
  ExpectParts(ErrorOfText("<mujoco>\n<worldbody>\n<geom name='x'type='box'/>\n<geom sise='1'/></worldbody></mujoco>"),
              {"test.xml:4", "'sise'"});
  ExpectParts(ErrorOfText("<mujoco>\n<worldbody>\n<geom name='x'=/></worldbody></mujoco>"),
              {"test.xml:3", "malformed XML"});
}

}  // namespace
}  // namespace sinew::mjcf
