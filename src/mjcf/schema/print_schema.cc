// Prints the schema for people: elements with their cardinality and attributes. The text form equals that of
// mj_printSchema of MuJoCo 3.8.0, so elements of extensions are left out.
#include "mjcf/schema/print_schema.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "mjcf/schema/schema.h"

namespace sinew::mjcf {
namespace {

// Calls `print(row, name, depth)` for every element. The world holds what bodies hold and stands for them; frames and
// the like hold it too and are not descended into.
template <class Print>
void Walk(const ElementRow& row, const char* name, int depth, Print&& print) {
  print(row, name, depth);
  for (const auto index : row.children) {
    const ElementRow& child = Elements()[index];
    if (child.extension) continue;
    const std::string_view child_name = child.name;
    if (child_name == "worldbody") {
      Walk(*FindPath("body"), "(world)body", depth + 1, print);
    } else if (child_name == "frame" || child_name == "replicate") {
      print(child, child.name, depth + 1);
    } else if (&child != &row) {
      Walk(child, child.name, depth + 1, print);
    }
  }
}

// Sorts as the interface documents it.
std::vector<std::string_view> SortedAttributes(const ElementRow& row) {
  std::vector<std::string_view> names;
  for (const auto index : row.attributes) {
    if (!Attributes()[index].extension) names.push_back(Attributes()[index].name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

// Attributes start at column 30 and wrap at column 60.
std::string SchemaText() {
  constexpr std::size_t kColumn = 30, kWidth = 60;
  std::string text;
  Walk(Root(), Root().name, 0, [&](const ElementRow& row, const char* name, int depth) {
    std::string line(3 * static_cast<std::size_t>(depth), ' ');
    line.append(name).append(" (").append(1, row.cardinality).append(")");
    line.resize(std::max(line.size() + 1, kColumn), ' ');
    for (const std::string_view attribute : SortedAttributes(row)) {
      if (line.size() > kWidth) {
        text.append(line).append("\n");
        line.assign(kColumn, ' ');
      }
      line.append(attribute).append(" ");
    }
    text.append(line).append("\n");
  });
  return text;
}

// The classes of the cells are those of the style sheet that the interface documents.
std::string SchemaHtml(bool padded) {
  std::string text = "<table border=\"1\">\n";
  Walk(Root(), Root().name, 0, [&](const ElementRow& row, const char* name, int depth) {
    std::string style, blanks;
    if (padded) style = " style=\"padding-left:" + std::to_string(5 + 15 * depth) + "px\"";
    for (int i = 0; !padded && i < 4 * depth; ++i) blanks += "&nbsp;";
    text.append("<tr>\n\t<td").append(style).append(" class=\"el\">").append(blanks).append(name);
    text.append("</td>\n\t<td class=\"ty\">").append(1, row.cardinality).append("</td>\n\t<td class=\"at\">");
    for (const std::string_view attribute : SortedAttributes(row)) text.append(attribute).append(" ");
    if (row.attributes.empty()) text += "<i>no attributes</i>";
    text += "</td>\n</tr>\n";
  });
  return text + "</table>\n";
}

}  // namespace sinew::mjcf
