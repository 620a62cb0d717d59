// Sections are laid out below each other, items below each other within them, small ones two in a line. Sizes are
// those of the interface's theme times the font's scale in percent, all in pixels.
#include "render/ui/layout.h"

#include <algorithm>
#include <cstdio>

#include "render/text.h"

namespace sinew::inline render {
namespace {

// Tells items that take half a line.
bool IsSmall(int type) { return type == mjITEM_BUTTON || type == mjITEM_CHECKINT || type == mjITEM_CHECKBYTE; }

int Columns(const mjUI& ui) { return ui.radiocol > 0 ? ui.radiocol : 2; }

// Returns how many lines an item takes.
int Rows(const mjUI& ui, const mjuiItem& item) {
  if (item.type == mjITEM_RADIO) return std::max(1, (item.multi.nelem + Columns(ui) - 1) / Columns(ui));
  if (item.type == mjITEM_STATIC) return std::max(1, item.multi.nelem);
  return 1;
}

// From above to below; turned over at the end, when the height is known.
class Column {
 public:
  Column(mjUI& ui, const UiSizes& sizes, bool all_open) : ui_(ui), s_(sizes), all_open_(all_open) {}

  // Returns the height of all [pixel].
  int Place() {
    y_ = s_.section;
    for (int i = 0; i < ui_.nsect; ++i) PlaceSection(ui_.sect[i]);
    return y_;
  }

 private:
  // A closed section has a title and no contents; one that is fixed has no title and is open.
  void PlaceSection(mjuiSection& section) {
    const int left = s_.section, width = s_.width - 2 * s_.section - s_.scroll;
    section.rtitle = {left, y_, width, 0};
    if (section.state != mjSECT_FIXED) {
      section.rtitle.height = s_.line;
      y_ += s_.line;
    }
    section.rcontent = {left, y_, width, 0};
    if (section.state != mjSECT_CLOSED || all_open_) PlaceItems(section);
    section.rcontent.height = y_ - section.rcontent.bottom;
    y_ += s_.section;
  }

  void PlaceItems(mjuiSection& section) {
    bool hidden = false;
    int pending = -1;  // a small item that is alone in its line
    y_ += s_.gap;
    for (int i = 0; i < section.nitem; ++i) {
      mjuiItem& item = section.item[i];
      if (item.type == mjITEM_SEPARATOR) hidden = IsClosed(item) && !all_open_;
      item.skip = item.type != mjITEM_SEPARATOR && hidden;
      item.rect = {0, 0, 0, 0};
      if (item.skip) continue;
      const int left = section.rcontent.left + s_.side, width = section.rcontent.width - 2 * s_.side;
      const int half = (width - s_.mid) / 2;
      if (IsSmall(item.type) && pending >= 0) {
        item.rect = section.item[pending].rect;
        item.rect.left += half + s_.mid;
        pending = -1;
        continue;
      }
      pending = IsSmall(item.type) ? i : -1;
      const int rows = Rows(ui_, item);
      item.rect = {left, y_, IsSmall(item.type) ? half : width, rows * s_.line};
      y_ += item.rect.height + s_.gap;
    }
  }

  mjUI& ui_;
  const UiSizes& s_;
  const bool all_open_;
  int y_ = 0;
};

// Rectangles of mjrRect count from below, and layout starts above.
void TurnOver(mjUI& ui) {
  const auto turn = [&](mjrRect& r) { r.bottom = ui.maxheight - r.bottom - r.height; };
  for (int i = 0; i < ui.nsect; ++i) {
    turn(ui.sect[i].rtitle);
    turn(ui.sect[i].rcontent);
    for (int k = 0; k < ui.sect[i].nitem; ++k) turn(ui.sect[i].item[k].rect);
  }
}

// Writes whole numbers in full, others with four digits, two blanks between them.
void Append(double x, const char* format, std::string& text) {
  char number[32];
  std::snprintf(number, sizeof(number), format[1] == 'd' ? "%.0f" : "%.4g", x);
  text += (text.empty() ? "" : "  ") + std::string(number);
}

}  // namespace

UiSizes SizesOf(const mjUI& ui, const mjrContext& con) {
  const auto scaled = [&](int size) { return size * con.fontScale / 100; };
  UiSizes sizes;
  sizes.stroke = StrokeSize(mjFONT_NORMAL, con.fontScale);
  sizes.line = LineHeight(sizes.stroke) + 2 * scaled(ui.spacing.textver);
  sizes.gap = scaled(ui.spacing.itemver);
  sizes.side = scaled(ui.spacing.itemside);
  sizes.mid = scaled(ui.spacing.itemmid);
  sizes.text = scaled(ui.spacing.texthor);
  sizes.scroll = scaled(ui.spacing.scroll);
  sizes.label = scaled(ui.spacing.label);
  sizes.section = scaled(ui.spacing.section);
  sizes.width = scaled(ui.spacing.total);
  return sizes;
}

void LayOut(mjUI& ui, const mjrContext& con) {
  const UiSizes sizes = SizesOf(ui, con);
  ui.width = sizes.width;
  // The buffer must hold the interface with everything open, so that opening a section needs no new one. Rectangles
  // are then those of the second pass.
  ui.maxheight = std::max(1, Column(ui, sizes, true).Place());
  ui.height = Column(ui, sizes, false).Place();
  TurnOver(ui);
}

// State 0 is off and 1 is on; for others the program's predicate decides.
bool IsEnabled(const mjUI& ui, const mjuiItem& item) {
  if (item.type == mjITEM_SEPARATOR) return true;
  if (item.state <= 0) return false;
  return item.state == 1 || !ui.predicate || ui.predicate(item.state, ui.userdata) != 0;
}

bool IsClosed(const mjuiItem& separator) { return separator.state >= mjSEPCLOSED; }

mjrRect FieldOf(const mjUI& ui, const mjuiItem& item, const mjrContext& con) {
  const UiSizes sizes = SizesOf(ui, con);
  mjrRect field = item.rect;
  if (item.type < mjITEM_RADIO && item.type != mjITEM_STATIC) return field;
  const int label = std::min(sizes.label, field.width / 2);
  field.left += label;
  field.width -= label;
  return field;
}

mjrRect ChoiceOf(const mjUI& ui, const mjuiItem& item, int choice, const mjrContext& con) {
  const mjrRect field = FieldOf(ui, item, con);
  const int line = SizesOf(ui, con).line;
  if (item.type == mjITEM_SELECT) {  // the list is below, or above where there is no room
    const int all = item.multi.nelem * line;
    const int top = field.bottom >= all ? field.bottom : std::min(field.bottom + field.height + all, ui.maxheight);
    return {field.left, top - (choice + 1) * line, field.width, line};
  }
  const int count = std::max(item.multi.nelem, 1);
  const int columns = item.type == mjITEM_RADIOLINE ? count : std::min(Columns(ui), count);
  const int row = choice / columns, column = choice % columns, width = field.width / columns;
  return {field.left + column * width, field.bottom + field.height - (row + 1) * line, width, line};
}

std::string EditText(const mjuiItem& item) {
  std::string text;
  for (int i = 0; i < item.edit.nelem; ++i) {
    if (item.type == mjITEM_EDITINT) Append(static_cast<const int*>(item.pdata)[i], "%d", text);
    if (item.type == mjITEM_EDITNUM) Append(static_cast<const mjtNum*>(item.pdata)[i], "%g", text);
    if (item.type == mjITEM_EDITFLOAT) Append(double(static_cast<const float*>(item.pdata)[i]), "%g", text);
  }
  if (item.type == mjITEM_EDITTXT) text = static_cast<const char*>(item.pdata);
  return text;
}

}  // namespace sinew::inline render
