// Where the parts of a user interface are: in its auxiliary buffer, pixels from the lower left corner.
#ifndef SINEW_RENDER_UI_LAYOUT_H_
#define SINEW_RENDER_UI_LAYOUT_H_

#include <mujoco/mujoco.h>

#include <string>

namespace sinew::inline render {

// Sizes at the font's scale [pixel].
struct UiSizes {
  int line;  // height of an item
  int gap, side, mid, text, scroll, label, section, stroke;
  int width;  // of the whole
};
UiSizes SizesOf(const mjUI& ui, const mjrContext& con);

// Places sections and items; sets the sizes of the interface.
void LayOut(mjUI& ui, const mjrContext& con);

bool IsEnabled(const mjUI& ui, const mjuiItem& item);
// Whether a separator that can be closed is.
bool IsClosed(const mjuiItem& separator);

// The part of an item's rectangle that shows its value; buttons have all of it.
mjrRect FieldOf(const mjUI& ui, const mjuiItem& item, const mjrContext& con);
// Of a choice of a radio group, or of a selection's open list.
mjrRect ChoiceOf(const mjUI& ui, const mjuiItem& item, int choice, const mjrContext& con);

// The text that a field of text shows.
std::string EditText(const mjuiItem& item);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_UI_LAYOUT_H_
