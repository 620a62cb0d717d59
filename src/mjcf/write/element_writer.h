// Writes one element: the counterpart of ElementReader. Fields of a public struct come from the schema's rows; an
// attribute is written where its value differs from that of a base, which is what the element starts from when it is
// read again. Attributes stand in the order of the rows, whatever the order of the calls.
#ifndef SINEW_MJCF_WRITE_ELEMENT_WRITER_H_
#define SINEW_MJCF_WRITE_ELEMENT_WRITER_H_

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mjcf/schema/schema.h"
#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

class ElementWriter {
 public:
  // `precision`: significant digits of real numbers. From 17 on, when every double survives, values are compared
  // exactly; below, up to rounding.
  ElementWriter(const ElementRow& row, int precision) : row_(row), precision_(precision) { node_.tag = row.name; }
  ElementWriter(const ElementWriter&) = delete;

  // Attributes whose fields differ from those of `base`, an object of the same struct. A NaN in the base differs from
  // everything, so that the attribute is always written; a NaN in the object means "not given" and suppresses it.
  void Fields(const void* object, const void* base, std::initializer_list<std::string_view> except = {});

  // Single attributes.
  void Text(std::string_view name, std::string text);
  void Names(std::string_view attribute, const std::vector<std::string>& names);
  void NonEmpty(std::string_view name, const std::string& text);  // unless the text is empty
  void Real(std::string_view name, double value) { Reals(name, std::span(&value, 1)); }
  void Reals(std::string_view name, std::span<const double> values);
  void ExactReal(std::string_view name, double value);  // with all digits: a round number in another unit
  void Ints(std::string_view name, std::span<const double> values);
  void Bits(std::string_view name, int bits);      // words of a list, by place
  void Keyword(std::string_view name, int value);  // the word of a value

  // Whether numbers differ from those of a base, by the rule of Fields.
  bool Differ(std::span<const double> values, std::span<const double> base) const;

  void Append(XmlNode child) { node_.children.push_back(std::move(child)); }
  bool empty() const { return node_.attributes.empty() && node_.children.empty(); }

  const ElementRow& row() const { return row_; }
  XmlNode Take() { return std::move(node_); }

 private:
  void Numbers(const Attribute& attribute, const char* field, const char* base);
  void Word(const Attribute& attribute, const char* field, const char* base);
  bool Differ(double value, double base, double epsilon) const;

  const ElementRow& row_;
  const int precision_;
  XmlNode node_;
};

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_WRITE_ELEMENT_WRITER_H_
