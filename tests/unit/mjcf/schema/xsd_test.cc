// The XML Schema: a document whose types are there, with every element and attribute of the table.
#include "mjcf/schema/xsd.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include <pugixml.hpp>

#include "mjcf/schema/schema.h"

namespace sinew::mjcf {
namespace {

class XsdTest : public testing::Test {
 protected:
  XsdTest() { EXPECT_TRUE(document_.load_string(SchemaXsd().c_str())) << "not well-formed"; }
  pugi::xml_node Schema() const { return document_.child("xs:schema"); }
  pugi::xml_node Type(const std::string& name) const {
    return Schema().find_child_by_attribute("xs:complexType", "name", name.c_str());
  }
  pugi::xml_node Attribute(const std::string& type, const char* name) const {
    return Type(type).find_child_by_attribute("xs:attribute", "name", name);
  }

 private:
  pugi::xml_document document_;
};

TEST_F(XsdTest, EveryElementHasItsChildrenAndAttributes) {
  for (const ElementRow& row : Elements()) {
    std::string name = std::string("type.") + row.path;
    for (char& c : name) c = c == '/' ? '.' : c;
    const pugi::xml_node type = Type(name);
    ASSERT_TRUE(type) << name;
    std::set<std::string> attributes, children;
    for (const auto& attribute : type.children("xs:attribute")) attributes.insert(attribute.attribute("name").value());
    for (const auto& child : type.child("xs:choice").children()) {
      children.insert(child.attribute("name").value());
      EXPECT_TRUE(Type(child.attribute("type").value()))
          << "no type of " << name << "/" << child.attribute("name").value();
    }
    for (const auto i : row.attributes) EXPECT_TRUE(attributes.contains(Attributes()[i].name)) << row.path;
    for (const auto i : row.children) EXPECT_TRUE(children.contains(Elements()[i].name)) << row.path;
    EXPECT_TRUE(children.contains("include"));
  }
  EXPECT_STREQ(Schema().child("xs:element").attribute("name").value(), "mujoco");
}

TEST_F(XsdTest, AttributesSayHowManyNumbersAndWhichWords) {
  const auto size = Attribute("type.body.geom", "size").child("xs:simpleType").child("xs:restriction");
  EXPECT_STREQ(size.attribute("base").value(), "reals");
  EXPECT_STREQ(size.child("xs:maxLength").attribute("value").value(), "3");
  const auto type = Attribute("type.body.geom", "type").child("xs:simpleType").child("xs:restriction");
  EXPECT_TRUE(type.find_child_by_attribute("xs:enumeration", "value", "capsule"));
  EXPECT_STREQ(Attribute("type.body.geom", "contype").attribute("type").value(), "xs:integer");
  EXPECT_STREQ(Attribute("type.body.geom", "name").attribute("type").value(), "xs:string");
  EXPECT_STREQ(Attribute("type.contact.exclude", "body1").attribute("use").value(), "required");
}

}  // namespace
}  // namespace sinew::mjcf
