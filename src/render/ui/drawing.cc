// The whole interface is drawn into an auxiliary buffer when something has changed, and each picture copies the part
// that is scrolled to. Colours are three floats 0..1 of the interface's theme.
#include "render/ui/drawing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "render/context.h"
#include "render/overlay.h"
#include "render/text.h"
#include "render/ui/layout.h"

namespace sinew::inline render {
namespace {

Rgba Of(const float* rgb) { return {rgb[0], rgb[1], rgb[2], 1}; }

// Returns a rectangle without a border `by` pixels wide.
mjrRect Inset(mjrRect r, int by) { return {r.left + by, r.bottom + by, r.width - 2 * by, r.height - 2 * by}; }

// Draws one interface in the coordinates of its buffer, pixels from the lower left corner; it changes nothing in
// mjUI.
class UiDrawer {
 public:
  UiDrawer(RenderBackend& to, const mjUI& ui, const mjuiState* state, const mjrContext& con)
      : to_(to), ui_(ui), state_(state), con_(con), sizes_(SizesOf(ui, con)) {}

  // The open list comes last, since it covers items below it.
  void Draw() {
    Fill({0, 0, ui_.width, ui_.maxheight}, Of(ui_.color.master));
    for (int i = 0; i < ui_.nsect; ++i) {
      DrawTitle(ui_.sect[i]);
      if (ui_.sect[i].state == mjSECT_CLOSED) continue;
      Fill(ui_.sect[i].rcontent, Of(ui_.color.sectpane));
      for (int k = 0; k < ui_.sect[i].nitem; ++k) {
        if (!ui_.sect[i].item[k].skip) DrawItem(ui_.sect[i].item[k]);
      }
    }
    DrawOpenList();
  }

 private:
  void Fill(const mjrRect& r, Rgba color) {
    if (r.width <= 0 || r.height <= 0) return;
    to_.FillRectangle(static_cast<float>(r.left), static_cast<float>(r.bottom), static_cast<float>(r.width),
                      static_cast<float>(r.height), color);
  }
  // From one colour above to another below.
  void Fade(const mjrRect& r, const float* above, const float* below) {
    constexpr int kBands = 8;
    for (int i = 0; i < kBands; ++i) {
      const int low = r.height * i / kBands, high = r.height * (i + 1) / kBands;
      const float share = (static_cast<float>(i) + 0.5f) / kBands;
      const auto mix = [&](int k) { return below[k] + share * (above[k] - below[k]); };
      Fill({r.left, r.bottom + low, r.width, high - low}, {mix(0), mix(1), mix(2), 1});
    }
  }
  // In the middle of the rectangle's height; cut at its right end.
  void Text(std::string_view text, mjrRect r, const float* rgb) {
    while (!text.empty() && LineWidth(text, sizes_.stroke) > r.width) text.remove_suffix(1);
    WriteText(to_, mjFONT_NORMAL, text, static_cast<float>(r.left),
              static_cast<float>(r.bottom + (r.height - LineHeight(sizes_.stroke)) / 2), Of(rgb), con_);
  }
  void Centered(std::string_view text, mjrRect r, const float* rgb) {
    const int spare = std::max(r.width - LineWidth(text, sizes_.stroke), 0) / 2;
    Text(text, {r.left + spare, r.bottom, r.width - spare, r.height}, rgb);
  }

  // A title fades from one colour to another, which tell whether its box is checked; the sign at its right end is the
  // box, or says whether the section is open.
  void DrawTitle(const mjuiSection& section) {
    const mjrRect& title = section.rtitle;
    if (title.height <= 0) return;
    const mjuiThemeColor& c = ui_.color;
    const float* above = section.checkbox == 0   ? c.secttitle
                         : section.checkbox == 1 ? c.secttitleuncheck
                                                 : c.secttitlecheck;
    const float* below = section.checkbox == 0   ? c.secttitle2
                         : section.checkbox == 1 ? c.secttitleuncheck2
                                                 : c.secttitlecheck2;
    Fade(title, above, below);
    Text(section.name, Inset(title, sizes_.text / 2), c.sectfont);
    const mjrRect box =
        Inset({title.left + title.width - title.height, title.bottom, title.height, title.height}, title.height / 4);
    if (section.checkbox) {
      Fill(box, Of(c.sectsymbol));
      if (section.checkbox == 1) Fill(Inset(box, 2), Of(below));
    } else {
      Centered(section.state == mjSECT_OPEN ? "-" : "+", box, c.sectsymbol);
    }
  }

  // Draws what each type of item shows; items that are disabled have the same shape in paler colours.
  void DrawItem(const mjuiItem& item) {
    const mjuiThemeColor& c = ui_.color;
    const bool on = IsEnabled(ui_, item);
    const float* font = on ? c.fontactive : c.fontinactive;
    const auto ground = [&](const float* rgb) { return Of(on ? rgb : c.decorinactive); };
    const mjrRect field = FieldOf(ui_, item, con_);
    mjrRect label = item.rect;
    label.width = field.left - label.left - sizes_.mid;
    switch (item.type) {
      case mjITEM_SEPARATOR:
        Fade(item.rect, c.separator, c.separator2);
        Text(item.name, Inset(item.rect, 2), c.fontactive);
        if (item.state > 0) {
          const mjrRect sign = {item.rect.left + item.rect.width - item.rect.height, item.rect.bottom, item.rect.height,
                                item.rect.height};
          Centered(IsClosed(item) ? "+" : "-", sign, c.sectsymbol);
        }
        return;
      case mjITEM_STATIC:
        Text(item.name, item.multi.nelem > 0 ? label : item.rect, font);
        for (int i = 0; i < item.multi.nelem; ++i) {
          mjrRect line = field;
          line.bottom += field.height - (i + 1) * sizes_.line;
          line.height = sizes_.line;
          Text(item.multi.name[i], line, font);
        }
        return;
      case mjITEM_BUTTON:
        Fill(item.rect, ground(c.button));
        Centered(item.name, item.rect, font);
        return DrawShortcut(item);
      case mjITEM_CHECKINT:
      case mjITEM_CHECKBYTE: {
        const mjrRect box = Inset({item.rect.left, item.rect.bottom, sizes_.line, sizes_.line}, sizes_.line / 5);
        const bool set = item.type == mjITEM_CHECKINT ? *static_cast<const int*>(item.pdata) != 0
                                                      : *static_cast<const mjtByte*>(item.pdata) != 0;
        Fill(box, Of(font));
        Fill(Inset(box, 1), set ? ground(c.check) : Of(c.sectpane));
        const mjrRect text = {item.rect.left + sizes_.line, item.rect.bottom, item.rect.width - sizes_.line,
                              item.rect.height};
        Text(item.name, text, font);
        return DrawShortcut(item);
      }
      case mjITEM_RADIO:
      case mjITEM_RADIOLINE:
        Text(item.name, label, font);
        for (int i = 0; i < item.multi.nelem; ++i) {
          const mjrRect choice = Inset(ChoiceOf(ui_, item, i, con_), 1);
          if (*static_cast<const int*>(item.pdata) == i) Fill(choice, ground(c.radio));
          Centered(item.multi.name[i], choice, font);
        }
        return;
      case mjITEM_SELECT: {
        Text(item.name, label, font);
        Fill(field, ground(c.select));
        const int value = *static_cast<const int*>(item.pdata);
        if (value >= 0 && value < item.multi.nelem) Centered(item.multi.name[value], field, font);
        return;
      }
      case mjITEM_SLIDERINT:
      case mjITEM_SLIDERNUM:
        Text(item.name, label, font);
        return DrawSlider(item, field, on, font);
      default:
        Text(item.name, label, font);
        Fill(field, ground(c.edit));
        DrawEdit(item, field, font);
    }
  }

  // The filled part is the value's share of the range; a value outside fills all or nothing.
  void DrawSlider(const mjuiItem& item, const mjrRect& field, bool on, const float* font) {
    const bool whole = item.type == mjITEM_SLIDERINT;
    const double value = whole ? *static_cast<const int*>(item.pdata) : *static_cast<const mjtNum*>(item.pdata);
    const double range = item.slider.range[1] - item.slider.range[0];
    const double share = range > 0 ? std::clamp((value - item.slider.range[0]) / range, 0.0, 1.0) : 0;
    mjrRect filled = field;
    filled.width = static_cast<int>(share * field.width);
    Fill(field, Of(on ? ui_.color.slider2 : ui_.color.decorinactive2));
    Fill(filled, Of(on ? ui_.color.slider : ui_.color.decorinactive));
    char text[32];
    std::snprintf(text, sizeof(text), whole ? "%.0f" : "%.4g", value);
    Centered(text, field, font);
  }

  // The field that is being edited shows the text as typed with a cursor, others the value that they point to.
  void DrawEdit(const mjuiItem& item, const mjrRect& field, const float* font) {
    const bool edited = ui_.editsect == item.sectionid + 1 && ui_.edititem == item.itemid;
    const mjrRect inside = Inset(field, 2);
    if (!edited) return Text(EditText(item), inside, font);
    // as far to the left as the cursor requires
    std::string_view text = ui_.edittext;
    const size_t cursor = std::min(static_cast<size_t>(std::max(ui_.editcursor, 0)), text.size());
    size_t first = 0;
    const auto before = [&] { return LineWidth(text.substr(first, cursor - first), sizes_.stroke); };
    while (first < cursor && before() > inside.width) ++first;
    Text(text.substr(first), inside, font);
    Fill({inside.left + before(), inside.bottom, sizes_.stroke, inside.height}, Of(ui_.color.cursor));
  }

  // While the right button is held.
  void DrawShortcut(const mjuiItem& item) {
    if (!ui_.mousehelp || item.single.shortcut == 0) return;
    constexpr const char* kHeld[] = {"", "Ctrl ", "Shift ", "Alt "};
    std::string text = kHeld[std::clamp(item.single.modifier, 0, 3)];
    const int key = item.single.shortcut;
    if (key >= mjKEY_F1 && key <= mjKEY_F12) {
      text.append("F").append(std::to_string(key - mjKEY_F1 + 1));
    } else if (key > ' ' && key <= '~') {
      text += static_cast<char>(key);
    } else {
      text.append("#").append(std::to_string(key));
    }
    mjrRect place = item.rect;
    const int width = LineWidth(text, sizes_.stroke) + sizes_.text;
    place.left += place.width - width;
    place.width = width;
    Fill(place, Of(ui_.color.shortcut));
    Centered(text, place, ui_.color.fontactive);
  }

  // Over everything else, while the button is held on a selection.
  void DrawOpenList() {
    if (ui_.mousesect <= 0 || ui_.mousesect > ui_.nsect || ui_.mouseitem < 0) return;
    const mjuiItem& item = ui_.sect[ui_.mousesect - 1].item[ui_.mouseitem];
    if (item.type != mjITEM_SELECT) return;
    for (int i = 0; i < item.multi.nelem; ++i) {
      const mjrRect choice = ChoiceOf(ui_, item, i, con_);
      Fill(choice, Of(IsUnderMouse(choice) ? ui_.color.select : ui_.color.select2));
      Centered(item.multi.name[i], choice, ui_.color.fontactive);
    }
  }
  // The mouse is in pixels of the window: from there by the interface's rectangle and the part that is scrolled to.
  bool IsUnderMouse(const mjrRect& r) const {
    if (!state_) return false;
    const mjrRect& window = state_->rect[std::clamp(ui_.rectid, 0, mjMAXUIRECT - 1)];
    const double x = state_->x - window.left;
    const double y = state_->y - window.bottom - window.height + ui_.maxheight - ui_.scroll;
    return Contains(r, x, y);
  }

  RenderBackend& to_;
  const mjUI& ui_;
  const mjuiState* state_;
  const mjrContext& con_;
  const UiSizes sizes_;
};

}  // namespace

void DrawUi(RenderBackend& to, const mjUI& ui, const mjuiState* state, const mjrContext& con) {
  UiDrawer(to, ui, state, con).Draw();
}

void ShowUi(RenderBackend& to, const mjUI& ui, const mjuiState& state, const mjrContext& con) {
  const mjrRect& window = state.rect[std::clamp(ui.rectid, 0, mjMAXUIRECT - 1)];
  const auto fill = [&](mjrRect r, const float* rgb) {
    if (r.width <= 0 || r.height <= 0) return;
    to.FillRectangle(static_cast<float>(r.left), static_cast<float>(r.bottom), static_cast<float>(r.width),
                     static_cast<float>(r.height), Of(rgb));
  };
  // The upper part of the buffer is shown, from `scroll` pixels below its top; the rest of the window's rectangle is
  // empty.
  const int shown = std::min(ui.maxheight - ui.scroll, window.height);
  const mjrRect part = {0, ui.maxheight - ui.scroll - shown, std::min(ui.width, window.width), shown};
  fill({window.left, window.bottom, window.width, window.height - shown}, ui.color.master);
  // Rectangles have to be drawn before pixels are copied over them.
  to.Flush();
  if (part.width > 0 && part.height > 0) {
    to.BlitAux(ui.auxid, part, window.left, window.bottom + window.height - shown, con);
  }
  // Without a need to scroll, there is no bar. Its thumb has the share of the height that is seen.
  if (ui.height <= window.height) return;
  const int width = SizesOf(ui, con).scroll;
  const mjrRect bar = {window.left + window.width - width, window.bottom, width, window.height};
  const int length = std::max(window.height * window.height / std::max(ui.height, 1), width);
  const int from_top = (window.height - length) * ui.scroll / std::max(ui.height - window.height, 1);
  fill(bar, ui.color.master);
  fill({bar.left + 2, bar.bottom + bar.height - from_top - length, bar.width - 4, length}, ui.color.thumb);
}

// Sizes are in pixels at a font scale of 100, in the order of the fields of mjuiThemeSpacing.
mjuiThemeSpacing ThemeSpacing(int index) {
  constexpr mjuiThemeSpacing kTight = {270, 15, 120, 8, 6, 6, 4, 4, 4, 8, 4, 30, 4};
  constexpr mjuiThemeSpacing kWide = {310, 15, 120, 10, 10, 10, 7, 7, 7, 10, 5, 30, 4};
  return index == 0 ? kTight : kWide;
}

// The values of MuJoCo 3.8.0's themes, as its mjui_themeColor returns them.
mjuiThemeColor ThemeColor(int index) {
  constexpr mjuiThemeColor kThemes[] = {
      {{0.25f, 0.25f, 0.25f}, {0.12f, 0.12f, 0.12f}, {0.6f, 0.2f, 0.2f},    {0.1f, 0.1f, 0.1f}, {0.45f, 0.17f, 0.17f},
       {0.45f, 0.17f, 0.17f}, {0.45f, 0.17f, 0.17f}, {0.45f, 0.17f, 0.17f}, {1, 1, 1},          {0.7f, 0.7f, 0.7f},
       {0.1f, 0.1f, 0.1f},    {0.25f, 0.25f, 0.25f}, {0.1f, 0.1f, 0.1f},    {0, 0, 1},          {1, 1, 1},
       {0.5f, 0.5f, 0.5f},    {0.3f, 0.3f, 0.3f},    {0.4f, 0.4f, 0.4f},    {0.6f, 0.4f, 0.4f}, {0.4f, 0.4f, 0.7f},
       {0.4f, 0.6f, 0.4f},    {0.4f, 0.6f, 0.6f},    {0.2f, 0.3f, 0.3f},    {0.3f, 0.2f, 0.3f}, {0.6f, 0.4f, 0.6f},
       {0.6f, 0.6f, 0.4f},    {0.7f, 0, 0},          {0.9f, 0.9f, 0.9f}},
      {{0.2f, 0.2f, 0.2f},    {0.12f, 0.12f, 0.12f},
       {0.3f, 0.3f, 0.3f},    {0.15f, 0.15f, 0.15f},
       {0.25f, 0.25f, 0.25f}, {0.25f, 0.25f, 0.25f},
       {0.25f, 0.25f, 0.25f}, {0.25f, 0.25f, 0.25f},
       {0.8f, 0.8f, 0.8f},    {0.7f, 0.7f, 0.7f},
       {0.15f, 0.15f, 0.15f}, {0.2f, 0.2f, 0.2f},
       {0.15f, 0.15f, 0.15f}, {0, 0, 1},
       {0.9f, 0.9f, 0.9f},    {0.5f, 0.5f, 0.5f},
       {0.2f, 0.2f, 0.2f},    {0.25f, 0.25f, 0.25f},
       {0.6f, 0.4f, 0.2f},    {0.6f, 0.4f, 0.2f},
       {0.6f, 0.4f, 0.2f},    {0.6f, 0.4f, 0.2f},
       {0.3f, 0.2f, 0.1f},    {0.2f, 0.2f, 0.2f},
       {0.6f, 0.4f, 0.2f},    {0.6f, 0.4f, 0.2f},
       {0.7f, 0, 0},          {0.9f, 0.9f, 0.9f}},
      {{0.9f, 0.9f, 0.9f},
       {0.7f, 0.7f, 0.7f},
       {0.8f, 0.8f, 0.8f},
       {1, 1, 1},
       {0.95f, 0.95f, 0.95f},
       {0.95f, 0.95f, 0.95f},
       {0.95f, 0.95f, 0.95f},
       {0.95f, 0.95f, 0.95f},
       {0, 0, 0.8f},
       {0, 0, 0.8f},
       {1, 1, 1},
       {0.9f, 0.9f, 0.9f},
       {1, 1, 1},
       {0, 1, 1},
       {0, 0, 0},
       {0.7f, 0.7f, 0.7f},
       {0.95f, 0.95f, 0.95f},
       {0.9f, 0.9f, 0.9f},
       {0.8f, 0.8f, 0.8f},
       {0.8f, 0.8f, 0.8f},
       {0.8f, 0.8f, 0.8f},
       {0.8f, 0.8f, 0.8f},
       {0.9f, 0.9f, 0.9f},
       {0.95f, 0.95f, 0.95f},
       {0.8f, 0.8f, 0.8f},
       {0.8f, 0.8f, 0.8f},
       {1, 0.3f, 0.3f},
       {0.2f, 0.2f, 0.2f}},
      {{0.15f, 0.15f, 0.15f},
       {0.3f, 0.3f, 0.3f},
       {0.25f, 0.25f, 0.25f},
       {0, 0, 0},
       {0.2f, 0.2f, 0.2f},
       {0.2f, 0.2f, 0.2f},
       {0.2f, 0.2f, 0.2f},
       {0.2f, 0.2f, 0.2f},
       {1, 0.3f, 0.3f},
       {1, 0.3f, 0.3f},
       {0, 0, 0},
       {0.15f, 0.15f, 0.15f},
       {0, 0, 0},
       {0, 0, 1},
       {1, 1, 1},
       {0.4f, 0.4f, 0.4f},
       {0.1f, 0.1f, 0.1f},
       {0.15f, 0.15f, 0.15f},
       {0.3f, 0.3f, 0.3f},
       {0.3f, 0.3f, 0.3f},
       {0.3f, 0.3f, 0.3f},
       {0.3f, 0.3f, 0.3f},
       {0.15f, 0.15f, 0.15f},
       {0.15f, 0.15f, 0.15f},
       {0.3f, 0.3f, 0.3f},
       {0.3f, 0.3f, 0.3f},
       {0.8f, 0.2f, 0.2f},
       {0.8f, 0.8f, 0.8f}},
  };
  constexpr int kLast = static_cast<int>(std::size(kThemes)) - 1;
  return kThemes[index >= 0 && index <= kLast ? index : kLast];
}

}  // namespace sinew::inline render
