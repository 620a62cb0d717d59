// The font and the colours of panels.
#ifndef SINEW_APPS_VIEWER_PANELS_STYLE_H_
#define SINEW_APPS_VIEWER_PANELS_STYLE_H_

#include <span>

#include "viewer/view_state.h"

namespace sinew {

inline constexpr float kTextPixels = 14;  // height of a line of text at 100 percent [pixel]

// Names of the colours, in the order of their enumeration.
std::span<const char* const> ColourNames();

// Sets colours, sizes and font of the current context. The font is a sans serif one of the system, where one is found,
// and that of Dear ImGui otherwise; textures that were made of the former font have to be made anew.
void ApplyLook(const Look& look);

// The percentage at which text has its usual size on a screen: that which its desktop asks for (1: none), or, where it
// asks for nothing, in proportion to a screen of 1080 rows.
int UsualTextPercent(float content_scale, int screen_rows);

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_PANELS_STYLE_H_
