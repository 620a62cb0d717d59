// Formats numbers and arrays of any element type into a text. Lines are assembled in memory and written at once, so
// that a failure leaves no half file.
#include "model/text/text_printer.h"

#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace sinew::inline model {
namespace {

// Reads an element by copying its bytes, since arrays of different types share one untyped pointer here.
template <class T>
T Load(const void* values, std::size_t i) {
  T loaded;
  std::memcpy(&loaded, static_cast<const char*>(values) + i * sizeof(T), sizeof loaded);
  return loaded;
}

// Bytes of a number: 308 digits before a point, and what a width of two digits adds.
constexpr std::size_t kLongest = 1000;

std::size_t Written(int length) {
  return static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(kLongest) - 1));
}

}  // namespace

std::string TextPrinter::Upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return upper;
}

// Names and custom texts have any length: printf counts before it writes.
void TextPrinter::Print(const char* format, ...) {
  va_list arguments, counted;
  va_start(arguments, format);
  va_copy(counted, arguments);
  const auto length = static_cast<std::size_t>(std::max(0, std::vsnprintf(nullptr, 0, format, counted)));
  va_end(counted);
  const std::size_t begin = text_.size();
  text_.resize(begin + length + 1);  // printf ends with a zero
  std::vsnprintf(text_.data() + begin, length + 1, format, arguments);
  va_end(arguments);
  text_.resize(begin + length);
}

void TextPrinter::Real(double value) {
  char text[kLongest];
  text_.append(text, Written(std::snprintf(text, sizeof text, format_.c_str(), value)));
}

// Blanks as wide as the number zero keep columns of sparse matrices aligned.
void TextPrinter::Room() {
  const std::size_t begin = text_.size();
  Real(0);
  std::fill(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end(), ' ');
}

void TextPrinter::Element(ElementKind kind, const void* values, std::size_t i) {
  switch (kind) {
    case ElementKind::kNum:
      return Real(Load<mjtNum>(values, i));
    case ElementKind::kFloat:
      return Real(static_cast<double>(Load<float>(values, i)));
    case ElementKind::kInt:
      return Print("%d", Load<int>(values, i));
    case ElementKind::kByte:
      return Print("%d", Load<mjtByte>(values, i));
    case ElementKind::kSize:
      return Print("%lld", static_cast<long long>(Load<mjtSize>(values, i)));
    case ElementKind::kPointer:
      return Print("%d", Load<uintptr_t>(values, i) != 0);
    default:
      text_ += Load<char>(values, i);
  }
}

void TextPrinter::Values(ElementKind kind, const void* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && (!IsReal(kind) || text_.back() != ' ')) text_ += ' ';
    Element(kind, values, i);
  }
  text_ += '\n';
}

// A format with room for a sign brings the last blank itself.
void TextPrinter::Labelled(int indent, const char* label, int column, ElementKind kind, const void* values,
                           std::size_t count) {
  const int width = column - indent - (IsReal(kind) ? 1 : 0);
  Print("%*s%-*s", indent, "", width, label);
  Values(kind, values, count);
}

// Members of nested structs have names with a point, and are printed below the name of the struct they stand in.
std::string_view TextPrinter::Member(const StructMember& member, const void* values, std::string_view group) {
  constexpr int kColumn = 22;
  const std::string_view name = member.name;
  const std::size_t point = name.find('.');
  if (point == name.npos) {
    Labelled(2, member.name, kColumn, member.kind, values, member.count);
    return {};
  }
  const std::string_view own = name.substr(0, point);
  if (own != group) Print("  %s\n", Upper(own).c_str());
  Labelled(4, member.name + point + 1, kColumn, member.kind, values, member.count);
  return own;
}

void TextPrinter::List(const char* title, const int* values, mjtSize count, int indent) {
  if (count == 0) return;
  Print("%s\n%*s", title, indent, "");
  Values(ElementKind::kInt, values, static_cast<std::size_t>(count));
  text_ += '\n';
}

void TextPrinter::Draw(const char* title, const Picture& picture) {
  text_.append(title).append("\n").append(picture.border_).append("\n");
  for (const std::string& line : picture.lines_) text_.append(line).append("\n");
  text_.append(picture.border_).append("\n\n");
}

// Rows are drawn from top to bottom; entries outside of the pattern stay blank.
void TextPrinter::Pattern(const char* title, int rows, int columns, const int* rownnz, const int* rowadr,
                          const int* colind, bool mark_diagonal) {
  Picture picture(rows, columns);
  for (int row = 0; row < rows; ++row) {
    for (int k = rowadr[row]; k < rowadr[row] + rownnz[row]; ++k) {
      picture.Mark(row, colind[k], mark_diagonal && colind[k] == row ? 'D' : 'x');
    }
  }
  Draw(title, picture);
}

}  // namespace sinew::inline model
