// The pieces that text files of models, data and scenes consist of.
#ifndef SINEW_MODEL_TEXT_TEXT_PRINTER_H_
#define SINEW_MODEL_TEXT_TEXT_PRINTER_H_

#include <mujoco/mujoco.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/view/fields.h"

namespace sinew::inline model {

class TextPrinter {
 public:
  // `format` is that of real numbers.
  explicit TextPrinter(const std::string& format) : format_(format) {}

  // Appends text as printf does.
  void Print(const char* format, ...) __attribute__((format(printf, 2, 3)));

  void Real(double value);

  // Blanks, as many as a small number takes.
  void Room();

  // Element number i of an array.
  void Element(ElementKind kind, const void* values, std::size_t i);

  // A line of numbers, a blank between them where the format of real ones leaves none.
  void Values(ElementKind kind, const void* values, std::size_t count);

  // A label, indented and padded to a column, and the numbers of a member of a struct or an array.
  void Labelled(int indent, const char* label, int column, ElementKind kind, const void* values, std::size_t count);

  // The members of a struct; those whose names have a part before a point stand under that part.
  template <class Struct, std::size_t n>
  void Members(const Struct& object, const StructMember (&members)[n]) {
    std::string_view group;
    for (const StructMember& member : members) group = Member(member, member.In(object), group);
  }

  // A title and whole numbers in one line, which `indent` blanks begin.
  void List(const char* title, const int* values, mjtSize count, int indent = 2);

  // Where a sparse matrix has entries.
  class Picture {
   public:
    Picture(int rows, int columns)
        : lines_(static_cast<std::size_t>(rows), ' ' + std::string(static_cast<std::size_t>(columns), ' ') + " |"),
          border_(static_cast<std::size_t>(columns) + 2, '-') {}
    void Mark(int row, int column, char mark) {
      lines_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column) + 1] = mark;
    }
    // Behind a row: how many of those that follow have the same columns.
    void NoteFollowers(int row, int count) {
      if (count > 0) lines_[static_cast<std::size_t>(row)] += ' ' + std::to_string(count);
    }

   private:
    friend class TextPrinter;
    std::vector<std::string> lines_;
    std::string border_;
  };
  void Draw(const char* title, const Picture& picture);

  // Prints the pattern of a compressed matrix: an x for each entry, a D for each on the diagonal if asked for.
  void Pattern(const char* title, int rows, int columns, const int* rownnz, const int* rowadr, const int* colind,
               bool mark_diagonal = false);

  static bool IsReal(ElementKind kind) { return kind == ElementKind::kNum || kind == ElementKind::kFloat; }
  static std::string Upper(std::string_view text);

  std::string Take() { return std::move(text_); }

 private:
  // Prints one member of a struct. Returns the name of the group it belongs to.
  std::string_view Member(const StructMember& member, const void* values, std::string_view group);

  const std::string& format_;
  std::string text_;
};

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_TEXT_TEXT_PRINTER_H_
