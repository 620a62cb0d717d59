// Reads one element: fields of a public struct by the schema's rows, and the irregular attributes one by one. Whatever
// is wrong becomes a problem, and the value stays what it was. Finish() makes sure that no attribute was passed over.
#ifndef SINEW_MJCF_READ_ELEMENT_READER_H_
#define SINEW_MJCF_READ_ELEMENT_READER_H_

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mujoco/mujoco.h>

#include "mjcf/schema/schema.h"
#include "mjcf/xml/problems.h"
#include "mjcf/xml/xml_node.h"

namespace sinew::mjcf {

class ElementReader {
 public:
  ElementReader(const XmlNode& node, const ElementRow& row, Problems* problems)
      : node_(node), row_(row), problems_(*problems) {}
  ElementReader(const ElementReader&) = delete;

  const XmlNode& node() const { return node_; }
  const ElementRow& row() const { return row_; }

  // Where the element stands, with its entry of the reference.
  SourceLocation Location() const;

  // Whether an attribute is given. A blank text of real numbers counts as not given.
  bool Has(std::string_view name) const { return IsGiven(row_, node_, name); }

  // Stores all attributes that have a field into the public struct.
  void ReadFields(void* object);

  // Stores the same, and settles which orientation counts when several are possible.
  template <class Struct>
  void ReadPlaced(Struct* object) {
    ReadFields(object);
    ReadOrientation(&object->alt, object->quat);
  }
  void ReadOrientation(mjsOrientation* alternative, const double* quat);

  // An attribute without a field. Nothing: it is not given, or wrong and reported. Reals and Ints have as many numbers
  // as the text.
  std::optional<std::string> String(std::string_view name);
  std::optional<std::vector<double>> Reals(std::string_view name);
  std::optional<std::vector<int>> Ints(std::string_view name);
  std::optional<int> Keyword(std::string_view name);
  std::optional<double> Real(std::string_view name);
  std::optional<int> Int(std::string_view name);
  double Real(std::string_view name, double otherwise) { return Real(name).value_or(otherwise); }

  // Copies the numbers that are given into the beginning of an array, which is long enough for what the schema allows.
  bool RealsInto(std::string_view name, double* values);

  // Bits, in the order of the keyword list, of the words; `ordered`: they must come in that order.
  std::optional<int> Words(std::string_view name, bool ordered);

  void Fail(std::string problem, std::string remedy = "") {
    has_failed_ = true;
    problems_.Add(node_, std::move(problem), std::move(remedy));
  }

  // Reports attributes that the schema has and the reader did not take, unless a problem has stopped it. Call it last.
  void Finish();

 private:
  // Marks an attribute as taken and returns its row; null where it is absent.
  const Attribute* Take(std::string_view name, const std::string** text);
  void Store(const Attribute& attribute, const std::string& text, void* object);
  void StoreWord(const Attribute& attribute, const std::string& text, void* field);
  std::optional<int> ParseKeyword(const Attribute& attribute, const std::string& text);
  std::optional<std::vector<double>> ParseReals(const Attribute& attribute, const std::string& text);
  std::optional<std::vector<int>> ParseInts(const Attribute& attribute, const std::string& text);
  bool CheckCount(const Attribute& attribute, std::size_t count);
  void Wrong(const Attribute& attribute, const std::string& text, const std::string& why, const std::string& remedy);

  const XmlNode& node_;
  const ElementRow& row_;
  Problems& problems_;
  std::set<std::string_view> taken_;
  bool has_failed_ = false;
};

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_READ_ELEMENT_READER_H_
