// Tables of definitions (mjuiDef), which programs write by hand, become items with their places still open. The
// formats of their texts are those of the documents' page on user interfaces. Errors name the definition, since a
// table has hundreds.
#include "render/ui/definitions.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace sinew::inline render {
namespace {

constexpr double kDivisions = 200;  // of a slider of real numbers

// Raises the Error that all checks below end in.
[[noreturn]] void Fail(const mjuiDef& def, const std::string& problem, const std::string& remedy) {
  throw Error("user interface: '" + std::string(def.name) + "' " + problem, remedy);
}

// Texts of definitions fill their arrays or end with zero.
template <size_t n>
std::string_view Text(const char (&array)[n]) {
  return {array, strnlen(array, n)};
}

void CopyName(const mjuiDef& def, char (&to)[mjMAXUINAME]) {
  const std::string_view name = Text(def.name);
  if (name.size() >= mjMAXUINAME) Fail(def, "is too long a name", "use at most 39 characters");
  std::copy(name.begin(), name.end(), to);
  to[name.size()] = 0;
}

// A modifier (blank, C, S or A) and a key: a character, or # and its number.
void ReadShortcut(const mjuiDef& def, int& modifier, int& shortcut) {
  modifier = shortcut = 0;
  const std::string text(Text(def.other));
  if (text.empty()) return;
  constexpr std::string_view kModifiers = " CSA";
  const size_t held = kModifiers.find(text[0]);
  if (text.size() < 2 || text.size() > 5 || held == std::string_view::npos) {
    Fail(def, "has the shortcut '" + text + "'", "write a blank, C, S or A and a key, or # and its number");
  }
  modifier = static_cast<int>(held);
  shortcut = text[1] == '#' && text.size() > 2 ? std::atoi(text.c_str() + 2) : static_cast<unsigned char>(text[1]);
}

// Returns all numbers that a text begins with, separated by blanks.
std::vector<double> Numbers(const char* text) {
  std::vector<double> numbers;
  for (char* end = nullptr;; text = end) {
    const double x = std::strtod(text, &end);
    if (end == text) return numbers;
    numbers.push_back(x);
  }
}

// Choices are lines of the text.
void ReadChoices(const mjuiDef& def, mjuiItemMulti_& multi) {
  multi.nelem = 0;
  const std::string_view text = Text(def.other);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view choice = text.substr(begin, end - begin);
    if (multi.nelem == mjMAXUIMULTI) Fail(def, "has too many choices", "give at most " + std::to_string(mjMAXUIMULTI));
    if (choice.size() >= mjMAXUINAME) Fail(def, "has too long a choice", "use at most 39 characters");
    char* to = multi.name[multi.nelem++];
    std::copy(choice.begin(), choice.end(), to);
    to[choice.size()] = 0;
    begin = end + 1;
  }
}

// A range may be empty: that of the keyframes of a model without any.
void ReadSlider(const mjuiDef& def, mjuiItemSlider_& slider) {
  const std::vector<double> numbers = Numbers(std::string(Text(def.other)).c_str());
  if (numbers.size() < 2 || !(numbers[0] <= numbers[1])) {
    Fail(def, "is a slider without a range", "write its least and greatest value, and the number of steps if you like");
  }
  slider.range[0] = numbers[0];
  slider.range[1] = numbers[1];
  const double steps = def.type == mjITEM_SLIDERINT ? std::max(numbers[1] - numbers[0], 1.0) : kDivisions;
  slider.divisions = numbers.size() > 2 ? numbers[2] : steps;
  if (!(slider.divisions > 0)) Fail(def, "is a slider without steps", "ask for one or more");
}

// The text holds the number of values, then a least and a greatest one for each; where both are equal, every value is
// allowed.
void ReadEdit(const mjuiDef& def, mjuiItemEdit_& edit) {
  const std::vector<double> numbers = Numbers(std::string(Text(def.other)).c_str());
  edit.nelem = numbers.empty() ? 1 : static_cast<int>(numbers[0]);
  if (edit.nelem < 1 || edit.nelem > mjMAXUIEDIT) {
    Fail(def, "has " + std::to_string(edit.nelem) + " numbers", "ask for 1 to " + std::to_string(mjMAXUIEDIT));
  }
  for (int i = 0; i < edit.nelem; ++i) {
    const size_t at = 1 + 2 * static_cast<size_t>(i);
    const bool given = numbers.size() > at + 1;
    edit.range[i][0] = given ? numbers[at] : 0;
    edit.range[i][1] = given ? numbers[at + 1] : 0;
  }
}

// Items are drawn from the program's own memory, to which pdata points for as long as the interface lives.
void CheckData(const mjuiDef& def) {
  const bool needs = def.type > mjITEM_BUTTON;
  if (needs && !def.pdata) Fail(def, "has no data", "give a pointer to what it shows");
  if (!needs && def.pdata) Fail(def, "has data, which it does not show", "give no pointer");
}

void AddItem(const mjuiDef& def, int section, mjUI& ui) {
  if (section < 0 || section >= ui.nsect) Fail(def, "is in no section", "define a section first");
  mjuiSection& in = ui.sect[section];
  if (in.nitem == mjMAXUIITEM) Fail(def, "is one item too many", "use at most 200 in a section");
  CheckData(def);
  mjuiItem& item = in.item[in.nitem];
  // Definitions may be written again while the program runs: what the user has folded stays so if it is asked for.
  const bool keep = def.type == mjITEM_SEPARATOR && def.state >= mjPRESERVE && item.type == mjITEM_SEPARATOR;
  const int kept = item.state;
  item = {};
  item.type = def.type;
  CopyName(def, item.name);
  item.state = keep ? kept : def.state >= mjPRESERVE ? def.state - mjPRESERVE : def.state;
  item.pdata = def.pdata;
  item.sectionid = section;
  item.itemid = in.nitem;
  item.userid = def.otherint;
  switch (def.type) {
    case mjITEM_SEPARATOR:
      break;
    case mjITEM_BUTTON:
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      ReadShortcut(def, item.single.modifier, item.single.shortcut);
      break;
    case mjITEM_STATIC:
    case mjITEM_RADIO:
    case mjITEM_RADIOLINE:
    case mjITEM_SELECT:
      ReadChoices(def, item.multi);
      break;
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM:
      ReadSlider(def, item.slider);
      break;
    case mjITEM_EDITINT:
    case mjITEM_EDITNUM:
    case mjITEM_EDITFLOAT:
      ReadEdit(def, item.edit);
      break;
    case mjITEM_EDITTXT:
      item.edit.nelem = 1;
      break;
    default:
      Fail(def, "has the unknown type " + std::to_string(def.type), "use one of mjtItem");
  }
  ++in.nitem;
}

// Sections keep their state in the array where the definition says so.
void AddSection(const mjuiDef& def, mjUI& ui) {
  if (ui.nsect == mjMAXUISECT) Fail(def, "is one section too many", "use at most " + std::to_string(mjMAXUISECT));
  mjuiSection& section = ui.sect[ui.nsect];
  CopyName(def, section.name);
  if (def.state < mjPRESERVE) section.state = def.state;
  section.checkbox = def.otherint;
  ReadShortcut(def, section.modifier, section.shortcut);
  section.nitem = 0;
  section.lastclick = 0;
  ++ui.nsect;
}

}  // namespace

void AddDefinitions(const mjuiDef* definitions, mjUI& ui) {
  for (const mjuiDef* def = definitions; def->type != mjITEM_END; ++def) {
    def->type == mjITEM_SECTION ? AddSection(*def, ui) : AddItem(*def, ui.nsect - 1, ui);
  }
}

void AddDefinitionsTo(int section, const mjuiDef* definitions, mjUI& ui) {
  for (const mjuiDef* def = definitions; def->type != mjITEM_END; ++def) {
    if (def->type == mjITEM_SECTION) Fail(*def, "is a section in a section", "add it with mjui_add");
    AddItem(*def, section, ui);
  }
}

}  // namespace sinew::inline render
