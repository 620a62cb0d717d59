// Prints the schema as an XML Schema, with which editors complete and check models while they are written.
#include "mjcf/schema/xsd.h"

#include <algorithm>
#include <string_view>

#include "mjcf/schema/schema.h"

namespace sinew::mjcf {
namespace {

constexpr const char* kHead = R"xsd(<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:simpleType name="reals"><xs:list itemType="real"/></xs:simpleType>
  <xs:simpleType name="integers"><xs:list itemType="xs:integer"/></xs:simpleType>
  <xs:simpleType name="real">
    <xs:restriction base="xs:token">
      <xs:pattern value="[+\-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-]?[0-9]+)?"/>
      <xs:pattern value="[+\-]?0[xX][0-9a-fA-F.]+([pP][+\-]?[0-9]+)?"/>
      <xs:pattern value="[+\-]?([iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN])"/>
    </xs:restriction>
  </xs:simpleType>
  <xs:complexType name="include"><xs:attribute name="file" type="xs:string" use="required"/></xs:complexType>
)xsd";

// A name for the type of a row: its path with letters that names may have; the root's path is empty.
std::string TypeOf(const ElementRow& row) {
  std::string name = std::string("type.") + row.path;
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

bool IsMany(const Attribute& attribute) { return attribute.max != 1; }

// Numbers: a list of a bounded length. Real attributes may be blank, which counts as not given.
std::string NumbersType(const Attribute& attribute, const char* list) {
  const int least = attribute.value == Value::kReal && !attribute.required ? 0 : attribute.min;
  std::string type = std::string("<xs:simpleType><xs:restriction base=\"") + list + "\"><xs:minLength value=\"" +
                     std::to_string(least) + "\"/>";
  if (attribute.max >= 0) type += "<xs:maxLength value=\"" + std::to_string(attribute.max) + "\"/>";
  return type + "</xs:restriction></xs:simpleType>";
}

std::string WordType(const Attribute& attribute) {
  std::string type = "<xs:simpleType><xs:restriction base=\"xs:token\">";
  for (const Keyword& keyword : attribute.keywords) {
    type += std::string("<xs:enumeration value=\"") + keyword.word + "\"/>";
  }
  return type + "</xs:restriction></xs:simpleType>";
}

// The description of an element or attribute, for editors that show it.
std::string Annotation(const char* meaning) {
  std::string text;
  for (const char* c = meaning; *c != '\0'; ++c) {
    if (*c == '&') {
      text += "&amp;";
    } else if (*c == '<') {
      text += "&lt;";
    } else {
      text += *c;
    }
  }
  return "<xs:annotation><xs:documentation>" + text + "</xs:documentation></xs:annotation>";
}

std::string AttributeText(const Attribute& attribute) {
  std::string type;
  if (attribute.value == Value::kReal) type = NumbersType(attribute, "reals");
  if (attribute.value == Value::kInt && IsMany(attribute)) type = NumbersType(attribute, "integers");
  const bool word = attribute.value == Value::kKeyword || attribute.value == Value::kFlag;
  if (word && !attribute.keywords.empty()) type = WordType(attribute);

  std::string text = std::string("    <xs:attribute name=\"") + attribute.name + "\"";
  if (attribute.required) text += " use=\"required\"";
  const char* simple = attribute.value == Value::kInt ? " type=\"xs:integer\"" : " type=\"xs:string\"";
  return text + (type.empty() ? simple : "") + ">" + Annotation(attribute.meaning) + type + "</xs:attribute>\n";
}

// Children may stand in any order, and what is included stands among them.
std::string TypeText(const ElementRow& row) {
  std::string text = "  <xs:complexType name=\"" + TypeOf(row) + "\">\n    " + Annotation(row.meaning) + "\n";
  text += "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n";
  for (const auto index : row.children) {
    const ElementRow& child = Elements()[index];
    text += std::string("      <xs:element name=\"") + child.name + "\" type=\"" + TypeOf(child) + "\"/>\n";
  }
  text += "      <xs:element name=\"include\" type=\"include\"/>\n    </xs:choice>\n";
  for (const auto index : row.attributes) text += AttributeText(Attributes()[index]);
  return text + "  </xs:complexType>\n";
}

}  // namespace

std::string SchemaXsd() {
  std::string text = kHead;
  for (const ElementRow& row : Elements()) text += TypeText(row);
  return text + "  <xs:element name=\"" + Root().name + "\" type=\"" + TypeOf(Root()) + "\"/>\n</xs:schema>\n";
}

}  // namespace sinew::mjcf
