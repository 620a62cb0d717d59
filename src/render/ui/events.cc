// Handles one event of the window at a time: it changes the state of the interface and the program's values
// that items point to. Which item it changed is returned, since programs act on it. Layout is redone where something
// opened or closed; drawing is left to the program.
#include "render/ui/events.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "render/context.h"
#include "render/ui/layout.h"

namespace sinew::inline render {
namespace {

bool IsEdit(const mjuiItem& item) { return item.type >= mjITEM_EDITINT && item.type <= mjITEM_EDITTXT; }
bool IsSlider(const mjuiItem& item) { return item.type == mjITEM_SLIDERINT || item.type == mjITEM_SLIDERNUM; }
bool IsCheck(const mjuiItem& item) { return item.type == mjITEM_CHECKINT || item.type == mjITEM_CHECKBYTE; }

// Boxes are whole numbers or bytes of the program.
void Toggle(mjuiItem& item) {
  if (item.type == mjITEM_CHECKINT) {
    int& value = *static_cast<int*>(item.pdata);
    value = !value;
  } else {
    mjtByte& value = *static_cast<mjtByte*>(item.pdata);
    value = !value;
  }
}

// Handles one event. (x_, y_) is the mouse in the interface's own buffer; `state` has it in the window.
class UiEvent {
 public:
  UiEvent(mjUI& ui, mjuiState& state, const mjrContext& con)
      : ui_(ui), state_(state), con_(con), window_(state.rect[std::clamp(ui.rectid, 0, mjMAXUIRECT - 1)]) {
    x_ = state.x - window_.left;
    y_ = state.y - window_.bottom - window_.height + ui.maxheight - ui.scroll;
  }

  mjuiItem* Handle() {
    ui_.editchanged = nullptr;
    switch (state_.type) {
      case mjEVENT_PRESS:
        return Press();
      case mjEVENT_MOVE:
        return Move();
      case mjEVENT_RELEASE:
        return Release();
      case mjEVENT_SCROLL:
        return Scroll();
      case mjEVENT_KEY:
        return Key();
      default:
        return nullptr;
    }
  }

 private:
  bool IsOver() const { return Contains(window_, state_.x, state_.y); }

  // Items that are folded away are not under the mouse, wherever their old rectangles are.
  mjuiItem* ItemUnderMouse() {
    for (int i = 0; i < ui_.nsect; ++i) {
      mjuiSection& section = ui_.sect[i];
      if (section.state == mjSECT_CLOSED || !Contains(section.rcontent, x_, y_)) continue;
      for (int k = 0; k < section.nitem; ++k) {
        if (!section.item[k].skip && Contains(section.item[k].rect, x_, y_)) return &section.item[k];
      }
    }
    return nullptr;
  }

  // Returns the item on which the button was pressed and is still held, or null. Sections count from one in
  // mjUI::mousesect, as zero is none and -1 is the scroll bar.
  mjuiItem* Held() {
    if (ui_.mousesect <= 0 || ui_.mousesect > ui_.nsect) return nullptr;
    mjuiSection& section = ui_.sect[ui_.mousesect - 1];
    return ui_.mouseitem >= 0 && ui_.mouseitem < section.nitem ? &section.item[ui_.mouseitem] : nullptr;
  }

  // ---- mouse

  // A click anywhere but in the edited field ends editing first, so that its value is taken before another one
  // changes.
  mjuiItem* Press() {
    if (!IsOver()) {
      CommitEdit(false);
      return nullptr;
    }
    ui_.mousesect = ui_.mousesectcheck = 0;
    ui_.mouseitem = -1;
    if (state_.button == mjBUTTON_RIGHT) ui_.mousehelp = 1;
    if (state_.button != mjBUTTON_LEFT) return nullptr;
    ++ui_.mouseclicks;
    if (ui_.height > window_.height && state_.x >= window_.left + window_.width - SizesOf(ui_, con_).scroll) {
      CommitEdit(false);
      ui_.mousesect = -1;
      DragBar();
      return nullptr;
    }
    mjuiItem* item = ItemUnderMouse();
    const bool same = item && ui_.editsect == item->sectionid + 1 && ui_.edititem == item->itemid;
    if (!same) CommitEdit(false);
    if (PressTitle() || !item || !IsEnabled(ui_, *item)) return nullptr;
    ui_.mousesect = item->sectionid + 1;
    ui_.mouseitem = item->itemid;
    return PressItem(*item);
  }

  // Tells whether the click was on the title of a section, which then has opened or closed. The box of a title
  // belongs to the program, which finds in mousesectcheck that it was hit.
  bool PressTitle() {
    for (int i = 0; i < ui_.nsect; ++i) {
      mjuiSection& section = ui_.sect[i];
      const mjrRect& title = section.rtitle;
      if (title.height <= 0 || !Contains(title, x_, y_)) continue;
      if (section.checkbox && x_ >= title.left + title.width - title.height) {
        ui_.mousesectcheck = i + 1;
        return true;
      }
      section.state = section.state == mjSECT_OPEN ? mjSECT_CLOSED : mjSECT_OPEN;
      section.lastclick = ui_.mouseclicks;
      if (state_.doubleclick) {  // the state before it, which the first click has changed, goes to all
        section.state = section.state == mjSECT_OPEN ? mjSECT_CLOSED : mjSECT_OPEN;
        for (int k = 0; k < ui_.nsect; ++k) {
          if (ui_.sect[k].state != mjSECT_FIXED) ui_.sect[k].state = section.state;
        }
      }
      LayOut(ui_, con_);
      BoundScroll();
      return true;
    }
    return false;
  }

  // Selections and text fields change nothing until the button or the key Enter ends them.
  mjuiItem* PressItem(mjuiItem& item) {
    if (item.type == mjITEM_SEPARATOR) {
      if (item.state > 0) item.state += IsClosed(item) ? -mjSEPCLOSED : mjSEPCLOSED;
      LayOut(ui_, con_);
      BoundScroll();
      return nullptr;
    }
    if (item.type == mjITEM_BUTTON) return &item;
    if (IsCheck(item)) {
      Toggle(item);
      return &item;
    }
    if (item.type == mjITEM_RADIO || item.type == mjITEM_RADIOLINE) return Choose(item);
    if (IsSlider(item)) return Slide(item);
    if (IsEdit(item)) StartEdit(item);
    return nullptr;
  }

  // Takes over the choice under the mouse; null where it is the one that was chosen before.
  mjuiItem* Choose(mjuiItem& item) {
    for (int i = 0; i < item.multi.nelem; ++i) {
      if (!Contains(ChoiceOf(ui_, item, i, con_), x_, y_)) continue;
      int& value = *static_cast<int*>(item.pdata);
      if (value == i) return nullptr;
      value = i;
      return &item;
    }
    return nullptr;
  }

  // To the nearest of the slider's steps.
  mjuiItem* Slide(mjuiItem& item) {
    const mjrRect field = FieldOf(ui_, item, con_);
    const mjuiItemSlider_& slider = item.slider;
    const double share = std::clamp((x_ - field.left) / std::max(field.width, 1), 0.0, 1.0);
    const double steps = std::round(share * slider.divisions) / slider.divisions;
    const double value = slider.range[0] + steps * (slider.range[1] - slider.range[0]);
    if (item.type == mjITEM_SLIDERINT) {
      int& number = *static_cast<int*>(item.pdata);
      const int rounded = static_cast<int>(std::lround(value));
      if (number == rounded) return nullptr;
      number = rounded;
    } else {
      mjtNum& number = *static_cast<mjtNum*>(item.pdata);
      if (number == value) return nullptr;
      number = value;
    }
    return &item;
  }

  // Sliders and the scroll bar follow the mouse while the left button is held.
  mjuiItem* Move() {
    if (ui_.mousesect < 0 && state_.left) {
      DragBar();
      return nullptr;
    }
    mjuiItem* item = Held();
    return item && state_.left && IsSlider(*item) ? Slide(*item) : nullptr;
  }

  mjuiItem* Release() {
    mjuiItem* item = Held();
    ui_.mousehelp = 0;
    ui_.mousesect = 0;
    ui_.mouseitem = -1;
    return item && item->type == mjITEM_SELECT ? Choose(*item) : nullptr;
  }

  // The thumb's middle follows the mouse.
  void DragBar() {
    const double share = (window_.bottom + window_.height - state_.y) / std::max(window_.height, 1);
    ui_.scroll = static_cast<int>(share * ui_.height - 0.5 * window_.height);
    BoundScroll();
  }

  mjuiItem* Scroll() {
    if (!IsOver()) return nullptr;
    ui_.scroll -= static_cast<int>(state_.sy * ui_.spacing.linescroll * con_.fontScale / 100);
    BoundScroll();
    return nullptr;
  }
  void BoundScroll() { ui_.scroll = std::clamp(ui_.scroll, 0, std::max(ui_.height - window_.height, 0)); }

  // ---- text fields

  // Returns the text field that is being edited, or null.
  mjuiItem* Edited() {
    if (ui_.editsect <= 0 || ui_.editsect > ui_.nsect) return nullptr;
    mjuiSection& section = ui_.sect[ui_.editsect - 1];
    return ui_.edititem >= 0 && ui_.edititem < section.nitem ? &section.item[ui_.edititem] : nullptr;
  }

  // The text starts as the value is shown, with the cursor at its end.
  void StartEdit(mjuiItem& item) {
    if (ui_.editsect == item.sectionid + 1 && ui_.edititem == item.itemid) return;
    ui_.editsect = item.sectionid + 1;
    ui_.edititem = item.itemid;
    const std::string text = EditText(item).substr(0, mjMAXUITEXT - 1);
    std::strcpy(ui_.edittext, text.c_str());
    ui_.editcursor = static_cast<int>(text.size());
    ui_.editscroll = 0;
  }

  void EndEdit() {
    ui_.editsect = 0;
    ui_.edittext[0] = 0;
    ui_.editcursor = ui_.editscroll = 0;
  }

  // Takes the text over; what cannot be read is left open by Enter, and given up by a click elsewhere.
  bool CommitEdit(bool keep_open) {
    mjuiItem* item = Edited();
    if (!item) return false;
    const bool taken = TakeText(*item);
    if (taken || !keep_open) EndEdit();
    if (taken) ui_.editchanged = item;
    return taken;
  }

  // All numbers have to be there, finite, in their ranges, and whole where the field is; else nothing is written.
  bool TakeText(mjuiItem& item) const {
    if (item.type == mjITEM_EDITTXT) {
      const size_t length = std::min<size_t>(std::strlen(ui_.edittext), mjMAXUINAME - 1);
      char* to = static_cast<char*>(item.pdata);
      std::memcpy(to, ui_.edittext, length);
      to[length] = 0;
      return true;
    }
    std::vector<double> numbers;
    const char* text = ui_.edittext;
    for (char* end = nullptr;; text = end) {
      const double x = std::strtod(text, &end);
      if (end == text) break;
      numbers.push_back(x);
    }
    if (std::strspn(text, " ") != std::strlen(text) || static_cast<int>(numbers.size()) != item.edit.nelem)
      return false;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const double* range = item.edit.range[i];
      if (!std::isfinite(numbers[i])) return false;
      if (range[0] < range[1] && (numbers[i] < range[0] || numbers[i] > range[1])) return false;
      const bool whole = numbers[i] == std::round(numbers[i]) && std::abs(numbers[i]) < 2147483647.0;
      if (item.type == mjITEM_EDITINT && !whole) return false;
    }
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (item.type == mjITEM_EDITINT) static_cast<int*>(item.pdata)[i] = static_cast<int>(numbers[i]);
      if (item.type == mjITEM_EDITNUM) static_cast<mjtNum*>(item.pdata)[i] = numbers[i];
      if (item.type == mjITEM_EDITFLOAT) static_cast<float*>(item.pdata)[i] = static_cast<float>(numbers[i]);
    }
    return true;
  }

  // Handles the keys of an open text field; returns the item when Enter has changed it.
  mjuiItem* EditKey(mjuiItem& item, int key) {
    const int length = static_cast<int>(std::strlen(ui_.edittext));
    int& cursor = ui_.editcursor;
    cursor = std::clamp(cursor, 0, length);
    const auto erase = [&](int at) {
      if (at >= 0 && at < length)
        std::memmove(ui_.edittext + at, ui_.edittext + at + 1, static_cast<size_t>(length - at));
    };
    switch (key) {
      case mjKEY_ENTER:
        return CommitEdit(true) ? &item : nullptr;
      case mjKEY_ESCAPE:
        EndEdit();
        return nullptr;
      case mjKEY_LEFT:
        cursor = state_.control ? 0 : std::max(cursor - 1, 0);
        return nullptr;
      case mjKEY_RIGHT:
        cursor = state_.control ? length : std::min(cursor + 1, length);
        return nullptr;
      case mjKEY_HOME:
        cursor = 0;
        return nullptr;
      case mjKEY_END:
        cursor = length;
        return nullptr;
      case mjKEY_BACKSPACE:
        erase(cursor - 1);
        cursor = std::max(cursor - 1, 0);
        return nullptr;
      case mjKEY_DELETE:
        erase(cursor);
        return nullptr;
      default:
        break;
    }
    if (key >= mjKEY_NUMPAD_0 && key <= mjKEY_NUMPAD_9) key = '0' + key - mjKEY_NUMPAD_0;
    if (key < ' ' || key > '~' || length + 1 >= mjMAXUITEXT) return nullptr;
    // key codes are capital letters; small ones are meant without shift
    char letter = static_cast<char>(key);
    if (letter >= 'A' && letter <= 'Z' && !state_.shift) letter = static_cast<char>(letter - 'A' + 'a');
    std::memmove(ui_.edittext + cursor + 1, ui_.edittext + cursor, static_cast<size_t>(length - cursor + 1));
    ui_.edittext[cursor++] = letter;
    return nullptr;
  }

  // ---- shortcuts

  // Exactly one modifier counts: control before shift before alt.
  bool IsPressed(int modifier, int shortcut) const {
    const int held = state_.control ? 1 : state_.shift ? 2 : state_.alt ? 3 : 0;
    return shortcut != 0 && shortcut == state_.key && modifier == held;
  }

  // Text fields come first, then sections, then buttons and boxes; a key that was used is set to zero, so that the
  // program does not use it again.
  mjuiItem* Key() {
    if (mjuiItem* item = Edited()) {
      mjuiItem* changed = EditKey(*item, state_.key);
      state_.key = 0;
      return changed;
    }
    for (int i = 0; i < ui_.nsect; ++i) {
      if (!IsPressed(ui_.sect[i].modifier, ui_.sect[i].shortcut)) continue;
      for (int k = 0; k < ui_.nsect; ++k) {
        if (ui_.sect[k].state != mjSECT_FIXED) ui_.sect[k].state = k == i ? mjSECT_OPEN : mjSECT_CLOSED;
      }
      state_.key = 0;
      LayOut(ui_, con_);
      BoundScroll();
      return nullptr;
    }
    for (int i = 0; i < ui_.nsect; ++i) {
      for (int k = 0; k < ui_.sect[i].nitem; ++k) {
        mjuiItem& item = ui_.sect[i].item[k];
        const bool has = item.type == mjITEM_BUTTON || IsCheck(item);
        if (!has || !IsPressed(item.single.modifier, item.single.shortcut)) continue;
        state_.key = 0;
        if (!IsEnabled(ui_, item)) return nullptr;
        if (IsCheck(item)) Toggle(item);
        return &item;
      }
    }
    return nullptr;
  }

  mjUI& ui_;
  mjuiState& state_;
  const mjrContext& con_;
  const mjrRect window_;
  double x_, y_;  // of the mouse, where the interface is drawn
};

}  // namespace

mjuiItem* HandleEvent(mjUI& ui, mjuiState& state, const mjrContext& con) { return UiEvent(ui, state, con).Handle(); }

}  // namespace sinew::inline render
